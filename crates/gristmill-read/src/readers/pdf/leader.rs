//! Lines of a table of contents: a title, dots that lead to the margin, the number of a page.

/// What is left of the dots.
const SHORT: &str = " … ";

/// True for text with a row of dots.
pub(super) fn has_leader(text: &str) -> bool {
    [". . .", "....", "·····", "……", SHORT].iter().any(|dots| text.contains(dots))
}

/// True for a whole entry: dots, and a page's number at the end.
pub(super) fn is_entry(text: &str) -> bool {
    let last = text.trim_end().rsplit(' ').next().unwrap_or_default();
    // The dots may run up to the number.
    let ends = ["...", "···", "…"].map(|dots| last.rfind(dots).map_or(0, |at| at + dots.len()));
    let last = last.get(ends.into_iter().max().unwrap_or(0)..).unwrap_or_default();
    let number =
        (1..=6).contains(&last.len()) && last.bytes().all(|b| b.is_ascii_digit() || b"ivxlcIVXLC-".contains(&b));
    number && has_leader(text)
}

/// The text with each row of dots as one sign.
pub(super) fn shortened(text: &str) -> String {
    let is_dot = |c: char| matches!(c, '.' | '·' | '…');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_dot) {
        let (before, from) = rest.split_at(at);
        let row = from.find(|c: char| !is_dot(c) && c != ' ').unwrap_or(from.len());
        let (dots, after) = from.split_at(row);
        out.push_str(before);
        if dots.chars().filter(|c| is_dot(*c)).count() >= 3 {
            out.truncate(out.trim_end().len());
            out.push_str(SHORT);
        } else {
            out.push_str(dots);
        }
        rest = after;
    }
    out.push_str(rest);
    out.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_dots_are_short() {
        for (given, made) in [
            ("1.1 Scope . . . . . . . 2", "1.1 Scope … 2"),
            ("Authors. . . . . xi", "Authors … xi"),
            ("Valves..........14", "Valves … 14"),
        ] {
            assert!(is_entry(given), "{given}");
            assert_eq!(shortened(given), made);
        }
        for text in ["And so on ...", "No. 7 of 1.2.3", "He said . . . nothing", "2.. 3", "978/09/06. . . $5.00"] {
            assert!(!is_entry(text), "{text}");
        }
    }
}
