//! The signs that open questions and answers.

/// Which of the two a line opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Question,
    Answer,
}

const QUESTIONS: &[&str] = &[
    "q",
    "question",
    "f",
    "frage",
    "в",
    "вопрос",
    "p",
    "pregunta",
    "pergunta",
    "d",
    "domanda",
    "문",
    "질문",
    "问",
    "問",
    "问题",
    "問題",
    "質問",
];

const ANSWERS: &[&str] = &[
    "a",
    "answer",
    "antwort",
    "о",
    "ответ",
    "r",
    "respuesta",
    "resposta",
    "risposta",
    "réponse",
    "답",
    "답변",
    "答",
    "答案",
    "回答",
    "答え",
];

/// Bytes of the longest label with its number and marks.
const LONGEST: usize = 32;

/// What the line opens: `Q:`, `Q1.`, `**Question 2:**`, `문:`, `问：`.
pub(super) fn side(line: &str) -> Option<Side> {
    let line = line.trim_start_matches(['*', '_', ' ', '\t']);
    let head = &line[..line.floor_char_boundary(LONGEST)];
    let end = head.find([':', '：', '.', ')'])?;
    let label = head[..end].trim_end_matches(['*', '_', ' ', '\u{a0}']);
    // Other labels than these two also number things: `D. Miller`.
    let pointed = head[end..].starts_with(['.', ')']);
    let bare = label.trim_end_matches(|c: char| c.is_numeric()).trim_end();
    let spaced = !pointed || head[end + 1..].starts_with([' ', '\t', '*']) || head.len() == end + 1;
    if !spaced || (pointed && !matches!(bare, "Q" | "A")) {
        return None;
    }
    side_of(bare)
}

fn side_of(label: &str) -> Option<Side> {
    let lower = label.to_lowercase();
    let capital = !label.starts_with(char::is_lowercase);
    if QUESTIONS.contains(&lower.as_str()) && capital {
        return Some(Side::Question);
    }
    (ANSWERS.contains(&lower.as_str()) && capital).then_some(Side::Answer)
}

/// True when `name` is what a question or an answer is labelled with.
pub(crate) fn is_label(name: &str) -> bool {
    side_of(name.trim_end_matches(|c: char| c.is_numeric() || c == ' ')).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_many_languages() {
        for line in [
            "Q: x",
            "Q1: x",
            "Q.",
            "Q 2. x",
            "**Q:** x",
            "Question 3: x",
            "문: x",
            "问：x",
            "質問：x",
            "F: x",
            "Frage 1: x",
        ] {
            assert_eq!(side(line), Some(Side::Question), "{line}");
        }
        for line in ["A: x", "A1) x", "Answer: x", "답: x", "答：x", "Réponse : x", "**A**: x", "Ответ: x"] {
            assert_eq!(side(line), Some(Side::Answer), "{line}");
        }
        for line in ["", "Quite: x", "q: x", "A.D. 70", "A long line: x", "D. Miller", "Q", "A house. Or", "3: x"] {
            assert_eq!(side(line), None, "{line}");
        }
    }
}
