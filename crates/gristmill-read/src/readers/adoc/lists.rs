//! What list items begin with.

/// Kinds of list items; items of one kind make a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    /// `*`, `**`, `-`: the sign and how many.
    Bullet(u8, usize),
    /// `.`, `..`: how many; 0 for written numbers and letters.
    Number(usize),
    /// `term::`, `term:::`, `term;;`: the length of the sign.
    Term(u8, usize),
    /// `<1>`.
    Callout,
}

impl Marker {
    pub(super) fn is_ordered(self) -> bool {
        matches!(self, Self::Number(_) | Self::Callout)
    }
}

/// The marker that `line` begins with, and the bytes up to the item's text. A term is text.
pub(super) fn item(line: &str) -> Option<(Marker, usize)> {
    let text = line.trim_start();
    let blanks = line.len() - text.len();
    let (marker, len) = signs(text).or_else(|| written(text)).or_else(|| callout(text)).or_else(|| term(text))?;
    if matches!(marker, Marker::Term(..)) {
        return Some((marker, blanks));
    }
    let rest = &text[len..];
    let follows = rest.starts_with([' ', '\t']) && !rest.trim_start().is_empty();
    follows.then(|| (marker, line.len() - rest.trim_start().len()))
}

fn signs(text: &str) -> Option<(Marker, usize)> {
    let sign = text.bytes().next()?;
    let count = text.bytes().take_while(|byte| *byte == sign).take(7).count();
    match sign {
        b'*' if count <= 6 => Some((Marker::Bullet(sign, count), count)),
        b'-' if count == 1 => Some((Marker::Bullet(sign, 1), 1)),
        b'.' if count <= 6 => Some((Marker::Number(count), count)),
        _ if text.starts_with('•') => Some((Marker::Bullet(0, 1), '•'.len_utf8())),
        _ => None,
    }
}

/// `1.` and `a.`.
fn written(text: &str) -> Option<(Marker, usize)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).take(10).count();
    let len = if digits > 0 { digits } else { usize::from(text.starts_with(|c: char| c.is_ascii_alphabetic())) };
    (len > 0 && text[len..].starts_with('.')).then_some((Marker::Number(0), len + 1))
}

fn callout(text: &str) -> Option<(Marker, usize)> {
    let inner = text.strip_prefix('<')?;
    let end = inner.find('>').filter(|end| (1..=4).contains(end))?;
    let numbered = inner[..end].bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    numbered.then_some((Marker::Callout, end + 2))
}

/// A sign that ends a word, at the end of the line or before a blank. Only the first place where one could be counts.
fn term(text: &str) -> Option<(Marker, usize)> {
    let at = text.match_indices("::").chain(text.match_indices(";;")).map(|(at, _)| at).min().filter(|at| *at > 0)?;
    let sign = text.as_bytes()[at];
    let count = text[at..].bytes().take_while(|byte| *byte == sign).count();
    let after = &text[at + count..];
    let apart = after.is_empty() || after.starts_with([' ', '\t']);
    let worded = !text[..at].ends_with(char::is_whitespace) && !text.starts_with("//");
    (apart && worded && count <= 4).then_some((Marker::Term(sign, count), 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_items() {
        assert_eq!(item("* x"), Some((Marker::Bullet(b'*', 1), 2)));
        assert_eq!(item("  ** x"), Some((Marker::Bullet(b'*', 2), 5)));
        assert_eq!(item("- [ ] x"), Some((Marker::Bullet(b'-', 1), 2)));
        assert_eq!(item(".. x"), Some((Marker::Number(2), 3)));
        assert_eq!(item("12. x"), Some((Marker::Number(0), 4)));
        assert_eq!(item("<1> x"), Some((Marker::Callout, 4)));
        assert_eq!(item("CPU:: The brain"), Some((Marker::Term(b':', 2), 0)));
        assert_eq!(item("two words::"), Some((Marker::Term(b':', 2), 0)));
        for line in
            ["", "*bold* x", "-x", ".Title", "*", "a::b", "std::io is", "image::x[]", "1.5 x", ":: x", "....... x"]
        {
            assert_eq!(item(line), None, "{line}");
        }
    }
}
