//! Where a service is.

use gristmill_core::{Error, Result};

/// The address of `method` below a base, which may end with it already and may have a query; the default where none is
/// set.
///
/// # Errors
/// When the base is no URL of `http` or `https`.
pub(crate) fn address(base: Option<&str>, default: &str, method: &str) -> Result<String> {
    let base = base.unwrap_or(default).trim();
    if !["http://", "https://"].iter().any(|scheme| base.len() > scheme.len() && base.starts_with(scheme)) {
        let error = Error::config(format!("`[embed] base_url` is not a URL: `{}`", hidden(base)));
        return Err(error.hint(format!("a URL looks like `{default}`")));
    }
    let (path, query) = base.split_once('?').map_or((base, None), |(path, query)| (path, Some(query)));
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix(method).map_or(path, |path| path.trim_end_matches('/'));
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    Ok(format!("{path}/{method}{query}"))
}

/// The same without name, password and query.
fn hidden(base: &str) -> &str {
    let base = base.split('?').next().unwrap_or_default();
    base.rsplit('@').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_method_is_put_behind_the_base() {
        let of = |base| address(Some(base), "https://default/v1", "embeddings").unwrap();
        assert_eq!(of("http://localhost:11434/v1"), "http://localhost:11434/v1/embeddings");
        assert_eq!(of("http://localhost:11434/v1/"), "http://localhost:11434/v1/embeddings");
        assert_eq!(of("https://host/v1/embeddings"), "https://host/v1/embeddings");
        assert_eq!(of("https://host/d?api-version=1"), "https://host/d/embeddings?api-version=1");
        assert_eq!(address(None, "https://default/v1", "embed").unwrap(), "https://default/v1/embed");
    }

    #[test]
    fn what_is_no_url_is_refused_without_its_secrets() {
        for base in ["", "localhost:11434", "ftp://host", "https://"] {
            assert!(address(Some(base), "https://default", "embed").is_err(), "{base}");
        }
        let error = address(Some("me:s3cret@host?key=s3cret"), "https://default", "embed").unwrap_err();
        assert!(!error.to_string().contains("s3cret"), "{error}");
    }
}
