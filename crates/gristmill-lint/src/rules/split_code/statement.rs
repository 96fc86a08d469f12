//! Whether code is inside a statement, by its brackets.

/// Brackets that were opened in the lines read so far.
#[derive(Default)]
pub struct Brackets {
    /// The bracket, and the start of the line that holds it.
    open: Vec<(char, usize)>,
    /// Inside a string of several lines.
    triple: Option<(&'static str, usize)>,
}

impl Brackets {
    /// Reads one line, which begins at byte `at`.
    pub fn line(&mut self, line: &str, at: usize) {
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            if let Some((mark, _)) = self.triple {
                let Some(end) = rest.find(mark) else { return };
                self.triple = None;
                rest = &rest[end + mark.len()..];
                continue;
            }
            if let Some(mark) = ["\"\"\"", "'''"].into_iter().find(|mark| rest.starts_with(mark)) {
                self.triple = Some((mark, at));
                rest = &rest[mark.len()..];
                continue;
            }
            if rest.starts_with("# ") || rest.starts_with("// ") || rest.starts_with("-- ") {
                return;
            }
            rest = match c {
                '"' | '\'' | '`' => after_string(rest, c),
                _ => &rest[c.len_utf8()..],
            };
            self.bracket(c, at);
        }
    }

    fn bracket(&mut self, c: char, at: usize) {
        let opener = match c {
            '(' | '[' | '{' => {
                self.open.push((c, at));
                return;
            }
            ')' => '(',
            ']' => '[',
            '}' => '{',
            _ => return,
        };
        if self.open.last().is_some_and(|(open, _)| *open == opener) {
            self.open.pop();
        }
    }

    /// Where the line begins on which the statement that is open here begins. Braces hold statements: what is open inside
    /// them counts, not they.
    pub fn statement(&self) -> Option<usize> {
        if let Some((_, at)) = self.triple {
            return Some(at);
        }
        let inner = self.open.iter().rev().take_while(|(open, _)| *open != '{');
        inner.last().map(|(_, at)| *at)
    }
}

/// The text after the string that begins here; a quote that is not closed on its line is an apostrophe.
fn after_string(text: &str, quote: char) -> &str {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return &text[at + 1..];
        }
        escaped = c == '\\' && !escaped;
        if at > 400 {
            break;
        }
    }
    &text[1..]
}

/// True when a line of code cannot be the last of its statement.
pub fn goes_on(line: &str) -> bool {
    let line = line.trim_end();
    // The rows of a printed table end with a bar.
    line.ends_with('\\')
        || !line.trim_start().starts_with('|')
            && [" =", " +", " &&", " ||", " |", " ->"].iter().any(|mark| line.ends_with(mark))
}

/// True when a line of code cannot be the first of its statement.
pub fn resumes(line: &str) -> bool {
    let line = line.trim_start();
    let call = line.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
    line.starts_with([')', ']']) || line.starts_with("&& ") || line.starts_with("|| ") || call && line.contains('(')
}

/// True when a splitter took a mark inside a line of code for the end of a sentence: `console.` and `log(x)`.
pub fn is_torn(before: &str, after: &str) -> bool {
    let (before, after) = (before.trim(), after.trim());
    let remark = ["//", "/*", "* ", "# ", "-- ", "<!--"].iter().any(|mark| before.contains(mark));
    let name = after.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let named = name.len() < after.len() && name.starts_with(['(', '.', '=', '[', ';', ',', ')', '\'', '"']);
    let goes_on = match before.chars().next_back() {
        Some('.') => named || after.starts_with(['.', '/']) || after.starts_with("</"),
        Some('?') => after.starts_with([':', '.']),
        Some('!') => after.starts_with(['(', '[', '=', '"', '\'']),
        _ => false,
    };
    goes_on && !remark
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(code: &str) -> Option<usize> {
        let mut brackets = Brackets::default();
        let mut at = 0;
        for line in code.split_inclusive('\n') {
            brackets.line(line, at);
            at += line.len();
        }
        brackets.statement()
    }

    #[test]
    fn marks_inside_lines_end_no_sentence() {
        for (before, after) in [
            ("console.", "log(parent)"),
            ("import('./Admin.", "vue')"),
            ("{ foo?", ": string }"),
            ("println!", "(\"hello\");"),
            ("<p>And another one.", "</p>"),
        ] {
            assert!(is_torn(before, after), "{before}{after}");
        }
        for (before, after) in
            [("// Then it stops.", "run()"), ("Done.", "$ make all"), ("echo done.", "echo more"), ("x = 1", "y(2)")]
        {
            assert!(!is_torn(before, after), "{before} {after}");
        }
        assert!(!goes_on("| a | 1 |") && goes_on("ls |"));
    }

    #[test]
    fn statements_are_open_in_brackets() {
        assert_eq!(open("a = 1\nf(\n    x,"), Some(6));
        assert_eq!(open("f(x)\n"), None);
        assert_eq!(open("run(() => {\n  a();\n"), None);
        assert_eq!(open("run(() => {\n  a(b,\n"), Some(12));
        assert_eq!(open("print(\"(\")\n"), None);
        assert_eq!(open("# a (remark\nx = 1"), None);
        assert_eq!(open("it's (fine)\n"), None);
        assert_eq!(open("def f():\n    \"\"\"Says\n"), Some(9));
    }
}
