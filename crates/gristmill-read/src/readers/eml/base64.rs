//! Base64 of mails that may be cut or damaged.

/// The bytes up to the first character that belongs to no Base64, and whether that is to a proper end.
pub(super) fn decode(text: &[u8]) -> (Vec<u8>, bool) {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    // Six bits for each character since the last group of four.
    let (mut bits, mut count) = (0u32, 0u8);
    let mut end = false;
    for &byte in text {
        match value(byte) {
            Some(six) => {
                bits = bits << 6 | six;
                count += 1;
                if count == 4 {
                    flush(&mut out, bits, count);
                    (bits, count) = (0, 0);
                }
            }
            None if byte == b'=' => {
                flush(&mut out, bits, count);
                (bits, count) = (0, 0);
            }
            None if byte.is_ascii_whitespace() => {}
            None => {
                end = true;
                break;
            }
        }
    }
    flush(&mut out, bits, count);
    (out, !end && count == 0)
}

/// Adds the whole bytes of so many characters.
fn flush(out: &mut Vec<u8>, bits: u32, count: u8) {
    let [_, first, second, third] = (bits << (6 * (4 - u32::from(count)))).to_be_bytes();
    out.extend(&[first, second, third][..usize::from(count.saturating_sub(1))]);
}

fn value(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_up_to_what_is_cut_or_damaged() {
        // The vectors of RFC 4648.
        for (text, bytes) in [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9v\r\nYg==\r\n", "foob"),
            ("Zm9vYmE=", "fooba"),
        ] {
            assert_eq!(decode(text.as_bytes()), (bytes.into(), true), "{text}");
        }
        for (text, bytes) in
            [("Zm9vYmE", "fooba"), ("Zm9vYg", "foob"), ("Zm9vY", "foo"), ("Zm9v*YmE=", "foo"), ("Zm8*", "fo")]
        {
            assert_eq!(decode(text.as_bytes()), (bytes.into(), false), "{text}");
        }
    }
}
