//! What is read around a hit is the document's own text, each part once, within the budget.

use gristmill::config::{self, Layer, Options, Overlap, Settings, Task};
use gristmill::{Found, IngestOptions, Inputs, RunCx, SearchOptions, ingest, search_passages};

struct Place {
    folder: tempfile::TempDir,
    settings: Settings,
}

fn stored(files: &[(&str, &str)], overlap: u32) -> Place {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let mut options = Options::default();
    options.store.path = Some(folder.path().join("store.db"));
    (options.chunk.max, options.chunk.min, options.chunk.target) = (Some(60), Some(0), Some(40));
    options.chunk.overlap = Some(Overlap::Size(overlap));
    let settings = config::resolve(Task::Ingest, folder.path(), &[Layer::flags(options)]).unwrap().value;
    let paths = files.iter().map(|(name, _)| folder.path().join(name)).collect();
    let inputs = Inputs { folder: folder.path().to_owned(), paths, ..Inputs::default() };
    let mut cx = RunCx { workers: 1, inspect: false, lint: false, progress: &mut |_, _, _| {} };
    ingest(&settings, &inputs, &IngestOptions::default(), &mut cx).unwrap();
    Place { folder, settings }
}

impl Place {
    fn find(&self, question: &str, options: &SearchOptions) -> Found {
        assert!(self.folder.path().exists());
        search_passages(&self.settings, question, options).unwrap()
    }
}

fn guide() -> String {
    let mut out = String::from("# Guide\n\nWelcome to the guide of the plant.\n\n");
    for n in 1..=4 {
        out.push_str(&format!("## Pump {n}\n\n"));
        for k in 1..=5 {
            out.push_str(&format!("Pump {n} has a rule {k} that says how valve {k} of pump {n} is turned by hand. "));
        }
        out.push_str(&format!(
            "\n\n- first of {n}\n- second of {n}\n\n```sh\npump --start {n}\npump --stop {n}\n```\n\n"
        ));
        out.push_str("| part | price |\n|---|---|\n");
        for k in 1..=12 {
            out.push_str(&format!("| part {k} of pump {n} | {n}{k} dollars |\n"));
        }
        out.push('\n');
    }
    out
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[test]
fn all_neighbours_together_are_the_document() {
    for overlap in [0, 15] {
        let place = stored(&[("guide.md", &guide())], overlap);
        let options = SearchOptions { expand: 1000, limit: 1, ..SearchOptions::default() };
        let found = place.find("how is valve 3 of pump 2 turned", &options);
        assert_eq!((found.hits.len(), found.passages.len()), (1, 1));
        assert_eq!(letters(&found.passages[0].text), letters(&guide()), "overlap {overlap}");
        // Lines stand where they stood.
        let lines =
            |text: &str| text.lines().map(str::trim).filter(|l| !l.is_empty()).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(lines(&found.passages[0].text), lines(&guide()), "overlap {overlap}");
    }
}

#[test]
fn a_section_is_read_whole_and_alone() {
    let place = stored(&[("guide.md", &guide())], 15);
    let options = SearchOptions { parent: true, limit: 1, ..SearchOptions::default() };
    let found = place.find("part 7 of pump 3 dollars", &options);
    let text = &found.passages[0].text;
    let whole = guide();
    let (start, end) = (whole.find("Pump 3 has a rule 1").unwrap(), whole.find("## Pump 4").unwrap());
    assert!(letters(text).contains(&letters(&whole[start..end])), "{text}");
    assert!(!text.contains("Pump 2 has") && !text.contains("Pump 4 has"), "{text}");
}

#[test]
fn hits_that_stand_together_are_one_passage() {
    let place = stored(&[("guide.md", &guide()), ("other.md", "# Other\n\nNothing about pumps here.\n")], 0);
    let options = SearchOptions { expand: 2, limit: 8, ..SearchOptions::default() };
    let found = place.find("valve of pump 2", &options);
    let mut hits: Vec<usize> = found.passages.iter().flat_map(|passage| passage.hits.clone()).collect();
    hits.sort_unstable();
    assert_eq!(hits, (0..found.hits.len()).collect::<Vec<_>>(), "each hit is in one passage");
    let mut chunks: Vec<(String, u32)> = Vec::new();
    for passage in &found.passages {
        chunks.extend((passage.chunks[0]..=passage.chunks[1]).map(|at| (passage.source.clone(), at)));
    }
    let all = chunks.len();
    chunks.sort();
    chunks.dedup();
    assert_eq!(chunks.len(), all, "no chunk is in two passages");
}

#[test]
fn the_budget_holds_for_all_passages_together() {
    let place = stored(&[("guide.md", &guide())], 15);
    let sizer = gristmill::sizer(gristmill::Unit::Tokens, &place.settings.chunk.tokenizer).unwrap();
    for budget in [10, 60, 100, 400, 100_000] {
        let options = SearchOptions { expand: 3, limit: 5, budget: Some(budget), ..SearchOptions::default() };
        let found = place.find("rule 2 of pump 4", &options);
        let used: usize = found.passages.iter().map(|passage| sizer.size(&passage.text)).sum();
        assert!(used <= budget, "{used} of {budget}");
        assert_eq!(used, found.passages.iter().map(|passage| passage.tokens).sum::<usize>());
        assert!(budget < 60 || !found.passages.is_empty(), "{budget}");
    }
}
