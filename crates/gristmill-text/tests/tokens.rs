//! Token counts against an independent implementation of the same encodings.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bpe_openai::Tokenizer;
use gristmill_core::{Sizer, Unit};
use gristmill_text::count::sizer;

fn encodings() -> [(Arc<dyn Sizer>, &'static Tokenizer); 2] {
    let ours = |name| sizer(Unit::Tokens, name).unwrap();
    [(ours("cl100k_base"), bpe_openai::cl100k_base()), (ours("o200k_base"), bpe_openai::o200k_base())]
}

/// Compares the counts of `text` and of its pieces of a thousand bytes.
fn compare(name: &str, text: &str) {
    for (ours, theirs) in encodings() {
        let measured = ours.measure(text);
        assert_eq!(measured.size(0..text.len()), theirs.count(text), "{name}, {}", ours.name());
        let mut start = 0;
        while start < text.len() {
            let end = text.ceil_char_boundary(start + 1000);
            let count = theirs.count(&text[start..end]);
            assert_eq!(ours.size(&text[start..end]), count, "{name}, {}, {start}..{end}", ours.name());
            assert_eq!(measured.size(start..end), count, "{name}, {}, measured {start}..{end}", ours.name());
            start = end;
        }
    }
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
