//! Where a very large text can be cut so that its pieces can be read one by one.

use memchr::memmem;

/// The best place at or before `at` to end a window of UTF-8 text: just after the last blank line, else after the last
/// line end, else on a border of characters. Greater than 0 unless `at` is 0 or there are no bytes.
pub fn window_end(bytes: &[u8], at: usize) -> usize {
    if at >= bytes.len() {
        return bytes.len();
    }
    let head = &bytes[..at];
    let after = |mark: &[u8]| memmem::rfind(head, mark).map(|found| found + mark.len());
    let blank = after(b"\n\n").max(after(b"\n\r\n"));
    blank.or_else(|| after(b"\n")).or_else(|| after_lone_return(head)).unwrap_or_else(|| char_border(bytes, at))
}

/// After the last CR that a further character shows to be a line end of its own.
fn after_lone_return(head: &[u8]) -> Option<usize> {
    let whole = head.split_last().map_or(head, |(_, rest)| rest);
    memchr::memrchr(b'\r', whole).map(|found| found + 1)
}

fn char_border(bytes: &[u8], at: usize) -> usize {
    let is_border = |&at: &usize| bytes.get(at).is_none_or(|byte| byte & 0xc0 != 0x80);
    (1..=at).rev().take(4).find(is_border).or_else(|| (at..=bytes.len()).find(is_border)).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_come_before_line_ends() {
        let text = b"a\n\nb\nc\r\n\r\nd\ne";
        assert_eq!(window_end(text, 100), text.len());
        assert_eq!(window_end(text, 12), 10);
        assert_eq!(window_end(text, 10), 10);
        assert_eq!(window_end(text, 9), 3);
        assert_eq!(window_end(text, 2), 2);
        assert_eq!(window_end(b"a\nb\nc", 4), 4);
        assert_eq!(window_end(b"a\rb\rc", 4), 2);
        assert_eq!(window_end(b"a b\rc", 5), 5);
    }

    #[test]
    fn characters_stay_whole() {
        let text = "ab世界".as_bytes();
        assert_eq!((window_end(text, 3), window_end(text, 4), window_end(text, 5)), (2, 2, 5));
        assert_eq!(window_end("世界".as_bytes(), 1), 3);
        assert_eq!(window_end(b"\x80\x80\x80\x80\x80\x80\x80", 5), 7);
        assert_eq!((window_end(b"", 0), window_end(b"ab", 0)), (0, 0));
    }
}
