//! Code fences.

use super::line::without_containers;

/// An open code fence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fence {
    /// `` ` `` or `~`.
    pub mark: char,
    /// How many of them.
    pub len: usize,
    /// The text after them: language and attributes.
    pub info: String,
    /// What stands in front of the fence on its line, with the mark of a list item as blanks, so that a line written with
    /// it is in the same list or quote.
    pub prefix: String,
    /// The fence line is the first of a piece: what indented it may be lost.
    pub stripped: bool,
}

impl Fence {
    /// The fence that a line opens.
    pub fn opened_by(line: &str) -> Option<Self> {
        let rest = without_containers(line);
        let (mark, len) = run(rest)?;
        let info = rest[len..].trim();
        if mark == '`' && info.contains('`') || reads_like_prose(info) {
            return None;
        }
        let before = &line[..line.len() - rest.len()];
        let prefix = before.chars().map(|c| if matches!(c, '>' | '\t' | ' ') { c } else { ' ' }).collect();
        Some(Self { mark, len, info: info.to_owned(), prefix, stripped: false })
    }

    /// True when a line closes the fence.
    pub fn is_closed_by(&self, line: &str) -> bool {
        let rest = line.trim_start_matches([' ', '\t', '>']);
        let deeper = width(&line[..line.len() - rest.len()]) >= width(&self.prefix) + 4;
        let marks = run(rest);
        marks.is_some_and(|(mark, len)| mark == self.mark && len >= self.len && rest[len..].trim().is_empty())
            && (self.stripped || !deeper)
    }

    /// The line that opens the fence.
    pub fn opening(&self) -> String {
        format!("{}{}{}", self.prefix, self.marks(), self.info)
    }

    /// The line that closes it.
    pub fn closing(&self) -> String {
        format!("{}{}", self.prefix, self.marks())
    }

    fn marks(&self) -> String {
        std::iter::repeat_n(self.mark, self.len).collect()
    }
}

/// The marks of a fence line, whether it opens or closes: kind, number, info string.
pub fn marks(line: &str) -> Option<(char, usize, &str)> {
    let rest = without_containers(line);
    let (mark, len) = run(rest)?;
    let info = rest[len..].trim();
    (!(mark == '`' && info.contains('`') || reads_like_prose(info))).then_some((mark, len, info))
}

/// How far a line is indented; a tab is four.
fn width(prefix: &str) -> usize {
    prefix.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

/// The run of fence marks at the start of a line.
fn run(line: &str) -> Option<(char, usize)> {
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let len = line.bytes().take_while(|byte| *byte == mark as u8).count();
    (len >= 3).then_some((mark, len))
}

/// A sentence that happens to begin with fence marks: several plain words and no attributes.
fn reads_like_prose(info: &str) -> bool {
    let plain = !info.contains(['{', '}', '=', ':', '"', ',', '[', '/', '(']);
    plain && info.split_whitespace().count() >= 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_inside_code_is_indented() {
        let open = Fence::opened_by("``` md").expect("a fence");
        assert!(open.is_closed_by("   ```"));
        assert!(!open.is_closed_by("    ```"));
        let stripped = Fence { stripped: true, ..open };
        assert!(stripped.is_closed_by("        ```"));
        let listed = Fence::opened_by("1. ```sh").expect("a fence");
        assert!(listed.is_closed_by("   ```"));
        assert_eq!(listed.opening(), "   ```sh");
    }
}
