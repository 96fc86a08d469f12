//! The few pieces of Markdown that a report is made of.

/// A Markdown text that grows by whole blocks.
#[derive(Default)]
pub(crate) struct Page(String);

impl Page {
    pub(crate) fn heading(&mut self, level: usize, title: &str) {
        self.block(&format!("{} {title}", "#".repeat(level)));
    }

    /// Any block: a paragraph, a list, a code block.
    pub(crate) fn block(&mut self, text: &str) {
        if !self.0.is_empty() {
            self.0.push('\n');
        }
        self.0.push_str(text);
        self.0.push('\n');
    }

    /// A table. A column whose title ends with `:` holds numbers and stands to the right.
    pub(crate) fn table<const N: usize>(&mut self, titles: [&str; N], rows: impl IntoIterator<Item = [String; N]>) {
        let border = titles.map(|title| if title.ends_with(':') { "---:" } else { "---" });
        let mut lines = vec![line(titles.map(|title| title.trim_end_matches(':'))), line(border)];
        lines.extend(rows.into_iter().map(|cells| line(cells.each_ref().map(String::as_str))));
        self.block(&lines.join("\n"));
    }

    pub(crate) fn finish(self) -> String {
        self.0
    }
}

fn line<const N: usize>(cells: [&str; N]) -> String {
    format!("| {} |", cells.join(" | "))
}

/// Where a text is to stand: in a table a bar would end the cell, in code as well.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Cell,
    Line,
}

/// A name, path or value as code.
pub(crate) fn code(text: &str, place: Place) -> String {
    let text = one_line(text);
    let text = if place == Place::Cell { text.replace('|', "\\|") } else { text };
    if text.is_empty() {
        return String::new();
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    if longest == 0 {
        return format!("`{text}`");
    }
    let fence = "`".repeat(longest + 1);
    format!("{fence} {text} {fence}")
}

/// A message: names between a pair of backticks become code, and nothing else of it is taken for Markdown or HTML.
pub(crate) fn prose(text: &str, place: Place) -> String {
    let text = one_line(text);
    let pieces = text.split('`').collect::<Vec<_>>();
    let paired = pieces.len() % 2 == 1 && pieces.iter().skip(1).step_by(2).all(|name| !name.is_empty());
    if !paired {
        return escaped(&text);
    }
    let pieces = pieces.iter().enumerate();
    pieces.map(|(i, piece)| if i % 2 == 0 { escaped(piece) } else { code(piece, place) }).collect()
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let inner = |other: Option<&char>| other.is_some_and(|c| c.is_alphanumeric());
        let special = match c {
            // Between letters it is no mark of emphasis.
            '_' => !(before.is_alphanumeric() && inner(chars.peek())),
            _ => "\\`*[]<>|~&".contains(c),
        };
        if special {
            out.push('\\');
        }
        out.push(c);
        before = c;
    }
    out
}

/// Line ends and control characters as blanks.
fn one_line(text: &str) -> String {
    let clean = text.chars().map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c });
    clean.collect::<String>().trim().to_owned()
}

/// A whole number with its thousands apart.
pub(crate) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number with its noun, in the plural where it has one.
pub(crate) fn count(n: u64, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", number(n))
}

/// A share of 0 to 1 in percent; a dash where there is none.
pub(crate) fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

/// A figure with its decimals; a dash where there is none.
pub(crate) fn figure(figure: Option<f64>) -> String {
    figure.map_or_else(|| "–".to_owned(), |figure| format!("{figure:.1}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_stays_one_cell() {
        assert_eq!(code("a|b.md", Place::Cell), "`a\\|b.md`");
        assert_eq!(code("a|b.md", Place::Line), "`a|b.md`");
        assert_eq!(code("odd``name\n.md", Place::Cell), "``` odd``name .md ```");
        assert_eq!(prose("a | b\r\nc", Place::Cell), "a \\| b  c");
    }

    #[test]
    fn names_in_a_message_are_code_and_the_rest_is_text() {
        assert_eq!(prose("unknown key: `a_*`", Place::Line), "unknown key: `a_*`");
        assert_eq!(prose("one ` only", Place::Line), "one \\` only");
        assert_eq!(prose("```", Place::Line), "\\`\\`\\`");
        assert_eq!(
            prose("<b>*x*</b> [l](u) snake_case _x_", Place::Line),
            "\\<b\\>\\*x\\*\\</b\\> \\[l\\](u) snake_case \\_x\\_"
        );
    }

    #[test]
    fn figures_are_readable() {
        assert_eq!([number(0), number(999), number(1000), number(1_234_567)], ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            (percent(Some(0.125)), percent(None), figure(Some(2.0))),
            ("12.5 %".into(), "–".into(), "2.0".into())
        );
        assert_eq!((count(1, "chunk"), count(2, "chunk")), ("1 chunk".into(), "2 chunks".into()));
    }
}
