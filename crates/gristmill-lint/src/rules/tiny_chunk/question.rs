//! Questions.

/// What stands before the colon of a question.
const LABELS: &[&str] = &[
    "q",
    "question",
    "frage",
    "pregunta",
    "pergunta",
    "domanda",
    "вопрос",
    "问",
    "問",
    "问题",
    "問題",
    "質問",
    "질문",
    "سؤال",
    "السؤال",
    "שאלה",
    "คำถาม",
    "प्रश्न",
];

/// True for text that ends with a question, or is one line that is called a question.
pub fn asks(text: &str) -> bool {
    let text = text.trim().trim_matches(['*', '_', '#', ' ']);
    let quoted = text.trim_end_matches(['"', '\'', '”', '’', '»', '」', '』', ')', '）']);
    quoted.ends_with(['?', '？', '؟']) || !text.contains('\n') && is_labelled(text)
}

fn is_labelled(line: &str) -> bool {
    let start = line.trim_start_matches(['-', '*', '_', '>', ' ']);
    let Some((label, _)) = start.split_once([':', '：']) else { return false };
    let label =
        label.trim_matches(['*', '_', ' ', '\u{a0}']).trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    label.len() <= 40 && LABELS.contains(&label.trim_end().to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_seen() {
        for text in
            ["How?", "**How?**", "Q: How", "**Question 3:** how", "问：如何", "질문: 왜", "سؤال: كيف", "Frage: wie"]
        {
            assert!(asks(text), "{text}");
        }
        for text in ["A: so", "Quality: good", "Ask? Or do not.", "Q: how\nA: so"] {
            assert!(!asks(text), "{text}");
        }
    }
}
