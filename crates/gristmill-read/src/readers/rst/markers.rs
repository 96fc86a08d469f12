//! What list items begin with.

/// Kinds of list items; items of one kind make a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    Bullet(char),
    /// The character after the number, or the bracket before it.
    Number(char),
    Field,
    /// A line with a more indented one after it.
    Term,
}

/// The marker at the start of `text` and the bytes up to what follows it.
pub(super) fn of(text: &str) -> Option<(Marker, usize)> {
    let (marker, len) = bullet(text).or_else(|| number(text)).or_else(|| field(text))?;
    let rest = &text[len..];
    if !rest.is_empty() && !rest.starts_with([' ', '\t']) {
        return None;
    }
    Some((marker, text.len() - rest.trim_start().len()))
}

fn bullet(text: &str) -> Option<(Marker, usize)> {
    let sign = text.chars().next().filter(|sign| matches!(sign, '*' | '+' | '-' | '•' | '‣' | '⁃'))?;
    Some((Marker::Bullet(sign), sign.len_utf8()))
}

/// `1.`, `#.`, `a)`, `(iv)`.
fn number(text: &str) -> Option<(Marker, usize)> {
    let open = usize::from(text.starts_with('('));
    let counter = &text[open..];
    let len = counter.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').take(9).count();
    let sign = counter[len..].chars().next().filter(|sign| *sign == ')' || (*sign == '.' && open == 0))?;
    let sign = if open == 1 { '(' } else { sign };
    is_counter(&counter[..len]).then_some((Marker::Number(sign), open + len + 1))
}

fn is_counter(text: &str) -> bool {
    let all = |letters: &str| text.chars().all(|c| letters.contains(c));
    let roman = all("IVXLCDM") || all("ivxlcdm");
    match text.len() {
        0 => false,
        1 => true,
        _ => text.bytes().all(|byte| byte.is_ascii_digit()) || roman,
    }
}

/// `:name:`; a role before a text in backquotes is none.
fn field(text: &str) -> Option<(Marker, usize)> {
    let inner = text.strip_prefix(':')?;
    let end = inner.find(": ").or_else(|| inner.ends_with(':').then(|| inner.len() - 1))?;
    let name = &inner[..end];
    let fits = !name.is_empty() && name.len() <= 80 && !name.starts_with([' ', ':']) && !name.contains('`');
    fits.then_some((Marker::Field, end + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_items() {
        assert_eq!(of("- x"), Some((Marker::Bullet('-'), 2)));
        assert_eq!(of("*   x"), Some((Marker::Bullet('*'), 4)));
        assert_eq!(of("-"), Some((Marker::Bullet('-'), 1)));
        assert_eq!(of("12. x"), Some((Marker::Number('.'), 4)));
        assert_eq!(of("#) x"), Some((Marker::Number(')'), 3)));
        assert_eq!(of("(iv) x"), Some((Marker::Number('('), 5)));
        assert_eq!(of(":param int x: the x"), Some((Marker::Field, 14)));
        assert_eq!(of(":orphan:"), Some((Marker::Field, 8)));
        for text in ["", "*em* x", "and. x", ":ref:`x`: y", "1.5", "::", ": x", "(a b)", "-x"] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
