//! Thai has no mark for the end of a sentence: a space may be one.

use super::chars::{char_at, is_thai, skip_white};

/// Words with which polite sentences end.
const FINAL_PARTICLES: &str = "ครับ ค่ะ คะ นะ จ้ะ จ้า จ๊ะ ครับผม ฮะ เถอะ สิ ล่ะ";

/// Words that end like a particle.
const NOT_PARTICLES: &str = "ชนะ ฐานะ สถานะ คณะ";

/// Words that a clause does not end with.
const UNFINISHED: &str = "และ หรือ ที่ ซึ่ง ของ ว่า โดย เป็น ใน จาก กับ ให้";

/// Words that go on with the clause before the space.
const JOINING: &str = "และ หรือ ที่ ซึ่ง ของ ได้แก่ เช่น กับ คือ เป็น ใน จาก";

/// From this length on, in characters, a space between clauses is taken for the end of a sentence.
const LONG: usize = 80;

/// Where the run of Thai letters at `at` ends.
pub(super) fn run_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = at;
    while let (Some(0xe0), Some(0xb8 | 0xb9)) = (bytes.get(at), bytes.get(at + 1)) {
        at += 3;
    }
    at
}

/// Where the next sentence begins if the space after the run that ends at `end` is an end: after a final particle,
/// or between two clauses when the sentence since `sentence` is already long.
pub(super) fn sentence_after(text: &str, sentence: usize, start: usize, end: usize) -> Option<usize> {
    let next = skip_white(text, end);
    let after = text.get(next..)?;
    if next == end || after.is_empty() {
        return None;
    }
    let run = text.get(start..end)?;
    let ends_with_one_of = |words: &str| words.split_ascii_whitespace().any(|word| run.ends_with(word));
    if ends_with_one_of(FINAL_PARTICLES) && !ends_with_one_of(NOT_PARTICLES) && begins_word(text, next) {
        return Some(next);
    }
    let long = end - sentence > LONG * 3 || text.get(sentence..end)?.chars().take(LONG + 1).count() > LONG;
    let clause = char_at(text, next).is_some_and(|c| is_thai(c) && !matches!(c, 'ๆ' | 'ฯ')) && !run.ends_with('ๆ');
    let joined = JOINING.split_ascii_whitespace().any(|word| after.starts_with(word)) || ends_with_one_of(UNFINISHED);
    (long && clause && !joined).then_some(next)
}

fn begins_word(text: &str, at: usize) -> bool {
    char_at(text, at).is_some_and(|c| c.is_alphanumeric() || matches!(c, '"' | '“' | '('))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_after_a_particle_ends_a_sentence() {
        let text = "สวัสดีครับ ผม";
        let end = run_end(text, 0);
        assert_eq!(&text[..end], "สวัสดีครับ");
        assert_eq!(sentence_after(text, 0, 0, end), Some(end + 1));
    }

    #[test]
    fn words_that_only_look_like_particles() {
        let text = "เราชนะ เขาแพ้";
        assert_eq!(sentence_after(text, 0, 0, run_end(text, 0)), None);
    }

    #[test]
    fn other_spaces_end_only_long_sentences() {
        let short = "ฝนตก เรา";
        assert_eq!(sentence_after(short, 0, 0, run_end(short, 0)), None);
        let long = format!("{} เรา", "ก".repeat(81));
        assert_eq!(sentence_after(&long, 0, 0, 243), Some(244));
        let joined = format!("{} และ", "ก".repeat(81));
        assert_eq!(sentence_after(&joined, 0, 0, 243), None);
    }
}
