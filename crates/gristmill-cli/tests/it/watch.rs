//! `gristmill watch`, and sources that are repositories.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::run::Folder;

/// Ends the process when the test ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_change_is_stored_while_it_watches() {
    let folder = Folder::with(&[("docs/a.md", "# A\n\nThe first pump.\n")]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_gristmill"));
    command.current_dir(folder.path()).args(["watch", "docs", "--quiet-time", "20"]).stdin(Stdio::null());
    let mut running = Running(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
    let mut lines = BufReader::new(running.0.stdout.take().unwrap()).lines();
    let mut next = || loop {
        let line = lines.next().unwrap().unwrap();
        if line.starts_with("documents:") {
            return line;
        }
    };
    assert_eq!(next(), "documents: 1 new");
    folder.write("docs/b.md", "# B\n\nThe second pump.\n");
    assert_eq!(next(), "documents: 1 new, 1 unchanged");
    folder.write("docs/a.md", "# A\n\nThe first pump was moved.\n");
    assert_eq!(next(), "documents: 1 modified, 1 unchanged");
    std::fs::remove_file(folder.at("docs/b.md")).unwrap();
    assert_eq!(next(), "documents: 1 deleted, 1 unchanged");
}

fn git(folder: &Path, args: &[&str]) -> bool {
    let mut command = Command::new("git");
    command.current_dir(folder).args(["-c", "user.name=t", "-c", "user.email=t@example.com"]).args(args);
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

#[test]
fn a_repository_is_a_source() {
    let folder = Folder::with(&[
        ("repository/docs/a.md", "# A\n\nThe pump in the repository.\n"),
        ("repository/other.md", "# Other\n\nNot in the folder.\n"),
        ("gristmill.toml", "version = 1\n[[source]]\ntype = \"git\"\nurl = \"repository\"\npath = \"docs\"\n"),
    ]);
    let repository = folder.at("repository");
    if !git(&repository, &["init", "-q", "-b", "main"]) {
        println!("skipped: sources of type git need the command git; install it to run this test");
        return;
    }
    let commit = || assert!(git(&repository, &["add", "."]) && git(&repository, &["commit", "-q", "-m", "c"]));
    commit();
    let documents = |ran: crate::run::Ran| {
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stdout.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(documents(folder.run(&["ingest"])), "documents: 1 new");
    folder.write("repository/docs/b.md", "# B\n\nA second page.\n");
    assert_eq!(documents(folder.run(&["ingest"])), "documents: 1 unchanged", "not committed yet");
    commit();
    assert_eq!(documents(folder.run(&["ingest"])), "documents: 1 new, 1 unchanged");
    let found = folder.run(&["search", "pump in the repository", "-k", "1"]);
    assert!(found.stdout.starts_with("1. a.md:1-3"), "{}", found.stdout);
    std::fs::remove_dir_all(&repository).unwrap();
    let lost = folder.run(&["ingest"]);
    assert!(lost.code == Some(2) || lost.code == Some(5), "{lost:?}");
    assert!(folder.run(&["search", "pump in the repository", "-k", "1"]).stdout.starts_with("1. a.md"));
}
