//! Names of files as text, without loss.
//!
//! A name that is Unicode is its own text. Bytes that are not UTF-8 become `\xHH`; to keep the way back unambiguous, a
//! backslash that stands before `xHH` in the name itself becomes `\x5C`. Two different names never get the same text.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

/// The text for a relative path, with `/` between the names, and whether anything had to be escaped.
pub(crate) fn text_of(path: &Path) -> (String, bool) {
    joined(path.components().map(|component| component.as_os_str().as_encoded_bytes()))
}

/// The same for a path that is not of this machine, its names separated by `/`.
pub(crate) fn text_of_bytes(path: &[u8]) -> (String, bool) {
    joined(path.split(|byte| *byte == b'/'))
}

fn joined<'n>(names: impl Iterator<Item = &'n [u8]>) -> (String, bool) {
    let mut out = String::new();
    let mut escaped = false;
    for name in names {
        if !out.is_empty() {
            out.push('/');
        }
        match escape(name) {
            Cow::Borrowed(name) => out.push_str(name),
            Cow::Owned(name) => {
                escaped = true;
                out.push_str(&name);
            }
        }
    }
    (out, escaped)
}

/// The path that [`text_of`] made the text from.
pub(crate) fn path_of(text: &str, escaped: bool) -> PathBuf {
    if escaped { text.split('/').map(unescape).collect() } else { PathBuf::from(text) }
}

/// True when the path has no `..` in it.
pub(crate) fn is_plain(path: &Path) -> bool {
    !path.components().any(|c| matches!(c, Component::ParentDir))
}

fn escape(name: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(name)
        && !text.contains("\\x")
    {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(name.len() + 8);
    for chunk in name.utf8_chunks() {
        let mut rest = chunk.valid();
        while let Some(at) = rest.find('\\') {
            out.push_str(&rest[..at]);
            // Also before what could become an escape together with the bytes that follow.
            out.push_str(if is_escape(&rest.as_bytes()[at..]) { "\\x5C" } else { "\\" });
            rest = &rest[at + 1..];
        }
        out.push_str(rest);
        for byte in chunk.invalid() {
            out.push_str(&format!("\\x{byte:02X}"));
        }
    }
    if out.as_bytes() == name { Cow::Borrowed(std::str::from_utf8(name).unwrap_or_default()) } else { Cow::Owned(out) }
}

fn unescape(name: &str) -> OsString {
    let mut out = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let Some(&byte) = rest.first() {
        if is_escape(rest) {
            out.push((hex(rest[2]) << 4) | hex(rest[3]));
            rest = &rest[4..];
        } else {
            out.push(byte);
            rest = &rest[1..];
        }
    }
    os_string(out)
}

fn is_escape(bytes: &[u8]) -> bool {
    let is_hex = |b: u8| b.is_ascii_digit() || (b'A'..=b'F').contains(&b);
    matches!(bytes, [b'\\', b'x', high, low, ..] if is_hex(*high) && is_hex(*low))
}

fn hex(digit: u8) -> u8 {
    if digit.is_ascii_digit() { digit - b'0' } else { digit - b'A' + 10 }
}

#[cfg(unix)]
fn os_string(bytes: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}

#[cfg(not(unix))]
fn os_string(bytes: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// True for `README` with any extension, in any letter case.
pub(crate) fn is_readme(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    let stem = name.split(|b| *b == b'.').next().unwrap_or_default();
    stem.eq_ignore_ascii_case(b"readme")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unicode_names_stay_as_they_are() {
        // NFC and NFD are different names and stay so.
        for name in
            ["a.md", "Größe#2%.md", "资料/it's.md", "-rf", "line\nbreak.md", "o\u{308}.md", "ö.md", "c:\\dir", "a\\xyz"]
        {
            let (text, escaped) = text_of(Path::new(name));
            assert_eq!((text.as_str(), escaped), (name, false));
            assert_eq!(path_of(&text, escaped), Path::new(name));
        }
    }

    #[cfg(unix)]
    #[test]
    fn other_bytes_are_escaped_and_come_back() {
        use std::os::unix::ffi::OsStrExt;
        let cases: [(&[u8], &str); 5] = [
            (b"caf\xe9.md", "caf\\xE9.md"),
            (b"a\\xE9.md", "a\\x5CxE9.md"),
            (b"\\xE9\xe9", "\\x5CxE9\\xE9"),
            (b"dir\xff/b.md", "dir\\xFF/b.md"),
            (b"\\x\xff", "\\x\\xFF"),
        ];
        for (name, expected) in cases {
            let path = Path::new(OsStr::from_bytes(name));
            let (text, escaped) = text_of(path);
            assert_eq!((text.as_str(), escaped), (expected, true));
            assert_eq!(path_of(&text, escaped), path);
        }
    }

    #[cfg(unix)]
    #[test]
    fn every_name_comes_back() {
        use std::os::unix::ffi::OsStrExt;
        // All names of up to six of the bytes that matter to the escapes; what comes back whole is also unique.
        let bytes = [b'\\', b'x', b'A', b'5', 0xff, b'z'];
        for length in 1..=6 {
            for number in 0..6usize.pow(length) {
                let name: Vec<u8> = (0..length).map(|place| bytes[number / 6usize.pow(place) % 6]).collect();
                let path = Path::new(OsStr::from_bytes(&name));
                let (text, escaped) = text_of(path);
                assert_eq!(path_of(&text, escaped), path);
                assert_eq!(unescape(&text), path.as_os_str());
                assert_eq!(escaped, text.as_bytes() != name);
            }
        }
    }

    #[test]
    fn readmes() {
        let all = ["README", "README.md", "ReadMe.zh.txt"].map(|n| is_readme(OsStr::new(n)));
        assert_eq!(all, [true; 3]);
        assert!(!is_readme(OsStr::new("readme-first.md")));
    }
}
