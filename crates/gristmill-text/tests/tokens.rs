//! Token counts against an independent implementation of the same encodings, and against their definition.

mod counts;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use bpe_openai::Tokenizer;
use proptest::prelude::*;

use counts::encodings;

/// Compares the counts of `text` and of its pieces of a thousand bytes.
fn compare(name: &str, text: &str) {
    counts::compare(name, text, 1000);
}

/// Texts in which every kind of piece occurs.
const TEXTS: &[(&str, &str)] = &[
    (
        "prose",
        "It's a grist mill: it doesn't stop, we'LL see. The miller’s naïve café \u{2014} 1,234.50 €, 100 % “done”…",
    ),
    ("white space", "a\n\n\n  b \t\t c\r\n\r\n   \n d\u{a0}\u{a0}e\u{2028}\u{2028} f   \u{3000}　g\u{85}h    "),
    ("code", "fn main() {\n    let x: Vec<u8> = vec![0; 4096]; // TODO\n\n\treturn;\n}\n//\n//\n/* x */\n"),
    ("Chinese", "磨坊把谷物磨成面粉。数据越干净，检索就越准确！第１２３章：分块、覆盖与校验。"),
    ("Japanese", "製粉所は穀物を挽いて粉にします。データがきれいなら、検索はもっと正確になる。ｶﾀｶﾅとﾊﾝｶｸ。"),
    ("Korean", "방앗간은 곡식을 빻아 가루로 만든다. 데이터가 깨끗할수록 검색이 정확해진다."),
    ("Hindi", "चक्की अनाज को पीसकर आटा बनाती है। १२३४५ रुपये"),
    ("Thai", "โรงสีบดธัญพืชให้เป็นแป้ง ข้อมูลที่สะอาดทำให้ค้นหาได้แม่นยำ"),
    ("Arabic", "تطحن الطاحونة الحبوب لتصنع الدقيق، وكلما كانت البيانات أنظف كان البحث أدق. ١٢٣"),
    ("emoji", "👨‍👩‍👧‍👦🇩🇪🏳️‍🌈 🙂🙂🙂 ☕️\u{200d}x"),
    ("cases", "XMLHttpRequest iPhone ǅungla ŐTÜZ 中ABC中abc ªº ʰʷ n\u{303}N\u{303}O 'ſt 'S 'Ll"),
    ("numbers", "1 12 123 1234 12345678901234567890 ²³½ Ⅷ 〇二"),
    ("special", "<|endoftext|><|im_start|>user<|fim_prefix|>"),
];

#[test]
fn every_kind_of_text_counts_the_same() {
    for (name, text) in TEXTS {
        compare(name, text);
        compare(name, &text.repeat(50));
    }
}

#[test]
fn every_cut_of_a_text_counts_the_same() {
    for (name, text) in TEXTS {
        for (at, _) in text.char_indices() {
            for (ours, theirs) in encodings() {
                assert_eq!(ours.size(&text[at..]), theirs.count(&text[at..]), "{name} from {at}");
                assert_eq!(ours.size(&text[..at]), theirs.count(&text[..at]), "{name} to {at}");
            }
        }
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "says what was compared, or that nothing was")]
fn every_real_document_counts_the_same() {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    if !corpora.is_dir() {
        println!("skipped: no folder {}", corpora.display());
        return;
    }
    let mut folders = vec![corpora];
    let mut compared = 0;
    while let Some(folder) = folders.pop() {
        let mut paths: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = fs::read_to_string(&path) {
                compare(&path.display().to_string(), &text);
                compared += 1;
            }
        }
    }
    println!("compared {compared} documents");
    assert!(compared > 0);
}

