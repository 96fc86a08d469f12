//! Which files are no text at all.

use super::detect::{has_mark, wide};

/// Bytes at the start of a file that are looked at.
const HEAD: usize = 8 * 1024;

/// True when a file that begins with `head` is not text: a known binary format, or too many control bytes.
/// Only the first 8 KiB count. A few NULs in otherwise good text do not make it binary.
pub fn is_binary(head: &[u8]) -> bool {
    let head = &head[..head.len().min(HEAD)];
    if has_mark(head) {
        return false;
    }
    if has_magic(head) {
        return true;
    }
    if wide(head).is_some() {
        return false;
    }
    let controls = head.iter().filter(|byte| is_control(**byte)).count();
    if controls * 20 <= head.len() {
        return false;
    }
    // Compressed and machine code is rarely UTF-8; text in a legacy encoding has hardly any control bytes.
    if is_utf8(head) { controls * 4 > head.len() } else { controls > 3 }
}

/// First bytes that no text has.
const MAGIC: &[&[u8]] = &[
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"\x7fELF",
    b"\xca\xfe\xba\xbe",
    b"\xcf\xfa\xed\xfe",
    b"\xce\xfa\xed\xfe",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1f\x8b\x08",
    b"\xfd7zXZ\0",
    b"\x28\xb5\x2f\xfd",
    b"\x04\x22\x4d\x18",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"\0asm",
    b"SQLite format 3\0",
    b"II*\0",
    b"MM\0*",
    b"\0\0\x01\0",
    b"\x1a\x45\xdf\xa3",
    b"\0\x01\0\0\0",
];

/// First bytes that a text might have too: they count only with a NUL in the head.
const WEAK_MAGIC: &[&[u8]] = &[
    b"GIF87a",
    b"GIF89a",
    b"MZ",
    b"BM",
    b"BZh",
    b"RIFF",
    b"OggS",
    b"fLaC",
    b"ID3",
    b"PAR1",
    b"wOFF",
    b"wOF2",
    b"OTTO",
    b"8BPS",
    b"!<arch>\n",
    b"MSCF",
    b"%PDF-",
    b"ARROW1",
    b"Obj\x01",
];

fn has_magic(head: &[u8]) -> bool {
    let begins = |magics: &[&[u8]]| magics.iter().any(|magic| head.starts_with(magic));
    begins(MAGIC) || (begins(WEAK_MAGIC) && head.contains(&0)) || head.get(4..8) == Some(b"ftyp")
}

/// C0 controls that text files do not hold; escape sequences of terminals and overstrikes do occur in text.
fn is_control(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x08 | 0x0b | 0x0c | 0x1b)
}

/// UTF-8, but for a character cut by the end of the head.
fn is_utf8(head: &[u8]) -> bool {
    match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    }
}
