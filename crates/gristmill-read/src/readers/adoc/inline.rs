//! Titles without their inline markup.

/// Bytes of a title that may have markup; what is longer is no title one writes, and brackets in it cost time.
const LONGEST: usize = 2000;

/// The words of `text`: marks of emphasis and anchors go, links give their text.
pub(super) fn plain(text: &str) -> String {
    if text.len() > LONGEST {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['[', '<']) {
        out.push_str(&rest[..at]);
        let (shown, after) = bracketed(&mut out, &rest[at..]);
        out.push_str(shown);
        rest = after;
    }
    out.push_str(rest);
    unmarked(&out)
}

/// What the brackets at the start of `text` show, and what follows them. The target of a link before them is taken off.
fn bracketed<'t>(before: &mut String, text: &'t str) -> (&'t str, &'t str) {
    let pair = |open: &str, close: &str| {
        let inner = text.strip_prefix(open)?;
        let end = inner.find(close)?;
        Some((&inner[..end], &inner[end + close.len()..]))
    };
    if let Some((_, after)) = pair("[[", "]]") {
        return ("", after);
    }
    if let Some((target, after)) = pair("<<", ">>") {
        return (target.split_once(',').map_or(target, |(_, shown)| shown.trim()), after);
    }
    let target = before.trim_end_matches(|c: char| !c.is_whitespace()).len();
    let is_link = before[target..].contains("://")
        || before[target..].starts_with("link:")
        || before[target..].starts_with("xref:");
    match pair("[", "]").filter(|_| is_link) {
        Some(found) => {
            before.truncate(target);
            found
        }
        None => text.split_at(1),
    }
}

/// Marks go where they stand at the edge of a word.
fn unmarked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let edge = !before.is_alphanumeric() || rest.peek().is_none_or(|next| !next.is_alphanumeric());
        before = c;
        if c == '`' || (matches!(c, '*' | '_' | '#') && edge) {
            continue;
        }
        out.push(c);
    }
    out.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn markup_goes_and_words_stay() {
        for (text, words) in [
            ("Plain title", "Plain title"),
            ("The `run` *command* and snake_case", "The run command and snake_case"),
            ("[[top]]Start", "Start"),
            ("See <<top,the start>> or <<end>>", "See the start or end"),
            ("Use https://example.org[the site] now", "Use the site now"),
            ("An array[0] of link:x.html[x]", "An array[0] of x"),
            ("a < b", "a < b"),
        ] {
            assert_eq!(plain(text), words);
        }
    }
}
