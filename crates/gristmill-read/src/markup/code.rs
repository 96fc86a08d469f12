//! Code spans and fences: marks that nothing inside can close.

/// The length of the longest run of `mark` in `text`.
pub(super) fn longest_run(text: &str, mark: u8) -> usize {
    let (mut longest, mut run) = (0, 0);
    for byte in text.bytes() {
        run = if byte == mark { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// A code span that shows `code`; line ends become blanks. Empty for blank code.
pub(super) fn span(code: &str) -> String {
    let code: String = code.split_whitespace().collect::<Vec<_>>().join(" ");
    if code.is_empty() {
        return code;
    }
    let marks = "`".repeat(free_run(&code));
    let pad = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
    format!("{marks}{pad}{code}{pad}{marks}")
}

/// The smallest number of backticks that does not occur as a run in `code`.
fn free_run(code: &str) -> usize {
    let mut taken = [false; 8];
    let mut run = 0;
    for byte in code.bytes().chain([b' ']) {
        if byte == b'`' {
            run += 1;
        } else {
            if let Some(slot) = taken.get_mut(run) {
                *slot = true;
            }
            run = 0;
        }
    }
    (1..8).find(|&len| !taken[len]).unwrap_or_else(|| longest_run(code, b'`') + 1)
}

/// The word after the opening fence: the language without what would end or confuse it.
pub(super) fn info(language: &str) -> String {
    let word = language.split_whitespace().next().unwrap_or_default();
    word.chars().filter(|c| !matches!(c, '`' | '\\' | '&') && !c.is_control()).collect()
}
