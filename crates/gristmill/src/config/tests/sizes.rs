use std::path::Path;

use gristmill_core::{ErrorKind, Limits, Outcome, Result};

use crate::config::{ChunkOptions, Layer, Options, Overlap, Preset, Settings, SizeUnit, Task, limits, resolve};

fn settle(chunk: ChunkOptions, preset: Option<Preset>) -> Result<Outcome<Settings>> {
    resolve(Task::Chunk, Path::new("/work"), &[Layer::flags(Options { chunk, preset, ..Options::default() })])
}

/// Target, max, min, overlap, and the codes of the notes.
fn sizes(chunk: ChunkOptions) -> (Limits, Vec<&'static str>) {
    let outcome = settle(chunk, None).unwrap();
    (limits(&outcome.value.chunk), outcome.diagnostics.iter().map(|d| d.code).collect())
}

fn of(target: usize, max: usize, min: usize, overlap: usize) -> Limits {
    Limits { target, max, min, overlap }
}

fn refused(chunk: ChunkOptions) -> String {
    let error = settle(chunk, None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Config);
    error.to_string()
}

fn options() -> ChunkOptions {
    ChunkOptions::default()
}

#[test]
fn defaults_are_the_published_ones() {
    let settings = settle(options(), None).unwrap().value.chunk;
    assert_eq!(limits(&settings), of(400, 600, 80, 60));
    assert_eq!((settings.tokenizer.as_str(), settings.strategy.as_str()), ("o200k_base", "auto"));
    assert_eq!((settings.unit, settings.sentences_per_chunk), (SizeUnit::Tokens, None));
}

#[test]
fn max_alone_decides_the_others_in_its_unit() {
    let chars = ChunkOptions { max: Some(300), unit: Some(SizeUnit::Chars), ..options() };
    assert_eq!(sizes(chars), (of(200, 300, 40, 30), vec![]));
    assert_eq!(sizes(ChunkOptions { max: Some(100), ..options() }), (of(67, 100, 13, 10), vec![]));
    assert_eq!(sizes(ChunkOptions { unit: Some(SizeUnit::Chars), ..options() }), (of(1600, 2400, 320, 240), vec![]));
}

#[test]
fn what_was_given_stays_and_what_does_not_fit_is_lowered_with_a_note() {
    let given = ChunkOptions { max: Some(100), overlap: Some(Overlap::Size(0)), ..options() };
    assert_eq!(sizes(given), (of(67, 100, 13, 0), vec![]));
    let given = ChunkOptions { max: Some(100), target: Some(150), min: Some(120), ..options() };
    assert_eq!(sizes(given), (of(100, 100, 100, 10), vec!["size-lowered", "size-lowered"]));
    // A small target takes `min` along, a large `min` takes the target along.
    assert_eq!(sizes(ChunkOptions { target: Some(50), ..options() }), (of(50, 600, 50, 60), vec![]));
    assert_eq!(sizes(ChunkOptions { min: Some(500), ..options() }), (of(500, 600, 500, 60), vec![]));
    let both = ChunkOptions { target: Some(200), min: Some(300), ..options() };
    assert_eq!(sizes(both), (of(200, 600, 200, 60), vec!["size-lowered"]));
    let words = ChunkOptions {
        max: Some(3),
        min: Some(3),
        overlap: Some(Overlap::Size(1)),
        unit: Some(SizeUnit::Words),
        ..options()
    };
    assert_eq!(sizes(words), (of(3, 3, 3, 1), vec!["large-overlap"]));
}

#[test]
fn overlap_is_a_size_or_a_share_and_warned_about_above_a_quarter() {
    let overlap = |overlap| sizes(ChunkOptions { max: Some(100), overlap: Some(overlap), ..options() });
    assert_eq!(overlap(Overlap::Percent(15.0)).0.overlap, 15);
    assert_eq!(overlap(Overlap::Size(25)), (of(67, 100, 13, 25), vec![]));
    assert_eq!(overlap(Overlap::Size(26)), (of(67, 100, 13, 26), vec!["large-overlap"]));
    let chunk = ChunkOptions { max: Some(100), overlap: Some(Overlap::Percent(30.0)), ..options() };
    let note = settle(chunk, None).unwrap().diagnostics[0].message.clone();
    assert!(note.starts_with("overlap 30 (30%) is more than a quarter of max 100: "), "{note}");
}

