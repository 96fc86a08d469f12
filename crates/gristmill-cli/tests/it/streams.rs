//! Pipes that close, progress, and interrupts.

use serde_json::Value;

use crate::run::{Folder, Ran};

/// A folder whose chunks fill more than a pipe.
fn large() -> Folder {
    let folder = Folder::new();
    for n in 0..40 {
        let paragraph = format!("Paragraph of document {n}, with some words. ").repeat(10);
        folder.write(&format!("docs/{n}.md"), format!("# {n}\n\n{}", format!("{paragraph}\n\n").repeat(20)));
    }
    folder
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = large();
    for args in [&["chunk", "docs"][..], &["extract", "docs"], &["curate", "docs", "-o", "-"], &["completions", "zsh"]]
    {
        let mut child = folder.command(args).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.contains("error")), (Some(0), false), "{args:?}: {stderr}");
    }
}

#[test]
fn nobody_listening_is_no_error() {
    let folder = large();
    folder.write("docs/open.md", "```\nnever closed\n");
    for args in [&["chunk", "docs", "--progress", "plain"][..], &["curate", "docs"], &["chunk", "nowhere"]] {
        let mut child = folder.command(args).spawn().unwrap();
        drop((child.stdout.take(), child.stderr.take()));
        let expected = if args.contains(&"nowhere") { 2 } else { 0 };
        assert_eq!(child.wait().unwrap().code(), Some(expected), "{args:?}");
    }
}

#[test]
fn progress_is_told_as_asked() {
    let folder = Folder::with(&[("docs/a.md", "# A\n\nWords.\n"), ("docs/b.md", "# B\n\nMore.\n")]);
    let run = |how: &str| -> Ran { folder.run(&["chunk", "docs", "--progress", how]) };
    for how in ["auto", "none"] {
        assert_eq!(run(how).stderr, "");
    }
    assert_eq!(run("plain").stderr, "2 of 2 documents\n");
    let event: Value = serde_json::from_str(&run("json").stderr).unwrap();
    assert_eq!(event, serde_json::json!({ "event": "progress", "done": 2, "total": 2, "source": "b.md" }));
    assert_eq!(folder.run(&["chunk", "docs", "--progress", "plain", "-q"]).stderr, "");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_run_and_leaves_no_half_output() {
    use std::os::unix::process::ExitStatusExt;
    let folder = large();
    folder.write("chunks.json", "[]");
    // Nobody reads the pipe, so that the run waits in its middle.
    let mut child = folder.command(&["chunk", "docs", "--run-report", "run.json"]).spawn().unwrap();
    let mut first = [0];
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut first).unwrap();
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    // Shells show an end by this signal as 130.
    assert_eq!(child.wait().unwrap().signal(), Some(2));
    assert_eq!(folder.names(), ["chunks.json", "docs"]);
    assert_eq!(folder.read("chunks.json"), "[]");
}
