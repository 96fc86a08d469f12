//! Every command that a page shows is run, in a copy of `examples/`, and does what the page says.
//!
//! In a block of `console`, a line that begins with `$ ` is typed, and what follows is what it prints, on either stream; a
//! line `…` stands for any lines, and a last line `# exit 1` for the exit code where it is not 0. In a block of `sh` each
//! line is typed; nothing is said of its output. A page is one session: files that a command writes are there for the next.
//! With `UPDATE_PAGES=1` the pages are written anew with what the commands print.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};

use crate::run::Folder;

/// Pages, and the section that is run where not all of a page is.
const PAGES: [(&str, Option<&str>); 8] = [
    ("README.md", Some("## Scan and fix")),
    ("README.md", Some("## Keep a store in step")),
    ("docs/guide/start.md", None),
    ("docs/guide/scan-and-fix.md", None),
    ("docs/guide/curate.md", None),
    ("docs/guide/ingest.md", None),
    ("docs/guide/evaluate.md", None),
    ("docs/guide/serve.md", None),
];

/// A block after a line that begins with this is not run; the line says why.
const NOT_RUN: &str = "<!-- not run:";

#[test]
fn every_shown_command_does_what_is_shown() {
    let mut wrong = Vec::new();
    for (name, section) in PAGES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
        let page = fs::read_to_string(&path).unwrap();
        let mut session = Session { name, folder: Folder::examples(), wrong: Vec::new() };
        let real = session.play(&page, section);
        if std::env::var_os("UPDATE_PAGES").is_some() {
            fs::write(&path, real).unwrap();
        }
        wrong.append(&mut session.wrong);
    }
    assert!(wrong.is_empty(), "\n{}\n\n`UPDATE_PAGES=1` writes what the commands print", wrong.join("\n\n"));
}

/// A page at work.
struct Session {
    name: &'static str,
    folder: Folder,
    wrong: Vec<String>,
}

/// A command with what the page says of it.
struct Step<'a> {
    line: usize,
    typed: Vec<&'a str>,
    shown: Vec<&'a str>,
}

impl Session {
    /// Runs the commands of a page; gives the page with what they really print.
    fn play(&mut self, page: &str, section: Option<&str>) -> String {
        let mut real: Vec<String> = Vec::new();
        let mut lines = page.lines().enumerate().peekable();
        let mut inside = section.is_none();
        let mut before = "";
        while let Some((at, line)) = lines.next() {
            if let Some(section) = section.filter(|_| line.starts_with("## ")) {
                inside = line == section;
            }
            real.push(line.to_owned());
            let runs = inside && !before.starts_with(NOT_RUN);
            if line.starts_with("```") && line != "```" {
                let mut block = Vec::new();
                while let Some((_, line)) = lines.next_if(|(_, line)| *line != "```") {
                    block.push(line);
                }
                match line {
                    "```console" if runs => real.extend(self.console(at + 2, &block)),
                    "```sh" if runs => real.extend(self.sh(at + 2, &block)),
                    _ => real.extend(block.iter().map(ToString::to_string)),
                }
                real.extend(lines.next().map(|(_, line)| line.to_owned()));
            }
            before = line;
        }
        real.join("\n") + "\n"
    }

    fn sh(&mut self, first: usize, block: &[&str]) -> Vec<String> {
        for (at, line) in block.iter().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            let (code, printed) = self.run(line);
            if code != 0 {
                self.wrong.push(format!("{}:{}: `{line}` exits with {code}:\n{printed}", self.name, first + at));
            }
        }
        block.iter().map(ToString::to_string).collect()
    }

    fn console(&mut self, first: usize, block: &[&str]) -> Vec<String> {
        let mut real = Vec::new();
        for step in steps(first, block) {
            let (code, printed) = self.run(&step.typed.join("\n").replacen("$ ", "", 1));
            let mut printed: Vec<&str> = printed.lines().collect();
            let exit = format!("# exit {code}");
            if code != 0 {
                printed.push(&exit);
            }
            let gap = step.shown.iter().rev().take_while(|line| line.is_empty()).count();
            let shown = &step.shown[..step.shown.len() - gap];
            while printed.last().is_some_and(|line| line.is_empty()) {
                printed.pop();
            }
            real.extend(step.typed.iter().map(ToString::to_string));
            if agrees(shown, &printed) {
                real.extend(shown.iter().map(ToString::to_string));
            } else {
                let (place, typed) = (format!("{}:{}", self.name, step.line), step.typed.join("\n"));
                self.wrong.push(format!("{place}: `{typed}` prints\n{}", printed.join("\n")));
                real.extend(printed.iter().map(ToString::to_string));
            }
            real.extend(vec![String::new(); gap]);
        }
        real
    }

    /// What a shell prints for a line, on either stream.
    fn run(&self, line: &str) -> (i32, String) {
        let program = PathBuf::from(env!("CARGO_BIN_EXE_gristmill"));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(
            std::iter::once(program.parent().unwrap().to_owned()).chain(std::env::split_paths(&path)),
        );
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &format!("exec 2>&1\n{line}")]).current_dir(self.folder.path());
        command.env_clear().env("HOME", self.folder.path()).env("PATH", path.unwrap());
        let output = command.output().unwrap();
        (output.status.code().unwrap_or(-1), String::from_utf8(output.stdout).unwrap())
    }
}

/// The commands of a block of `console`.
fn steps<'a>(first: usize, block: &[&'a str]) -> Vec<Step<'a>> {
    let mut steps: Vec<Step<'a>> = Vec::new();
    for (at, line) in block.iter().enumerate() {
        let goes_on = steps
            .last()
            .is_some_and(|step| step.shown.is_empty() && step.typed.iter().all(|line| line.ends_with('\\')));
        match steps.last_mut() {
            _ if line.starts_with("$ ") => steps.push(Step { line: first + at, typed: vec![line], shown: Vec::new() }),
            Some(step) if goes_on => step.typed.push(line),
            Some(step) => step.shown.push(line),
            None => panic!("line {}: a block of `console` begins with `$ `: {line}", first + at),
        }
    }
    steps
}

/// True when lines are as they are shown, where `…` stands for any lines.
fn agrees(shown: &[&str], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((&"…", rest)) => (0..=printed.len()).any(|from| agrees(rest, &printed[from..])),
        Some((line, rest)) => printed.first() == Some(line) && agrees(rest, &printed[1..]),
    }
}

#[test]
fn a_page_is_read_as_people_read_it() {
    let page = "text\n\n## Part\n\n```console\n$ echo a \\\n  b; exit 3\na b\n# exit 3\n\n$ printf '1\\n2\\n3\\n'\n1\n…\n```\n\n\
                ```sh\n# a remark\nprintf x > made\ntest -f made\n```\n\n<!-- not run: it is made up -->\n```sh\nfalse\n```\n\n\
                ## Other\n\n```sh\nfalse\n```\n";
    let play = |page: &str| {
        let mut session = Session { name: "p", folder: Folder::new(), wrong: Vec::new() };
        (session.play(page, Some("## Part")), session.wrong)
    };
    assert_eq!(play(page), (page.to_owned(), Vec::new()));
    let stale = page.replace("a b\n# exit 3", "a c");
    let (real, wrong) = play(&stale);
    assert_eq!(
        (real.as_str(), wrong),
        (page, vec!["p:6: `$ echo a \\\n  b; exit 3` prints\na b\n# exit 3".to_owned()])
    );
    let (_, wrong) = play(&page.replace("test -f made", "test -f gone"));
    assert_eq!(wrong, ["p:19: `test -f gone` exits with 1:\n"]);
}
