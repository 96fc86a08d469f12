//! The members of objects in JSON that is known to be right, with their places.

use std::ops::Range;

use memchr::memchr2;

/// A member of an object.
pub(super) struct Member {
    pub(super) key: String,
    /// From the first byte of the key to the last of the value.
    pub(super) whole: Range<usize>,
    /// Between key and value: the colon with what is around it.
    pub(super) colon: Range<usize>,
    pub(super) value: Range<usize>,
}

/// The members of the object that begins at `start`, in order; none of anything else.
pub(super) fn of(json: &[u8], start: usize) -> Vec<Member> {
    let mut members = Vec::new();
    if json.get(start) != Some(&b'{') {
        return members;
    }
    let mut at = blank(json, start + 1);
    while json.get(at) == Some(&b'"') {
        let key_end = string(json, at);
        let value_start = blank(json, blank(json, key_end) + 1);
        let value_end = value(json, value_start);
        members.push(Member {
            key: json.get(at..key_end).and_then(|key| serde_json::from_slice(key).ok()).unwrap_or_default(),
            whole: at..value_end,
            colon: key_end..value_start,
            value: value_start..value_end,
        });
        at = blank(json, value_end);
        if json.get(at) != Some(&b',') {
            break;
        }
        at = blank(json, at + 1);
    }
    members
}

/// One past the string that begins at `start`.
pub(super) fn string(json: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(found) = memchr2(b'"', b'\\', json.get(at..).unwrap_or_default()) {
        if json.get(at + found) == Some(&b'"') {
            return at + found + 1;
        }
        at += found + 2;
    }
    json.len()
}

/// One past the value that begins at `start`.
fn value(json: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0_usize);
    while let Some(byte) = json.get(at) {
        match byte {
            b'"' => {
                at = string(json, at);
                if depth == 0 {
                    return at;
                }
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' | b',' | b' ' | b'\t' | b'\r' | b'\n' if depth == 0 => return at,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    at
}

fn blank(json: &[u8], start: usize) -> usize {
    let rest = json.get(start..).unwrap_or_default();
    start + rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')).count()
}
