//! Random documents of all scripts and block kinds, cut in random ways: what must hold for every chunk.

use gristmill_chunk::strategy;
use gristmill_core::{
    Chunk, ChunkCx, ContextMode, Document, DocumentId, Input, Limits, PartKind, Result, Similarity, Unit,
};
use gristmill_read::reader_by_name;
use gristmill_text::count::sizer;
use proptest::prelude::*;

/// Pieces of documents; `W` stands for words.
const FORMS: &[&str] = &[
    "# W\n\n",
    "## W {#id}\n\n",
    "### W `W`\n",
    "W\n===\n\n",
    "W. W! W? W: \n\n",
    "W W W.\nW W. W\n\n",
    "Do this:\n\n- W\n- W\n  - W\n  - W\n\n    W\n- W\n\n",
    "1. W\n2. W\n\n   ```sh\n   # W\n\n   W\n   ```\n\n",
    "```rust\nW\n\n# W\nW\nW\n```\n\n",
    "~~~~\nW\n```\nW\n~~~~\n",
    "````md\n```\nW\n```\n````\n\n",
    "| W | W |\n|---|--:|\n| W | W |\n| W | W |\n| W | W |\n\n",
    "> W. W\n> W\n>\n> > W\n\n",
    "$$\nW = W\n$$\n\n",
    "<details>\n<summary>W</summary>\n\nW\n\n</details>\n\n",
    ":::tip W\nW\n:::\n\n",
    "!!! note\n    W\n\n    W\n\n",
    "[W]: https://example.test/W \"W\"\n",
    "W[^1].\n\n[^1]: W. W\n\n",
    "[W](https://example.test/?q=LONG)\n\n",
    "---\n\n",
    "<!-- W -->\n",
    "```\nW\n",
    "\n\n\n   \n",
    "LONG\n\n",
];

const WORDS: &[&str] = &[
    "tide",
    "The",
    "e.g.",
    "3.14",
    "`code`",
    "**bold**",
    "一个句子。",
    "版本为3.5，",
    "日本語の文章です。",
    "한국어 문장입니다.",
    "และ",
    "العربية؟",
    "हिन्दी।",
    "क्षि",
    "👩‍👩‍👧‍👦",
    "🇰🇷",
    "e\u{301}",
    "Dr.",
    "naïve",
    "<|endoftext|>",
    "\u{a0}",
    "(see",
    "below)",
    "“Yes!”",
    "x_y",
    "|",
];

fn words() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS), 1..12).prop_map(|words| words.join(" "))
}

/// Takes texts for alike by their lengths, and knows nothing of some.
struct Lengths;

impl Similarity for Lengths {
    fn neighbours(&self, texts: &[&str]) -> Result<Vec<f32>> {
        Ok(texts.windows(2).map(|two| [0.2, 0.4, 0.6, f32::NAN][(two[0].len() + two[1].len()) % 4]).collect())
    }
}

fn document() -> impl Strategy<Value = String> {
    let long = (1usize..400, prop::sample::select(&["a", "字", "가", "👍🏽", "x/"][..])).prop_map(|(n, c)| c.repeat(n));
    let piece =
        (prop::sample::select(FORMS), prop::collection::vec(words(), 8), long).prop_map(|(form, words, long)| {
            let mut words = words.into_iter().cycle();
            let mut out = String::new();
            for (n, text) in form.replace("LONG", &long).split('W').enumerate() {
                if n > 0 {
                    out.push_str(&words.next().unwrap_or_default());
                }
                out.push_str(text);
            }
            out
        });
    prop::collection::vec(piece, 0..25).prop_map(|pieces| pieces.concat())
}

fn read(text: &str) -> Document {
    let input =
        Input { id: DocumentId::new("p", "", "a.md"), source: "a.md", bytes: text.as_bytes(), open: &[], first: true };
    reader_by_name("markdown").unwrap().read(&input).unwrap().value
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn chunks_of_random_documents_keep_the_promises(
        text in document(),
        name in prop::sample::select(&["markdown", "recursive", "paragraph", "sentence", "fixed", "semantic"][..]),
        unit in prop::sample::select(&[Unit::Tokens, Unit::Chars, Unit::Words][..]),
        max in 12usize..300,
        overlap in 0usize..4,
        headings in any::<bool>(),
    ) {
        let document = read(&text);
        let counter = sizer(unit, "cl100k_base").unwrap();
        let limits = Limits { target: (max * 2 / 3).max(1), max, min: max / 8, overlap: max * overlap / 16 };
        let context = if headings { ContextMode::Headings } else { ContextMode::None };
        let cx = ChunkCx { context, similarity: Some(&Lengths), ..ChunkCx::new(limits, counter.as_ref()) };
        let chunks = strategy(name).unwrap().chunk(&document, &cx).unwrap().value;
        let mut end = 0;
        for chunk in &chunks {
            check(chunk, &document)?;
            prop_assert_eq!(chunk.size as usize, counter.size(&chunk.content), "the stated size is measured");
            let single = chunk.body_text(&document.text).chars().nth(1).is_none();
            prop_assert!(chunk.size as usize <= max || single, "{} > {}: {:?}", chunk.size, max, chunk.content);
            let start = chunk.body.start as usize;
            prop_assert!(start >= end, "bodies overlap");
            prop_assert!(document.text[end..start].trim().is_empty(), "lost: {:?}", &document.text[end..start]);
            end = chunk.body.end as usize;
        }
        prop_assert!(document.text[end..].trim().is_empty(), "lost: {:?}", &document.text[end..]);
    }
}

fn check(chunk: &Chunk, document: &Document) -> Result<(), TestCaseError> {
    let mut end = 0;
    for part in &chunk.parts {
        prop_assert_eq!(part.range.start, end, "parts tile the content");
        end = part.range.end;
        prop_assert_eq!(part.origin.is_some(), matches!(part.kind, PartKind::Body | PartKind::Overlap));
        if let Some(origin) = part.origin {
            prop_assert_eq!(&chunk.content[part.range.range()], &document.text[origin.range()]);
        }
    }
    prop_assert_eq!(end as usize, chunk.content.len());
    prop_assert_eq!(chunk.parts.iter().filter(|p| p.kind == PartKind::Body).count(), 1);
    let body = chunk.body_text(&document.text);
    prop_assert!(!body.trim().is_empty() && body.trim_end() == body, "blank at the end: {:?}", body);
    prop_assert_eq!(chunk.section, document.section_at(chunk.body.start));
    Ok(())
}
