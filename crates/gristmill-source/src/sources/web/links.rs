//! Where a page leads.

use url::Url;

use super::address::linked;
use super::markup::{Piece, Pieces, attribute};

/// Ends of names of what is no document: nothing is asked for it.
const NO_DOCUMENT: &[&str] = &[
    "7z", "aac", "apk", "avi", "avif", "bin", "bmp", "bz2", "css", "deb", "dll", "dmg", "eot", "exe", "flac", "gif",
    "gz", "ico", "iso", "jar", "jpeg", "jpg", "js", "m4a", "m4v", "map", "mjs", "mkv", "mov", "mp3", "mp4", "mpeg",
    "mpg", "msi", "oga", "ogg", "ogv", "otf", "pkg", "png", "rar", "rpm", "svg", "svgz", "tar", "tgz", "tif", "tiff",
    "ttf", "wasm", "wav", "webm", "webp", "whl", "wmv", "woff", "woff2", "xz", "zip", "zst",
];

/// The addresses a page leads to, each once, in the order of the page.
pub(super) fn links(page: &Url, html: &[u8]) -> Vec<Url> {
    let text = String::from_utf8_lossy(html);
    let mut base = None;
    let mut found = Vec::new();
    for piece in Pieces::html(&text) {
        let Piece::Open(name, tag) = piece else { continue };
        match name.to_ascii_lowercase().as_str() {
            "a" | "area" => found.extend(attribute(tag, "href")),
            "iframe" | "frame" => found.extend(attribute(tag, "src")),
            "base" if base.is_none() => base = attribute(tag, "href"),
            _ => {}
        }
    }
    let base = base.and_then(|base| page.join(base.trim()).ok());
    let base = base.as_ref().unwrap_or(page);
    let mut seen = std::collections::HashSet::new();
    let urls = found.iter().filter_map(|link| linked(base, link));
    urls.filter(|url| may_be_document(url) && seen.insert(url.to_string())).collect()
}

/// The end of the name of a page, in lower case; empty where it has none.
pub(super) fn extension(url: &Url) -> String {
    let name = url.path().rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default()
}

fn may_be_document(url: &Url) -> bool {
    !NO_DOCUMENT.contains(&extension(url).as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(html: &str) -> Vec<String> {
        let page = Url::parse("https://example.org/docs/intro").unwrap();
        links(&page, html.as_bytes()).into_iter().map(String::from).collect()
    }

    #[test]
    fn links_of_a_page_once_each_in_order() {
        let html = "<p><A HREF='b#x'>b</A> <a name=n>no</a><area href=/c><!-- <a href=d> --><script>'<a href=e>'</script>\
                    <a href=\"b\">again</a><a href=mailto:x@y.example><iframe src=f></iframe><a href=logo.PNG><a href=g.pdf>";
        let expected = ["docs/b", "c", "docs/f", "docs/g.pdf"].map(|path| format!("https://example.org/{path}"));
        assert_eq!(found(html), expected);
    }

    #[test]
    fn a_base_counts_for_the_whole_page_and_the_first_alone() {
        let html = "<a href=a><base href='/x/'><base href='/y/'><a href=b>";
        assert_eq!(found(html), ["https://example.org/x/a", "https://example.org/x/b"]);
        assert_eq!(found("<base href='http://['><a href=a>"), ["https://example.org/docs/a"]);
    }
}
