//! Folders that hold no model we can use: one line that names the file, and never a panic.

use std::path::Path;

use gristmill_core::Purpose;
use gristmill_embed::{EmbedderOptions, LocalModel, embedder};

use super::{copy_folder, fixtures};
use gristmill_core::Embedder;

/// A copy of a tiny model, changed: what opening it says, without the folder's path.
fn complaint(model: &str, change: impl Fn(&Path)) -> String {
    let root = tempfile::tempdir().unwrap();
    copy_folder(&fixtures().join(model), root.path());
    change(root.path());
    let error = LocalModel::open(root.path()).err().unwrap();
    error.chain().replace(&root.path().display().to_string(), "F")
}

/// The same with text replaced in one file.
fn edited(model: &str, file: &str, from: &str, to: &str) -> String {
    complaint(model, |folder| {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        assert!(text.contains(from), "{from}");
        std::fs::write(folder.join(file), text.replace(from, to)).unwrap();
    })
}

#[test]
fn a_missing_file_is_named() {
    for file in ["config.json", "tokenizer.json", "model.safetensors"] {
        let complaint = complaint("tiny-bert", |folder| std::fs::remove_file(folder.join(file)).unwrap());
        assert_eq!(complaint, format!("the model's folder has no `{file}`: `F`"));
    }
}

#[test]
fn a_model_that_is_no_folder_tells_how_to_get_one() {
    let options = EmbedderOptions { model: Some("intfloat/multilingual-e5-small".into()), ..Default::default() };
    let error = embedder("local", &options).err().unwrap();
    assert_eq!(error.to_string(), "no folder with a model: `intfloat/multilingual-e5-small`");
    assert!(error.hint_text().is_some_and(|hint| hint.contains("hf download")));
    let error = embedder("local", &EmbedderOptions::default()).err().unwrap();
    assert_eq!(error.to_string(), "provider `local` needs the folder of a model");
}

#[test]
fn other_dimensions_than_the_model_has_are_refused() {
    let options = EmbedderOptions { dimensions: Some(4), ..super::options("tiny-bert") };
    let error = embedder("local", &options).err().unwrap();
    assert_eq!(error.to_string(), "model `tiny-bert` makes vectors of 8 dimensions, not of: 4");
}

#[test]
fn what_is_not_supported_is_named() {
    for (model, file, from, to, expected) in [
        (
            "tiny-bert",
            "config.json",
            "\"bert\"",
            "\"mpnet\"",
            "cannot use `F/config.json`: unknown `model_type`: `mpnet`",
        ),
        ("tiny-bert", "config.json", "gelu", "silu", "cannot use `F/config.json`: unknown variant `silu`"),
        ("tiny-bert", "config.json", "vocab_size", "x", "cannot use `F/config.json`: missing field `vocab_size`"),
        (
            "tiny-bert",
            "config.json",
            "heads\": 2",
            "heads\": 3",
            "cannot use `F/config.json`: `hidden_size` is no multiple",
        ),
        (
            "tiny-bert",
            "config.json",
            "heads\": 2",
            "heads\": 0",
            "cannot use `F/config.json`: `hidden_size` is no multiple",
        ),
        (
            "tiny-bert",
            "modules.json",
            "Pooling",
            "Dense",
            "cannot use `F/modules.json`: unknown step: `sentence_transformers.models.Dense`",
        ),
        (
            "tiny-e5",
            "1_Pooling/config.json",
            "cls",
            "max",
            "cannot use `F/1_Pooling/config.json`: pooling must be `mean` or `cls`: [\"max\"]",
        ),
        (
            "tiny-nomic",
            "config.json",
            "swiglu",
            "gelu",
            "cannot use `F/config.json`: its value of `activation_function`",
        ),
        (
            "tiny-nomic",
            "config.json",
            "head\": 2",
            "head\": 8",
            "cannot use `F/config.json`: `n_embd` is no even multiple",
        ),
        (
            "tiny-nomic",
            "config.json",
            "\"prenorm\": false",
            "\"prenorm\": true",
            "cannot use `F/config.json`: its value of `prenorm`",
        ),
        (
            "tiny-nomic",
            "config.json",
            "positions\": 10",
            "positions\": 3",
            "a limit of 3 tokens leaves no room for text, 4 stand around it",
        ),
    ] {
        let complaint = edited(model, file, from, to);
        assert!(complaint.starts_with(expected), "{complaint}");
    }
}

#[test]
fn weights_of_another_shape_are_named() {
    let shape = edited("tiny-bert", "config.json", "intermediate_size\": 12", "intermediate_size\": 16");
    let expected = "cannot use `F/model.safetensors`: tensor `encoder.layer.0.intermediate.dense.weight` has another shape \
                    than `config.json` asks for, [16, 8]: [12, 8]";
    assert_eq!(shape, expected);
    let layers = edited("tiny-bert", "config.json", "layers\": 2", "layers\": 3");
    assert_eq!(
        layers,
        "cannot use `F/model.safetensors`: it has no tensor `encoder.layer.2.attention.self.query.weight`"
    );
    let words = edited("tiny-nomic", "config.json", "vocab_size\": 12", "vocab_size\": 11");
    assert!(words.ends_with("`config.json` asks for, [11, 8]: [12, 8]"), "{words}");
    let tokens = edited("tiny-bert", "tokenizer.json", "\"狐\": 11", "\"狐\": 12");
    assert_eq!(tokens, "cannot use `F/tokenizer.json`: it has more tokens than the 12 of `config.json`: 13");
}

#[test]
fn a_damaged_table_of_characters_is_named() {
    for table in ["5", "\"AAAA\"", "\"////fwAA\""] {
        let precompiled = format!("\"normalizer\": {{\"type\": \"Precompiled\", \"precompiled_charsmap\": {table}}}");
        let complaint = edited("tiny-e5", "tokenizer.json", "\"normalizer\": null", &precompiled);
        assert!(complaint.starts_with("cannot use `F/tokenizer.json`: "), "{complaint}");
    }
}

#[test]
fn places_that_were_trained_limit_those_that_would_be_stretched() {
    let root = tempfile::tempdir().unwrap();
    copy_folder(&fixtures().join("tiny-nomic"), root.path());
    let path = root.path().join("config.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let stretched = "\"rotary_scaling_factor\": 2, \"max_trained_positions\": 9";
    std::fs::write(&path, text.replace("\"rotary_scaling_factor\": null", stretched)).unwrap();
    assert_eq!(LocalModel::open(root.path()).unwrap().limits().input_tokens, 5);
}

#[test]
fn damaged_files_end_in_an_error_or_in_vectors() {
    for model in super::TINY {
        let root = tempfile::tempdir().unwrap();
        copy_folder(&fixtures().join(model), root.path());
        for file in ["config.json", "tokenizer.json", "model.safetensors"] {
            let path = root.path().join(file);
            let whole = std::fs::read(&path).unwrap();
            let step = whole.len() / 97 + 1;
            for at in (0..whole.len()).step_by(step) {
                let mut flipped = whole.clone();
                if let Some(byte) = flipped.get_mut(at) {
                    *byte ^= 1 << (at % 8);
                }
                for damaged in [whole.get(..at).unwrap_or_default(), &flipped] {
                    std::fs::write(&path, damaged).unwrap();
                    if let Ok(model) = LocalModel::open(root.path()) {
                        let _ = model.embed(&["the red foxes", "狐"], Purpose::Query);
                    }
                }
            }
            std::fs::write(&path, whole).unwrap();
        }
        assert!(LocalModel::open(root.path()).is_ok());
    }
}
