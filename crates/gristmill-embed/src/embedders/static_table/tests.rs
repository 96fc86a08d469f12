//! The model against an independent tokenizer, and against figures known of it.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tokenizers::Tokenizer;

use super::*;

fn model() -> &'static Model {
    StaticTable::new().unwrap().model
}

/// Rows of a text; a run of unknown characters is one 0, as the reference writes it.
fn ids(text: &str) -> Vec<u32> {
    let (mut out, mut scratch) = (Vec::new(), Scratch::default());
    words::each_word(text, &mut scratch.word, |word| {
        for &(piece, _) in scratch.segmenter.pieces(&model().vocabulary, word) {
            match piece {
                Piece::Row(row) => out.push(row),
                Piece::Unknown if out.last() == Some(&0) => {}
                Piece::Unknown => out.push(0),
            }
        }
    });
    out
}

fn cosine(a: &str, b: &str) -> f32 {
    let vectors = StaticTable::new().unwrap().embed(&[a, b], Purpose::Passage).unwrap();
    vectors[0].iter().zip(&vectors[1]).map(|(a, b)| a * b).sum()
}

#[expect(clippy::print_stdout, reason = "a skipped check must be seen")]
fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is absent", path.display());
    None
}

#[test]
fn rows_and_vectors_equal_those_of_the_reference() {
    // `fixtures/ids.json` was written by `fit/score.py`: rows with the package `tokenizers` 0.23.3 from the model's
    // `tokenizer.json`, vectors with NumPy from the files of the program.
    let fixtures: Value = serde_json::from_str(include_str!("fixtures/ids.json")).unwrap();
    let fixtures = fixtures.as_array().unwrap();
    assert!(fixtures.len() >= 12);
    for fixture in fixtures {
        let text = fixture["text"].as_str().unwrap();
        let expected: Vec<u32> = serde_json::from_value(fixture["ids"].clone()).unwrap();
        assert_eq!(ids(text), expected, "{text}");
        let expected: Vec<f32> = serde_json::from_value(fixture["vector"].clone()).unwrap();
        let vector = StaticTable::new().unwrap().model.embed(text, &mut Scratch::default());
        assert_eq!((expected.len(), vector.len()), (8, DIMENSIONS), "{text}");
        for (a, b) in vector.iter().zip(expected) {
            assert!((a - b).abs() < 1e-5, "{text}: {a} and {b}");
        }
    }
}

/// The pieces by row with their scores, read from the packed file as `assets/README.md` describes it, in another way than the
/// program does.
fn packed() -> Vec<(String, f64)> {
    let number = |at: usize| u32::from_le_bytes(VOCABULARY[at..at + 4].try_into().unwrap());
    let count = number(0) as usize;
    let scores: Vec<f64> = (0..count).map(|row| f64::from(f32::from_bits(number(4 + 4 * row)))).collect();
    let mut all = vec![None; count];
    let (mut at, mut piece) = (4 + 4 * count, Vec::new());
    while at < VOCABULARY.len() {
        let (shared, own) = (usize::from(VOCABULARY[at]), usize::from(VOCABULARY[at + 1]));
        let row = usize::from(VOCABULARY[at + 2]) + 256 * usize::from(VOCABULARY[at + 3]);
        piece.truncate(shared);
        piece.extend_from_slice(&VOCABULARY[at + 4..at + 4 + own]);
        assert_eq!(all[row].replace((String::from_utf8(piece.clone()).unwrap(), scores[row])), None);
        at += 4 + own;
    }
    all.into_iter().map(Option::unwrap).collect()
}

#[test]
fn every_piece_is_found_with_its_score() {
    let pieces = packed();
    assert_eq!((pieces.len(), model().vocabulary.scores.len()), (65_536, 65_536));
    for (row, (piece, score)) in pieces.iter().enumerate().skip(vocabulary::CONTROL_PIECES as usize) {
        let mut last = None;
        model().vocabulary.trie.prefixes(piece.as_bytes(), |len, row| last = Some((len, row)));
        assert_eq!(last, Some((piece.len(), row as u32)), "{piece}");
        assert!((f64::from(model().vocabulary.scores[row]) - score).abs() < 1e-9, "{piece}");
    }
}

/// What the reference can be compared on: it reads only the space as white space, and folds the full-width tilde.
fn comparable(text: &str) -> String {
    let odd = |c: char| {
        c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2581}' | '\u{feff}' | '\u{fffd}' | '\u{ff5e}')
    };
    let words: Vec<_> = text.split(|c: char| c.is_whitespace() || odd(c)).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