/// The definition: of all neighbours whose bytes together are a token, the two that make the token of the lowest rank
/// are merged, the leftmost first, until none are left.
fn merged(piece: &[u8], ranks: &HashMap<&[u8], u32>) -> usize {
    let mut parts: Vec<&[u8]> = piece.chunks(1).collect();
    loop {
        let mut best: Option<(u32, usize)> = None;
        let mut start = 0;
        for (at, pair) in parts.windows(2).enumerate() {
            let bytes = &piece[start..start + pair[0].len() + pair[1].len()];
            if let Some(rank) = ranks.get(bytes)
                && best.is_none_or(|(lowest, _)| *rank < lowest)
            {
                best = Some((*rank, at));
            }
            start += pair[0].len();
        }
        let Some((_, at)) = best else { return parts.len() };
        let start: usize = parts[..at].iter().map(|part| part.len()).sum();
        let length = parts[at].len() + parts[at + 1].len();
        parts.splice(at..at + 2, [&piece[start..start + length]]);
    }
}

fn ranks(tokenizer: &'static Tokenizer) -> HashMap<&'static [u8], u32> {
    (0..tokenizer.bpe.num_tokens() as u32).map(|token| (tokenizer.bpe.token_bytes(token), token)).collect()
}

/// Pieces that stay whole: letters of one script, after at most one other character.
fn piece() -> impl Strategy<Value = String> {
    let letters = prop_oneof![
        "[ -]?[a-z]{1,40}",
        "[A-Z]?[a-z]{1,12}(ing|tion|ness|ment|s|ed)",
        " ?[abn]{1,60}",
        " ?[а-я]{1,20}",
        " ?[가-힣]{1,12}",
        " ?[一-龥]{1,20}",
        " ?[的中国人大学生日本]{1,30}",
        " ?[ぁ-んァ-ヶ]{1,20}",
        " ?[א-ת]{1,16}",
        " ?[ا-ي]{1,16}",
        " ?[ა-ჰ]{1,12}",
    ];
    prop_oneof![8 => letters, 1 => "[=-]{1,70}", 1 => "[!-/]{1,12}", 1 => "[ -~]{1,3}\\PC{1,6}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn pieces_count_as_if_merged(text in piece()) {
        for (ours, theirs) in encodings() {
            let ranks = RANKS.get_or_init(|| encodings().each_ref().map(|(_, theirs)| ranks(theirs)));
            let ranks = &ranks[usize::from(ours.name() == "o200k_base")];
            let pieces = theirs.split(&text);
            let count: usize = pieces.map(|piece| merged(piece.as_bytes(), ranks)).sum();
            prop_assert_eq!(ours.size(&text), count);
        }
    }
}

static RANKS: OnceLock<[HashMap<&'static [u8], u32>; 2]> = OnceLock::new();

#[test]
fn the_text_of_every_token_counts_the_same() {
    for (ours, theirs) in encodings() {
        for token in 0..theirs.bpe.num_tokens() as u32 {
            if let Ok(text) = str::from_utf8(theirs.bpe.token_bytes(token)) {
                assert_eq!(ours.size(text), theirs.count(text), "{} {token} {text:?}", ours.name());
            }
        }
    }
}

/// Texts that are one piece or one run would take hours if any of this were quadratic.
#[test]
fn long_runs_take_linear_time() {
    let letters: String =
        (0..60_000_u32).map(|n| char::from(b'a' + (n.wrapping_mul(2_654_435_761) >> 27) as u8 % 26)).collect();
    for unit in ["a", "ab", "=", " ", "\n", "1", "中", "的", "é", "A", "\u{301}", "' ", "\0", &letters] {
        let text = unit.repeat(60_000 / unit.len());
        for (ours, theirs) in encodings() {
            let measured = ours.measure(&text);
            let whole = theirs.count(text.as_str());
            assert_eq!((ours.size(&text), measured.size(0..text.len())), (whole, whole), "{unit:?}");
            let (mut start, mut total) = (0, 0);
            while start < text.len() {
                let end = measured.reach(start, 500);
                assert!(end > start && measured.size(start..end) <= 500, "{unit:?} {start}..{end}");
                total += measured.size(start..end);
                start = end;
            }
            assert!(total >= whole.min(500), "{unit:?}");
        }
    }
}

#[test]
fn what_fuzzing_begins_with_counts_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/tokens");
    let inputs: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!inputs.is_empty());
    for input in inputs {
        counts::compare(&input.display().to_string(), &fs::read_to_string(&input).unwrap(), 7);
    }
}
