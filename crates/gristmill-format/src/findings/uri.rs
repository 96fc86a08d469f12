//! Names of files as URIs.

/// A name as a URI, and whether it is relative to the root of the project.
pub(super) fn of(path: &str) -> (String, bool) {
    if is_url(path) {
        return (encoded(path, b"-._~/:?#[]@!$&'()*+,;=%"), false);
    }
    let path = if is_windows(path) { path.replace('\\', "/") } else { path.to_owned() };
    let name = encoded(path.trim_start_matches("./"), b"-._~/!$&'()*+,;=@");
    match (path.starts_with('/'), is_windows(&path)) {
        (true, _) => (format!("file://{name}"), false),
        (_, true) => (format!("file:///{}", name.replacen("%3A", ":", 1)), false),
        _ => (name, true),
    }
}

fn is_url(path: &str) -> bool {
    path.starts_with("http://") || path.starts_with("https://") || path.starts_with("file://")
}

/// True for a name that begins with a drive.
fn is_windows(path: &str) -> bool {
    matches!(path.as_bytes(), [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic())
}

fn encoded(path: &str, plain: &[u8]) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || plain.contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_uris() {
        for (path, uri, relative) in [
            ("./docs/a b.md", "docs/a%20b.md", true),
            ("../가.md", "../%EA%B0%80.md", true),
            ("a:b#c?d%.md", "a%3Ab%23c%3Fd%25.md", true),
            ("/srv/x.json", "file:///srv/x.json", false),
            ("C:\\docs\\x y.md", "file:///C:/docs/x%20y.md", false),
            ("https://example.org/a b?q=1#f", "https://example.org/a%20b?q=1#f", false),
            ("a\\b.md", "a%5Cb.md", true),
            ("", "", true),
        ] {
            assert_eq!(of(path), (uri.to_owned(), relative), "{path}");
        }
    }
}