#[test]
fn ids_equal_those_of_the_reference_on_real_documents() {
    let space = json!({ "type": "Metaspace", "replacement": "\u{2581}", "prepend_scheme": "always", "split": true });
    let reference = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "post_processor": null,
        "normalizer": { "type": "Sequence", "normalizers": [
            { "type": "NFKC" }, { "type": "Replace", "pattern": { "Regex": " {2,}" }, "content": " " }] },
        "pre_tokenizer": space, "decoder": space,
        "model": { "type": "Unigram", "unk_id": 0, "vocab": packed(), "byte_fallback": false },
    });
    let reference = Tokenizer::from_bytes(reference.to_string()).unwrap();
    let mut texts = 0;
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let corpora = [
        "md-react-ko",
        "md-pingcap-zh",
        "md-rust-book",
        "code",
        "retrieval-ja-jaquad",
        "retrieval-de-xquad",
        "retrieval-th-xquad",
        "retrieval-ar-xquad",
    ];
    for root in corpora.iter().filter_map(|folder| shared(&format!("corpora/{folder}"))).chain([own]) {
        for text in documents(&root, 60_000) {
            for line in comparable(&text).as_bytes().chunks(400) {
                let line = String::from_utf8_lossy(line).replace('\u{fffd}', "");
                let line = comparable(&line);
                let expected = reference.encode(line.as_str(), false).unwrap();
                assert_eq!(ids(&line), expected.get_ids(), "{line}");
                texts += 1;
            }
        }
    }
    assert!(texts > 100, "{texts}");
}

/// Text below a folder, in order of path, up to a number of bytes.
fn documents(root: &Path, limit: usize) -> Vec<String> {
    let (mut open, mut out, mut bytes) = (vec![root.to_owned()], Vec::new(), 0);
    while let Some(path) = open.pop().filter(|_| bytes < limit) {
        if path.is_dir() {
            let mut below: Vec<_> = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
            below.sort_by(|a, b| b.cmp(a));
            open.extend(below);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            bytes += text.len();
            out.push(text);
        }
    }
    out
}

#[test]
fn translations_are_near_and_strangers_far() {
    // Figures by NumPy from the files of the program (`fit/score.py`, `Table`).
    let english = "How do I install the package?";
    for (translation, near) in [
        ("패키지를 어떻게 설치하나요?", 0.656),
        ("如何安装这个软件包？", 0.595),
        ("パッケージをインストールするにはどうすればいいですか？", 0.332),
        ("ฉันจะติดตั้งแพ็กเกจได้อย่างไร", 0.538),
        ("كيف يمكنني تثبيت الحزمة؟", 0.438),
    ] {
        assert!((cosine(english, translation) - near).abs() < 1e-3, "{translation}: {}", cosine(english, translation));
    }
    for stranger in [
        "The cat sat quietly on the warm windowsill.",
        "어제 저녁에는 비가 많이 왔다.",
        "今天晚上我们去看电影。",
        "เมื่อวานฝนตกหนักมาก",
        "ذهبنا إلى السينما مساء أمس.",
    ] {
        assert!(cosine(english, stranger) < 0.1, "{stranger}: {}", cosine(english, stranger));
    }
}

#[test]
fn vectors_have_unit_length() {
    let vectors =
        StaticTable::new().unwrap().embed(&["one", "두 번째 문장", "一句话", "fn main() {}"], Purpose::Query).unwrap();
    for vector in vectors {
        assert_eq!(vector.len(), DIMENSIONS);
        let length: f64 = vector.iter().map(|&x| f64::from(x).powi(2)).sum();
        assert!((length - 1.0).abs() < 1e-5, "{length}");
    }
}

#[test]
fn text_the_model_does_not_know_gets_no_vector() {
    let vectors = StaticTable::new().unwrap().embed(
        &[
            "",
            " \n ",
            "שלום עולם",
            "कृपया इसे पढ़ें।",
            "सॉफ़्टवेयर स्थापित करने के लिए API (v2).",
            "The Hindi word नमस्ते means hello",
        ],
        Purpose::Passage,
    );
    let lengths: Vec<_> = vectors.unwrap().iter().map(Vec::len).collect();
    assert_eq!(lengths, [0, 0, 0, 0, 0, DIMENSIONS]);
}

#[test]
fn any_text_is_embedded_or_left_out() {
    let texts =
        ["\u{2581}", "\u{0}", "\u{10ffff}", "🎉🎉", "<unk>", "</s>", &"a".repeat(200_000), &"\u{308}".repeat(100_000)];
    let vectors = StaticTable::new().unwrap().embed(&texts, Purpose::Passage).unwrap();
    assert!(vectors.iter().all(|vector| vector.is_empty() || vector.len() == DIMENSIONS));
    assert!(vectors[0].is_empty() && vectors[1].is_empty());
}

#[test]
fn threads_handed_in_are_its_requests() {
    let requests =
        |concurrency| build(&EmbedderOptions { concurrency, ..EmbedderOptions::default() }).unwrap().limits().requests;
    assert_eq!([None, Some(0), Some(3)].map(requests), [1, 1, 3]);
}
