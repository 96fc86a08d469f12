//! Proposals for folders of several kinds; each is read back.

use std::path::{Path, PathBuf};

use gristmill_core::ErrorKind;

use super::*;
use crate::config::{Env, Start, load};
use crate::documents::{Documents, Inputs};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn propose(&self) -> Proposal {
        propose(self.path(), &[], None).unwrap()
    }

    /// The documents that are read with the proposed file.
    fn documents(&self, proposal: &Proposal) -> Vec<String> {
        std::fs::write(self.path().join("gristmill.toml"), &proposal.text).unwrap();
        let env = Env::new();
        let start =
            Start { folder: self.path(), env: &env, now: std::time::SystemTime::now, config: None, worker: None };
        let settings = load(Task::Ingest, Options::default(), &start).unwrap().value;
        assert_eq!(settings.preset, proposal.preset);
        crate::check(&settings).unwrap();
        let inputs = Inputs {
            folder: self.path().to_owned(),
            own: vec![self.path().join("gristmill.toml")],
            ..Inputs::default()
        };
        Documents::list(&settings, &inputs).unwrap().jobs.iter().map(|job| job.source.clone()).collect()
    }
}

const GUIDE: &str = "# Guide\n\n## Install\n\nRun the command.\n";

#[test]
fn a_folder_of_documents_is_taken_whole() {
    let folder = Folder::new(&[("a.md", GUIDE), ("b/c.rst", "Title\n=====\n\nText.\n"), (".git/x.md", GUIDE)]);
    let proposal = folder.propose();
    assert_eq!(proposal.sources.len(), 1);
    assert_eq!((proposal.sources[0].path.as_str(), proposal.sources[0].count()), (".", 2));
    assert_eq!(proposal.guess, Some(Guess { preset: Preset::Docs, votes: 2, of: 2 }));
    assert!(proposal.text.contains("2 of 2 documents look like technical documentation: 400 tokens aimed at, 500"));
    assert!(!proposal.text.contains("include"));
    assert_eq!(folder.documents(&proposal), ["a.md", "b/c.rst"]);
}

#[test]
fn of_a_code_project_only_the_documents_are_taken() {
    let folder = Folder::new(&[
        ("README.md", GUIDE),
        ("src/main.rs", "fn main() {}\n"),
        ("docs/a.md", GUIDE),
        ("docs/b.markdown", GUIDE),
        ("docs/conf.py", "x = 1\n"),
        ("docs/manual.rtf", "{\\rtf1 x}\n"),
    ]);
    let proposal = folder.propose();
    assert_eq!(proposal.sources.len(), 1);
    assert_eq!(proposal.sources[0].path, "docs");
    assert_eq!(proposal.sources[0].include, ["*.markdown", "*.md"]);
    assert_eq!(proposal.guess, Some(Guess { preset: Preset::Docs, votes: 2, of: 2 }));
    assert_eq!(proposal.unread.get("rtf"), Some(&1));
    assert!(proposal.text.contains("# not read by this version: 1 rtf\n"));
    assert_eq!(folder.documents(&proposal), ["a.md", "b.markdown"]);
}

#[test]
fn what_a_run_wrote_is_no_document() {
    let report = "# Quality report\n\n1 document became 1 chunk. Made by gristmill 0.1.0.\n";
    let folder = Folder::new(&[("a.md", GUIDE), ("report.md", report), ("chunks.json", "[{\"chunk_id\":\"x\"}]\n")]);
    let proposal = folder.propose();
    assert_eq!((proposal.sources[0].path.as_str(), proposal.sources[0].count()), (".", 1));
    assert!(!proposal.text.contains("include"));
}

#[test]
fn several_folders_have_names_of_their_own() {
    let folder = Folder::new(&[("handbook/a.md", GUIDE), ("web/help/a.md", GUIDE), ("notes.md", GUIDE)]);
    let proposal = folder.propose();
    let paths: Vec<&str> = proposal.sources.iter().map(|source| source.path.as_str()).collect();
    assert_eq!(paths, ["handbook", "web/help"]);
    assert_eq!(folder.documents(&proposal), ["a.md", "a.md"]);
}

#[test]
fn what_was_named_is_taken() {
    let folder = Folder::new(&[("docs/a.md", GUIDE), ("it's \"odd\"\\/b.md", GUIDE), ("c.txt", "Words.\n")]);
    let paths = [PathBuf::from("it's \"odd\"\\"), PathBuf::from("c.txt")];
    let proposal = propose(folder.path(), &paths, Some(Preset::Legal)).unwrap();
    assert_eq!((proposal.preset, proposal.guess), (Some(Preset::Legal), None));
    assert_eq!(folder.documents(&proposal), ["b.md", "c.txt"]);
}

#[test]
fn without_documents_there_is_nothing_to_propose() {
    let folder = Folder::new(&[("main.unknown", "fn main() {}\n"), ("a.rtf", "{\\rtf1 x}\n")]);
    let error = propose(folder.path(), &[], None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
    assert!(error.to_string().starts_with("no documents found, only kinds that are not read yet (1 rtf): /"));
    let error = propose(folder.path(), &[PathBuf::from("nowhere")], None).unwrap_err();
    assert_eq!(error.to_string(), "no such file or folder: nowhere");
}

#[test]
fn where_there_are_only_programs_they_are_the_documents() {
    let folder = Folder::new(&[("src/main.rs", "fn main() {}\n"), ("b.unknown", "x\n")]);
    let proposal = folder.propose();
    assert_eq!(folder.documents(&proposal), ["src/main.rs"]);
    assert_eq!(proposal.guess.map(|guess| guess.preset), Some(Preset::Code));
}

#[test]
fn a_preset_that_cannot_be_used_is_not_written() {
    let folder = Folder::new(&[("a.md", GUIDE)]);
    let chosen = propose(folder.path(), &[], Some(Preset::Code));
    assert_eq!(chosen.is_ok(), can(Preset::Code));
}
