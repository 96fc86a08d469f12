//! Which preset suits some documents, from their names and first lines.

use std::collections::BTreeSet;

use super::Preset;

/// The name of a document and how it begins. The first few thousand characters are enough.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// File name or path.
    pub name: &'a str,
    /// Its first lines; empty where they are not at hand.
    pub start: &'a str,
}

/// A proposal, with what it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The preset.
    pub preset: Preset,
    /// Documents that look like it.
    pub votes: usize,
    /// Documents that look like anything.
    pub of: usize,
}

impl Guess {
    /// True when more than half of the telling documents look like it.
    pub fn is_clear(&self) -> bool {
        2 * self.votes > self.of
    }
}

/// The preset that more than half of the telling documents ask for, else `docs`; none where no document tells anything.
pub fn guess_preset(samples: &[Sample<'_>]) -> Option<Guess> {
    let votes: Vec<Preset> = samples.iter().filter_map(vote).collect();
    let count = |preset| votes.iter().filter(|vote| **vote == preset).count();
    let ahead = Preset::ALL.into_iter().find(|preset| 2 * count(*preset) > votes.len());
    let preset = ahead.unwrap_or(Preset::Docs);
    (!votes.is_empty()).then(|| Guess { preset, votes: count(preset), of: votes.len() })
}

/// Lines looked at.
const LINES: usize = 300;

/// Extensions of source code.
const CODE: [&str; 30] = [
    "bash", "c", "cc", "cpp", "cs", "ex", "go", "h", "hpp", "hs", "java", "jl", "js", "jsx", "kt", "lua", "m", "php",
    "pl", "py", "r", "rb", "rs", "scala", "sh", "sql", "swift", "ts", "tsx", "zig",
];

/// Words of a name that tell the kind of text.
const NAMES: [(Preset, &[&str]); 4] = [
    (Preset::Faq, &["faq", "faqs"]),
    (Preset::Legal, &["contract", "agreement", "terms", "policy", "policies", "privacy", "legal", "law", "license"]),
    (Preset::Chat, &["chat", "conversation", "transcript", "messages"]),
    (Preset::Paper, &["paper", "preprint", "thesis"]),
];

/// Phrases of contracts and laws.
const LEGAL: [&str; 20] = [
    "hereby",
    "herein",
    "hereinafter",
    "pursuant to",
    "notwithstanding",
    "governing law",
    "indemnif",
    "liability",
    "the parties",
    "third part",
    "this agreement",
    "this policy",
    "privacy policy",
    "personal information",
    "personally identifiable",
    "terms of use",
    "shall not",
    "§",
    "第一条",
    "甲方",
];

fn vote(sample: &Sample<'_>) -> Option<Preset> {
    let name = sample.name.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
    let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, ""));
    if CODE.contains(&extension) {
        return Some(Preset::Code);
    }
    let words: BTreeSet<&str> = stem.split(|c: char| !c.is_alphanumeric()).collect();
    let named = NAMES.iter().find(|(_, names)| names.iter().any(|name| words.contains(name)));
    named.map(|(preset, _)| *preset).or_else(|| read(sample.start))
}

/// What the first lines look like.
fn read(start: &str) -> Option<Preset> {
    let lines: Vec<&str> = start.lines().take(LINES).map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() {
        return None;
    }
    let text = lines.join("\n").to_lowercase();
    let looks = [
        (Preset::Faq, is_faq(&lines)),
        (Preset::Chat, is_chat(&lines)),
        (Preset::Legal, LEGAL.iter().filter(|phrase| text.contains(**phrase)).count() >= 4),
        (Preset::Paper, is_paper(&lines, &text)),
        (Preset::Book, is_book(&lines)),
    ];
    looks.into_iter().find(|(_, holds)| *holds).map(|(preset, _)| preset).or(Some(Preset::Docs))
}

/// Most lines are turns, and at least two speak.
fn is_chat(lines: &[&str]) -> bool {
    let speakers: Vec<&str> = lines.iter().filter_map(|line| speaker(line)).collect();
    let distinct: BTreeSet<&str> = speakers.iter().copied().collect();
    speakers.len() >= 4
        && 2 * speakers.len() >= lines.len()
        && distinct.len() >= 2
        && 2 * distinct.len() <= speakers.len()
}

/// The name in `Ann: hello` or `<Ann> hello`, after a time in brackets or none.
fn speaker(line: &str) -> Option<&str> {
    let timed = line.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or(line, |(_, rest)| rest.trim());
    let (name, _) = match timed.strip_prefix('<') {
        Some(rest) => rest.split_once('>')?,
        None => timed.split_once([':', '：'])?,
    };
    let plain = name.chars().all(|c| c.is_alphanumeric() || " _-.*|`[]^".contains(c));
    (plain && !name.is_empty() && name.split_whitespace().count() <= 3).then_some(name)
}

