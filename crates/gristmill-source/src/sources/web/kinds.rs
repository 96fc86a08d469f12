//! Which kind of document an answer is, by its content type and the name of the page.

use url::Url;

use super::links::extension;

/// Content types of documents, with the end of name that files of the kind have.
const TYPES: &[(&str, &str)] = &[
    ("application/epub+zip", "epub"),
    ("application/json", "json"),
    ("application/jsonl", "jsonl"),
    ("application/msword", "doc"),
    ("application/pdf", "pdf"),
    ("application/rtf", "rtf"),
    ("application/vnd.ms-excel", "xls"),
    ("application/vnd.ms-powerpoint", "ppt"),
    ("application/vnd.oasis.opendocument.presentation", "odp"),
    ("application/vnd.oasis.opendocument.spreadsheet", "ods"),
    ("application/vnd.oasis.opendocument.text", "odt"),
    ("application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"),
    ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
    ("application/x-ipynb+json", "ipynb"),
    ("application/x-ndjson", "jsonl"),
    ("application/x-pdf", "pdf"),
    ("application/xhtml+xml", "html"),
    ("message/rfc822", "eml"),
    ("text/asciidoc", "adoc"),
    ("text/csv", "csv"),
    ("text/html", "html"),
    ("text/markdown", "md"),
    ("text/prs.fallenstein.rst", "rst"),
    ("text/rtf", "rtf"),
    ("text/tab-separated-values", "tsv"),
    ("text/x-markdown", "md"),
    ("text/x-rst", "rst"),
];

/// Ends of names that say more than `text/plain` does.
const TEXTS: &[&str] = &[
    "adoc", "asciidoc", "bash", "c", "cc", "cpp", "cs", "csv", "eml", "go", "h", "hpp", "ipynb", "java", "js", "json",
    "jsonl", "jsx", "kt", "log", "lua", "markdown", "md", "mdx", "php", "py", "rb", "rs", "rst", "scala", "sh", "sql",
    "swift", "toml", "ts", "tsv", "tsx", "txt", "xml", "yaml", "yml",
];

/// Ends of names that count where the content type says nothing.
const NAMED: &[&str] = &[
    "docx", "epub", "htm", "html", "md", "markdown", "odp", "ods", "odt", "pdf", "pptx", "rst", "rtf", "txt", "xhtml",
    "xlsx",
];

/// The end of name that files of this kind have; `None` for what is no document.
pub(super) fn kind(content_type: Option<&str>, url: &Url) -> Option<&'static str> {
    let content_type = content_type.unwrap_or_default().split(';').next().unwrap_or_default();
    let content_type = content_type.trim().to_ascii_lowercase();
    let by_name = |names: &[&'static str]| {
        let extension = extension(url);
        names.iter().find(|name| **name == extension).copied()
    };
    match content_type.as_str() {
        "" | "application/octet-stream" | "binary/octet-stream" | "application/binary" => by_name(NAMED),
        "text/css" | "text/javascript" | "text/ecmascript" | "text/vtt" | "text/event-stream" | "text/calendar" => None,
        known if TYPES.iter().any(|(name, _)| *name == known) => {
            TYPES.iter().find(|(name, _)| *name == known).map(|(_, kind)| *kind)
        }
        text if text.starts_with("text/") => by_name(TEXTS).or(Some("txt")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(content_type: &str, url: &str) -> Option<&'static str> {
        kind(Some(content_type), &Url::parse(url).unwrap())
    }

    #[test]
    fn the_content_type_counts_before_the_name() {
        assert_eq!(kind_of("Text/HTML; charset=utf-8", "https://x.example/a.php"), Some("html"));
        assert_eq!(kind_of("text/html", "https://x.example/a.pdf"), Some("html"));
        assert_eq!(kind_of("application/pdf", "https://x.example/get?file=a.html"), Some("pdf"));
        assert_eq!(kind_of("image/png", "https://x.example/a.md"), None);
        assert_eq!(kind_of("text/css", "https://x.example/a.css"), None);
    }

    #[test]
    fn the_name_says_what_the_content_type_does_not() {
        assert_eq!(kind_of("text/plain", "https://x.example/README.MD?raw=1"), Some("md"));
        assert_eq!(kind_of("text/plain", "https://x.example/notes"), Some("txt"));
        assert_eq!(kind_of("text/x-python", "https://x.example/a.py"), Some("py"));
        assert_eq!(kind_of("application/octet-stream", "https://x.example/a.docx"), Some("docx"));
        assert_eq!(kind_of("application/octet-stream", "https://x.example/a"), None);
        assert_eq!(kind(None, &Url::parse("https://x.example/a.pdf").unwrap()), Some("pdf"));
    }
}