#[test]
fn sizes_that_make_no_sense_are_refused_with_their_values() {
    let overlap = |overlap| refused(ChunkOptions { max: Some(100), overlap: Some(overlap), ..options() });
    assert_eq!(overlap(Overlap::Size(100)), "overlap 100 is not below max 100");
    assert_eq!(overlap(Overlap::Size(150)), "overlap 150 is not below max 100");
    assert_eq!(overlap(Overlap::Percent(120.0)), "overlap 120 (120%) is not below max 100");
    assert_eq!(refused(ChunkOptions { max: Some(0), ..options() }), "`max` must be between 1 and 1000000000, not: 0");
    assert!(refused(ChunkOptions { max: Some(u32::MAX), ..options() }).ends_with("not: 4294967295"));
    assert_eq!(refused(ChunkOptions { target: Some(0), ..options() }), "`target` must be at least 1");
    assert_eq!(
        refused(ChunkOptions { sentences_per_chunk: Some(0), ..options() }),
        "`sentences_per_chunk` must be at least 1"
    );
}

#[test]
fn sentences_per_chunk_sets_overlap_min_and_target_aside() {
    let chunk = ChunkOptions { sentences_per_chunk: Some(2), overlap: Some(Overlap::Size(900)), ..options() };
    let outcome = settle(chunk, None).unwrap();
    assert_eq!(limits(&outcome.value.chunk), of(600, 600, 0, 0));
    assert_eq!(outcome.value.chunk.strategy, "sentence");
    assert_eq!(outcome.value.chunk.sentences_per_chunk, Some(2));
    assert_eq!(outcome.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["overlap-ignored"]);
    let other = ChunkOptions { sentences_per_chunk: Some(1), strategy: Some("markdown".into()), ..options() };
    assert_eq!(refused(other), "`sentences_per_chunk` needs the strategy `sentence`, not: markdown");
}

#[test]
fn presets_keep_their_proportions_under_another_max() {
    let of_preset = |max, preset| limits(&settle(ChunkOptions { max, ..options() }, Some(preset)).unwrap().value.chunk);
    assert_eq!(of_preset(None, Preset::Legal), of(650, 800, 125, 100));
    // Half of everything: 325, 62.5, 50.
    assert_eq!(of_preset(Some(400), Preset::Legal), of(325, 400, 63, 50));
    assert_eq!(of_preset(Some(300), Preset::Faq).overlap, 0);
    let code = settle(options(), Some(Preset::Code)).unwrap().value.chunk;
    assert_eq!((code.strategy.as_str(), code.overlap), ("code", 0));
    let said = ChunkOptions { strategy: Some("recursive".into()), ..options() };
    assert_eq!(settle(said, Some(Preset::Code)).unwrap().value.chunk.strategy, "recursive");
}

#[test]
fn types_stand_on_the_table_they_are_in() {
    let faq = ChunkOptions { target: Some(150), overlap: Some(Overlap::Size(0)), ..options() };
    let small = ChunkOptions { max: Some(300), ..options() };
    let log = ChunkOptions { strategy: Some("fixed".into()), unit: Some(SizeUnit::Chars), ..options() };
    let by_type = [("faq", faq), ("small", small), ("log", log)].map(|(name, own)| (name.to_owned(), own)).into();
    let chunk = ChunkOptions { target: Some(500), tokenizer: Some("cl100k_base".into()), by_type, ..options() };
    let settings = settle(chunk, None).unwrap().value.chunk;
    let typed = |name| settings.for_type(Some(name));
    assert_eq!(limits(typed("faq")), of(150, 600, 80, 0));
    assert_eq!(limits(typed("small")), of(250, 300, 40, 30));
    assert_eq!(limits(typed("log")), of(2000, 2400, 320, 240));
    assert_eq!((typed("log").strategy.as_str(), typed("log").tokenizer.as_str()), ("fixed", "cl100k_base"));
    assert_eq!(limits(typed("unknown")), of(500, 600, 80, 60));
    assert_eq!(settings.for_type(None), &settings);
    let nested = ChunkOptions { by_type: [("b".to_owned(), options())].into(), ..options() };
    let message = refused(ChunkOptions { by_type: [("a".to_owned(), nested)].into(), ..options() });
    assert_eq!(message, "`chunk.by_type.a` cannot have types of its own");
}
