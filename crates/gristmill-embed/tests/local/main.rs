//! Local transformers against their reference in numpy (`reference.py`), on three tiny models and a real one.

mod broken;
mod minilm;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gristmill_core::{Embedder, Purpose, Remedy};
use gristmill_embed::{EmbedderOptions, embedder};
use serde_json::Value;

const TINY: &[&str] = &["tiny-bert", "tiny-e5", "tiny-nomic"];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/local")
}

fn options(model: &str) -> EmbedderOptions {
    EmbedderOptions { model: Some(model.to_owned()), models_folder: Some(fixtures()), ..EmbedderOptions::default() }
}

fn tiny(model: &str) -> Arc<dyn Embedder> {
    embedder("local", &options(model)).unwrap()
}

fn vector(model: &dyn Embedder, text: &str, purpose: Purpose) -> Vec<f32> {
    model.embed(&[text], purpose).unwrap().remove(0)
}

/// The greatest difference between two vectors.
fn distance(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn vectors_equal_those_of_the_reference() {
    let expected: Value = serde_json::from_str(include_str!("tiny.json")).unwrap();
    for name in TINY {
        let model = tiny(name);
        assert_eq!(model.dimensions(), Some(8));
        for case in expected[name].as_array().unwrap() {
            let (text, purpose) = (case["text"].as_str().unwrap(), case["purpose"].as_str().unwrap());
            let purpose_of = if purpose == "query" { Purpose::Query } else { Purpose::Passage };
            let reference: Vec<f32> = serde_json::from_value(case["vector"].clone()).unwrap();
            let distance = distance(&vector(&*model, text, purpose_of), &reference);
            assert!(distance < 1e-5, "{name}, {purpose} `{text}`: {distance}");
        }
    }
}

#[test]
fn a_vector_does_not_depend_on_its_neighbours() {
    for name in TINY {
        let model = tiny(name);
        let texts = ["red", "the red foxes", "", "the the the the", "狐", "fox", "the red fox"].repeat(40);
        let together = model.embed(&texts, Purpose::Passage).unwrap();
        assert_eq!(together.len(), texts.len());
        for (text, vector) in texts.iter().zip(&together) {
            let alone = self::vector(&*model, text, Purpose::Passage);
            assert!(distance(&alone, vector) < 1e-5, "{name}, `{text}`");
        }
    }
}

#[test]
fn threads_and_batches_change_no_vector() {
    let texts = ["red", "the red foxes", "the the the the", "fox"].repeat(300);
    let vectors = |concurrency, batch_size| {
        let options = EmbedderOptions { concurrency, batch_size, ..options("tiny-bert") };
        embedder("local", &options).unwrap().embed(&texts, Purpose::Passage).unwrap()
    };
    let one = vectors(Some(1), Some(1));
    assert_eq!(one, vectors(Some(3), None));
    assert_eq!(one, vectors(None, Some(7)));
    let limits = embedder("local", &EmbedderOptions { batch_size: Some(7), ..options("tiny-bert") }).unwrap().limits();
    assert_eq!((limits.inputs, limits.requests), (7, 1));
}

#[test]
fn a_text_that_is_too_long_is_refused() {
    // 10 tokens with the two at the ends; 14 places with two ends and the prompt `▁passage : ▁`.
    for (name, room) in [("tiny-bert", 8), ("tiny-e5", 9), ("tiny-nomic", 6)] {
        let model = tiny(name);
        assert_eq!(model.limits().input_tokens, room, "{name}");
        let fits = "the ".repeat(room);
        assert_eq!(vector(&*model, &fits, Purpose::Passage).len(), 8, "{name}");
    }
    let model = tiny("tiny-bert");
    let long = "the ".repeat(9);
    let error = model.embed(&["fox", &long], Purpose::Passage).unwrap_err();
    assert_eq!(error.to_string(), "text has more tokens than the model reads, 10: 11");
    assert_eq!(error.remedy, Remedy::Apart);
    let error = model.embed(&[&"the ".repeat(100_000)], Purpose::Passage).unwrap_err();
    assert_eq!(error.to_string(), "text has more tokens than the model reads, 10: 100002");
}

#[test]
fn a_limit_of_ones_own_holds_where_it_is_lower() {
    let limit = |max_tokens| {
        let options = EmbedderOptions { max_tokens: Some(max_tokens), ..options("tiny-bert") };
        embedder("local", &options).map(|model| model.limits().input_tokens).map_err(|error| error.to_string())
    };
    assert_eq!(limit(5), Ok(3));
    assert_eq!(limit(5000), Ok(8));
    assert_eq!(limit(2), Err("a limit of 2 tokens leaves no room for text, 2 stand around it".to_owned()));
}

#[test]
fn text_the_tokenizer_does_not_know_gets_no_vector() {
    for name in TINY {
        let vectors = tiny(name).embed(&["", " \n\t", "\u{0}", "ξ ψ", "red ξ"], Purpose::Query).unwrap();
        let lengths: Vec<_> = vectors.iter().map(Vec::len).collect();
        // White space is a piece of its own in the tokenizer with `▁`.
        let expected = if name == &"tiny-e5" { [0, 8, 8, 8, 8] } else { [0, 0, 0, 0, 8] };
        assert_eq!(lengths, expected, "{name}");
    }
}

#[test]
fn a_model_is_found_by_name_or_by_path() {
    let path = fixtures().join("tiny-bert");
    let by_path = embedder("local", &EmbedderOptions { model: Some(path.display().to_string()), ..Default::default() });
    assert_eq!(by_path.unwrap().name(), tiny("tiny-bert").name());
    assert!(tiny("tiny-bert").name().starts_with("local/tiny-bert@"));
}

#[test]
fn what_makes_other_vectors_makes_another_name() {
    let copy = |change: &dyn Fn(&Path)| {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("tiny-bert");
        copy_folder(&fixtures().join("tiny-bert"), &folder);
        change(&folder);
        let model = Some(folder.display().to_string());
        embedder("local", &EmbedderOptions { model, ..Default::default() }).unwrap().name().to_owned()
    };
    let same = copy(&|_| {});
    assert_eq!(same, tiny("tiny-bert").name());
    let change = |file: &str, from: &str, to: &str| {
        copy(&|folder| {
            let text = std::fs::read_to_string(folder.join(file)).unwrap();
            assert!(text.contains(from), "{file}");
            std::fs::write(folder.join(file), text.replace(from, to)).unwrap();
        })
    };
    let weights = copy(&|folder| {
        let path = folder.join("model.safetensors");
        let mut bytes = std::fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(path, bytes).unwrap();
    });
    let mut names = vec![
        same,
        weights,
        change("config.json", "gelu", "relu"),
        change("tokenizer.json", "狐", "狸"),
        change("1_Pooling/config.json", r#""pooling_mode_cls_token": false"#, r#""pooling_mode": "cls", "x": 1"#),
        copy(&|folder| {
            let prompts = r#"{"prompts": {"query": "the "}}"#;
            std::fs::write(folder.join("config_sentence_transformers.json"), prompts).unwrap();
        }),
    ];
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 6, "{names:?}");
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