/// At least three questions stand as headings or after `Q:`, and they are half of what stands there.
fn is_faq(lines: &[&str]) -> bool {
    let asked = |line: &&&str| {
        let line = line.trim_start_matches(['#', '*', ' ']);
        ["q:", "q.", "问：", "问:", "질문:", "質問："].iter().any(|mark| line.to_lowercase().starts_with(mark))
    };
    let headings: Vec<&&str> = lines.iter().filter(|line| line.starts_with('#')).collect();
    let ends = |line: &&&&str| line.trim_end_matches(['*', '#', ' ']).ends_with(['?', '？', '؟']);
    let questions = headings.iter().filter(ends).count();
    lines.iter().filter(asked).count() >= 3 || (questions >= 3 && 2 * questions >= headings.len())
}

/// An abstract, and another mark of a paper.
fn is_paper(lines: &[&str], text: &str) -> bool {
    let is_abstract = |line: &&str| {
        let line = line.trim_start_matches(['#', '*', ' ']).to_lowercase();
        line.starts_with("abstract") || line.starts_with("摘要")
    };
    let marks = ["doi", "arxiv", "et al.", "keywords", "introduction", "references", "关键词"];
    lines.iter().any(is_abstract) && marks.iter().filter(|mark| text.contains(**mark)).count() >= 2
}

/// Numbered chapters, or long paragraphs with nothing between them.
fn is_book(lines: &[&str]) -> bool {
    let chapter = |line: &&&str| {
        let line = line.trim_start_matches(['#', ' ']).to_lowercase();
        let counted =
            |rest: &str| rest.trim().trim_end_matches('.').chars().all(|c| c.is_ascii_digit() || "ivxlc".contains(c));
        let chinese =
            line.strip_prefix('第').is_some_and(|rest| rest.chars().take(6).any(|c| matches!(c, '章' | '回')));
        line.strip_prefix("chapter ").and_then(|rest| rest.split([':', '—', '-']).next()).is_some_and(counted)
            || chinese
    };
    if lines.iter().filter(chapter).count() >= 2 {
        return true;
    }
    let marked = lines.iter().filter(|line| line.starts_with(['#', '-', '*', '|', '`', '=', '.', '<'])).count();
    let characters: usize = lines.iter().map(|line| line.chars().count()).sum();
    marked == 0 && lines.len() >= 3 && characters >= 400 * lines.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(name: &str, start: &str) -> Option<Preset> {
        guess_preset(&[Sample { name, start }]).map(|guess| guess.preset)
    }

    #[test]
    fn names_and_first_lines_tell_the_kind() {
        assert_eq!(one("src/main.rs", ""), Some(Preset::Code));
        assert_eq!(one("help/FAQ.md", ""), Some(Preset::Faq));
        assert_eq!(one("privacy-policy.md", ""), Some(Preset::Legal));
        assert_eq!(one("guide.md", "# Guide\n\n## Install\n\nRun the command.\n"), Some(Preset::Docs));
        assert_eq!(one("scan.pdf", ""), None);
        assert_eq!(
            one("a.md", "# Help\n## Can I pay later?\nYes.\n## How?\nSo.\n## When？\nNow.\n"),
            Some(Preset::Faq)
        );
        assert_eq!(one("a.txt", "Q: Why?\nA: So.\nQ: How?\nA: Thus.\nQ: When?\nA: Now.\n"), Some(Preset::Faq));
        assert_eq!(
            one("log.txt", "[10:01] Ann: hello\n[10:02] Bo: hi\n[10:03] Ann: all well?\n[10:04] Bo: yes\n"),
            Some(Preset::Chat)
        );
        let relay = "[12:18] <Ann|home> hello\n[12:18] <Bo> hi\n[12:19] <Ann|home> all well?\n[12:20] <Bo> yes\n";
        assert_eq!(one("2004.txt", relay), Some(Preset::Chat));
        let contract =
            "The parties hereby agree. Pursuant to section 2 the seller shall not sell.\nGoverning law: none.";
        assert_eq!(one("a.md", contract), Some(Preset::Legal));
        let paper = "# On pumps\n\nAbstract. We measure pumps.\n\nKeywords: pumps\n\n1 Introduction\n";
        assert_eq!(one("a.md", paper), Some(Preset::Paper));
        assert_eq!(one("a.txt", "Chapter 1\nIt rained.\nChapter II: The sun\nIt shone.\n"), Some(Preset::Book));
        let prose = format!("{}\n", "It rained and the river rose. ".repeat(20)).repeat(3);
        assert_eq!(one("a.txt", &prose), Some(Preset::Book));
    }

    #[test]
    fn the_majority_decides_else_documentation() {
        let sample = |name| Sample { name, start: "" };
        let code = [sample("a.py"), sample("b.py"), sample("faq.md"), sample("x.bin")];
        assert_eq!(guess_preset(&code), Some(Guess { preset: Preset::Code, votes: 2, of: 3 }));
        let mixed = [sample("a.py"), sample("faq.md")];
        assert_eq!(guess_preset(&mixed), Some(Guess { preset: Preset::Docs, votes: 0, of: 2 }));
        assert_eq!(guess_preset(&[]), None);
    }
}
