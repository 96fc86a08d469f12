//! What holds for any file.

use gristmill_format::chunk_file::{Change, ChunkFormat, Verdict};
use proptest::prelude::*;

use super::bytes::check;
use super::{open, written};

/// JSON as anyone may write it.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("1e5".to_owned()),
        Just("-0.10".to_owned()),
        Just("123456789012345678901234567890".to_owned()),
        text(),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            (space(), prop::collection::vec(inner.clone(), 0..4))
                .prop_map(|(space, list)| format!("[{space}{}]", list.join(&format!("{space},{space}")))),
            (space(), prop::collection::vec((text(), inner), 0..4))
                .prop_map(|(space, members)| object(&space, &members)),
        ]
    })
}

fn object(space: &str, members: &[(String, String)]) -> String {
    let members: Vec<String> = members.iter().map(|(key, value)| format!("{key}{space}:{space}{value}")).collect();
    format!("{{{space}{}{space}}}", members.join(&format!("{space},{space}")))
}

fn space() -> impl Strategy<Value = String> {
    prop::string::string_regex("[ \t]{0,2}").unwrap()
}

/// A JSON string, some of its characters escaped.
fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop_oneof![
            Just("a"),
            Just("ä"),
            Just("\\n"),
            Just("\\u00e4"),
            Just("\\\""),
            Just("\\\\"),
            Just("]"),
            Just("{"),
            Just("😀")
        ],
        0..6,
    )
    .prop_map(|parts| format!("\"{}\"", parts.concat()))
}

fn chunk() -> impl Strategy<Value = String> {
    let fields = prop::collection::vec((text(), json()), 0..3);
    let metadata = prop_oneof![Just(None), json().prop_map(Some)];
    prop_oneof![
        text(),
        (space(), text(), fields, metadata, any::<bool>()).prop_map(|(space, text, mut members, metadata, first)| {
            let at = if first { 0 } else { members.len() };
            members.insert(at, ("\"page_content\"".to_owned(), text));
            members.extend(metadata.map(|metadata| ("\"metadata\"".to_owned(), metadata)));
            object(&space, &members)
        }),
    ]
}

/// The text of a file.
fn file(chunks: &[String], format: ChunkFormat, space: &str) -> String {
    match format {
        ChunkFormat::Json => {
            let list = format!("[{space}\n{}{space}]", chunks.join(&format!("{space},\r\n{space}")));
            format!("{{{space}\"a\": [\"x\"], \"items\": {list}, \"b\": 1.0}}\n")
        }
        _ => format!("{}{space}\n", chunks.join(&format!("{space}\r\n\n{space}"))),
    }
}

proptest! {
    #[test]
    fn nothing_moves(chunks in prop::collection::vec(chunk(), 1..5), space in space(), at in 0_usize..5) {
        for format in [ChunkFormat::Json, ChunkFormat::JsonLines] {
            let at = at % chunks.len();
            let text = file(&chunks, format, &space);
            let opened = open(&text, format).unwrap();
            let index = opened.index().unwrap();
            prop_assert_eq!(index.entries.len(), chunks.len());
            prop_assert_eq!(&written(&opened, |_| Verdict::Keep).0, &text);
            let change = Change::text("new \u{e9}").metadata("merged_ids", Some(&["x"])).unwrap();
            let (out, _) = written(&opened, |i| if i == at { Verdict::Change(change.clone()) } else { Verdict::Keep });
            let mut expected = chunks.clone();
            expected[at] = "*".to_owned();
            let shape = file(&expected, format, &space);
            let (before, after) = shape.split_once('*').unwrap();
            prop_assert!(out.starts_with(before) && out.ends_with(after), "{}\n{}", text, out);
            let again = open(&out, format).unwrap();
            let new = again.chunks().nth(at).unwrap().unwrap();
            prop_assert_eq!(new.text(), "new \u{e9}");
            prop_assert_eq!(&written(&again, |i| if i == at { Verdict::Change(change.clone()) } else { Verdict::Keep }).0, &out);
            for (i, entry) in index.entries.iter().enumerate() {
                let kept = opened.read_at(i, entry).unwrap();
                let other = again.chunks().nth(i).unwrap().unwrap();
                prop_assert!(i == at || kept.value() == other.value());
            }
            let (out, _) = written(&opened, |i| if i == at { Verdict::Remove } else { Verdict::Keep });
            let left: Vec<_> = open(&out, format).unwrap().chunks().map(|found| found.unwrap().value().clone()).collect();
            let expected: Vec<_> =
                opened.chunks().map(Result::unwrap).filter(|found| found.index != at).map(|found| found.value().clone()).collect();
            prop_assert_eq!(left, expected);
        }
    }

    #[test]
    fn texts_come_back_byte_for_byte(text in "\u{feff}?(a|b c|---|```|~~~~|`|:|\n|\n|\r\n| ){0,30}", drop in any::<bool>()) {
        let opened = open(&text, ChunkFormat::Text).unwrap();
        prop_assert_eq!(&written(&opened, |_| Verdict::Keep).0, &text);
        let chunks: Vec<String> = opened.chunks().map(|found| found.unwrap().text().to_owned()).collect();
        for (found, entry) in chunks.iter().zip(opened.index().unwrap().entries) {
            let read = opened.read_at(0, &entry).unwrap();
            prop_assert_eq!(read.text(), found.as_str());
        }
        if drop && !text.contains(['`', '~']) && chunks.len() > 1 {
            let (out, _) = written(&opened, |i| if i == 0 { Verdict::Remove } else { Verdict::Keep });
            let left: Vec<String> = open(&out, ChunkFormat::Text).unwrap().chunks().map(|f| f.unwrap().text().to_owned()).collect();
            prop_assert_eq!(left, &chunks[1..]);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop_oneof![
        prop::collection::vec(any::<u8>(), 0..200),
        "([\\[\\]{}:,\"\\\\ \n]|text|chunks|\"text\":|\"chunks\":|ud800|1e999|null|---|```){0,40}".prop_map(String::into_bytes),
    ]) {
        check(&bytes);
    }
}

#[test]
fn what_fuzzing_begins_with_is_read() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/chunk-file");
    let inputs: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!inputs.is_empty());
    inputs.iter().for_each(|input| check(&std::fs::read(input).unwrap()));
}
