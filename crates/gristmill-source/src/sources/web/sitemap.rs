//! Sitemaps (sitemaps.org, protocol 0.9): lists of pages, lists of lists, as XML or as lines of text, packed or not.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::markup::{Piece, Pieces, unescape};

/// What a sitemap may hold (its protocol), unpacked.
pub(super) const BYTES_MAX: usize = 50 << 20;

/// What a sitemap names, as it stands there.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sitemap {
    pub(super) pages: Vec<String>,
    pub(super) sitemaps: Vec<String>,
}

/// Reads a sitemap. The error says why it is none, or not a whole one.
pub(super) fn parse(bytes: &[u8]) -> Result<Sitemap, String> {
    let bytes = unpacked(bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('<') { xml(text) } else { Ok(lines(text)) }
}

fn unpacked(bytes: &[u8]) -> Result<Cow<'_, [u8]>, String> {
    if !bytes.starts_with(b"\x1f\x8b") {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut out = Vec::new();
    let read = MultiGzDecoder::new(bytes).take(BYTES_MAX as u64 + 1).read_to_end(&mut out);
    read.map_err(|error| format!("cannot be unpacked: {error}"))?;
    if out.len() > BYTES_MAX { Err(format!("is above {BYTES_MAX} bytes unpacked")) } else { Ok(Cow::Owned(out)) }
}

fn lines(text: &str) -> Sitemap {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    Sitemap { pages: lines.map(str::to_owned).collect(), sitemaps: Vec::new() }
}

fn xml(text: &str) -> Result<Sitemap, String> {
    let mut map = Sitemap::default();
    let (mut root, mut index, mut address) = (None, false, None::<String>);
    let mut ends = false;
    for piece in Pieces::xml(text) {
        match piece {
            Piece::Open(name, tag) => {
                let root = *root.get_or_insert(name);
                ends |= root == name && tag.ends_with('/');
                match name {
                    "sitemap" => index = true,
                    "url" => index = false,
                    "loc" => address = Some(String::new()),
                    _ => {}
                }
            }
            Piece::Text(text) => address.iter_mut().for_each(|address| address.push_str(text)),
            Piece::Close("loc") => {
                let address = address.take().map(|address| unescape(address.trim()).into_owned());
                if index { map.sitemaps.extend(address) } else { map.pages.extend(address) }
            }
            Piece::Close(name) => ends |= root == Some(name),
        }
    }
    match root {
        Some("urlset" | "sitemapindex") if ends => Ok(map),
        Some("urlset" | "sitemapindex") => Err("ends in the middle".to_owned()),
        _ => Err("is no sitemap".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const PAGES: &str = "<?xml version='1.0'?>\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:image='i'>\n\
        <url><loc>\n https://example.org/?a=1&amp;b=2 </loc><lastmod>2026-01-01</lastmod>\
        <image:image><image:loc>https://example.org/x.png</image:loc></image:image></url>\n\
        <!-- <url><loc>https://example.org/old</loc></url> --><url><loc><![CDATA[https://example.org/c]]></loc></url></urlset>";

    fn pages(bytes: &[u8]) -> Vec<String> {
        parse(bytes).unwrap().pages
    }

    #[test]
    fn pages_of_xml_packed_and_not() {
        let expected = ["https://example.org/?a=1&b=2", "https://example.org/c"];
        assert_eq!(pages(PAGES.as_bytes()), expected);
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(PAGES.as_bytes()).unwrap();
        let packed = packed.finish().unwrap();
        assert_eq!(pages(&packed), expected);
        assert!(parse(&packed[..packed.len() / 2]).unwrap_err().starts_with("cannot be unpacked"));
    }

    #[test]
    fn an_index_names_sitemaps() {
        let text = "\u{feff}<sitemapindex><sitemap><loc>https://example.org/a.xml</loc></sitemap></sitemapindex>";
        let map = parse(text.as_bytes()).unwrap();
        assert_eq!((map.pages.len(), map.sitemaps), (0, vec!["https://example.org/a.xml".to_owned()]));
    }

    #[test]
    fn lines_of_text() {
        assert_eq!(
            pages(b"https://example.org/a\r\n\n https://example.org/b \n"),
            ["https://example.org/a", "https://example.org/b"]
        );
        assert_eq!(parse(b"").unwrap(), Sitemap::default());
        assert_eq!(parse(b"<urlset/>").unwrap(), Sitemap::default());
    }

    #[test]
    fn what_is_no_whole_sitemap_is_told() {
        assert_eq!(parse(b"<!doctype html><html></html>").unwrap_err(), "is no sitemap");
        assert_eq!(parse(b"<urlset><url><loc>https://a/</loc></url>").unwrap_err(), "ends in the middle");
    }

    #[test]
    fn a_bomb_is_not_unpacked() {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::copy(&mut std::io::repeat(b' ').take(BYTES_MAX as u64 + 1), &mut packed).unwrap();
        assert!(parse(&packed.finish().unwrap()).unwrap_err().starts_with("is above"));
    }
}
