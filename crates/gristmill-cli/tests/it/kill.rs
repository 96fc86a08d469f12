//! Killed at any moment, a run leaves a store that the next one completes.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::service::Service;

/// Runs that are killed before they end.
const KILLS: u32 = 100;

fn gristmill(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gristmill"));
    command.current_dir(folder).args(args).env("KEY", "k").stdin(Stdio::null()).stderr(Stdio::null());
    command
}

fn configure(folder: &Path, service: &Service, max: u32) {
    let url = service.url();
    let text = format!(
        "version = 1\n[[source]]\npath = \"docs\"\n[chunk]\nmax = {max}\nmin = 0\noverlap = 0\nunit = \"chars\"\n\
        [embed]\nprovider = \"openai\"\nmodel = \"stub\"\nbase_url = \"{url}\"\napi_key_env = \"KEY\"\nbatch_size = 4\n\
        [store]\nbatch_size = 5\n"
    );
    std::fs::write(folder.join("gristmill.toml"), text).unwrap();
}

fn write(folder: &Path, file: u32, version: u32) {
    let mut text = format!("# File {file}\n\n");
    for n in 0..(3 + (file + version) % 5) {
        // Half of the paragraphs change with the version.
        let version = if n % 2 == 0 { 0 } else { version };
        text.push_str(&format!("Paragraph {n} of file {file} in version {version} says something of its own.\n\n"));
    }
    std::fs::write(folder.join("docs").join(format!("{file}.md")), text).unwrap();
}

/// Texts and payloads of a store, sorted.
fn exported(folder: &Path) -> Vec<String> {
    let out = gristmill(folder, &["export", "--format", "jsonl", "--with-vectors"]).output().unwrap();
    let mut lines: Vec<String> = String::from_utf8(out.stdout).unwrap().lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

fn texts(lines: &[String]) -> BTreeSet<String> {
    let text = |line: &String| {
        let value: Value = serde_json::from_str(line).unwrap();
        value["content"].as_str().unwrap().to_owned()
    };
    lines.iter().map(text).collect()
}

#[test]
fn a_killed_run_is_completed_by_the_next_one_and_nothing_is_paid_twice() {
    let service = Service::start(Duration::from_millis(1));
    let folder = tempfile::tempdir().unwrap();
    let fresh = tempfile::tempdir().unwrap();
    for place in [folder.path(), fresh.path()] {
        std::fs::create_dir(place.join("docs")).unwrap();
    }
    configure(folder.path(), &service, 80);
    (0..30).for_each(|file| write(folder.path(), file, 0));
    assert!(gristmill(folder.path(), &["ingest"]).stdout(Stdio::null()).status().unwrap().success());
    // As long as a run may go on before it is killed; it follows how long runs take, so that most are killed at work.
    let mut most = Duration::from_millis(100);
    let mut random = 0x2545_f491_4f6c_dd1du64;
    let mut next = |most: u32| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % u64::from(most)) as u32
    };
    let (mut killed, mut round) = (0, 0);
    while killed < KILLS {
        round += 1;
        assert!(round <= 10 * KILLS, "only {killed} runs were killed before they ended");
        for _ in 0..6 {
            write(folder.path(), next(30), round);
        }
        let gone = folder.path().join("docs").join(format!("{}.md", next(30)));
        if round % 7 == 0 && gone.exists() {
            std::fs::remove_file(gone).unwrap();
        }
        if round % 20 == 0 {
            configure(folder.path(), &service, 80 + round);
        }
        let mut run = gristmill(folder.path(), &["ingest"]).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(most * next(1000) / 1000);
        let at_work = run.try_wait().unwrap().is_none();
        killed += u32::from(at_work);
        most = if at_work { most * 11 / 10 } else { most * 3 / 4 };
        run.kill().unwrap();
        run.wait().unwrap();
        if round % 5 == 0 {
            let stored = texts(&exported(folder.path()));
            service.take();
            let status = gristmill(folder.path(), &["ingest"]).stdout(Stdio::null()).status().unwrap();
            assert!(status.success(), "round {round}: {status}");
            let sent = service.take();
            let distinct: BTreeSet<String> = sent.iter().cloned().collect();
            assert_eq!(sent.len(), distinct.len(), "round {round}: a text was embedded twice");
            let again: Vec<&String> = distinct.intersection(&stored).collect();
            assert!(again.is_empty(), "round {round}: embedded though stored: {again:?}");
            equals_fresh(folder.path(), fresh.path(), round);
        }
    }
}

/// The store holds what a first ingest of the present documents would hold.
fn equals_fresh(folder: &Path, fresh: &Path, round: u32) {
    let _ = std::fs::remove_dir_all(fresh.join(".gristmill"));
    std::fs::remove_dir_all(fresh.join("docs")).unwrap();
    std::fs::create_dir(fresh.join("docs")).unwrap();
    for entry in std::fs::read_dir(folder.join("docs")).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), fresh.join("docs").join(entry.file_name())).unwrap();
    }
    std::fs::copy(folder.join("gristmill.toml"), fresh.join("gristmill.toml")).unwrap();
    assert!(gristmill(fresh, &["ingest"]).stdout(Stdio::null()).status().unwrap().success());
    assert_eq!(exported(folder), exported(fresh), "round {round}");
    let verified = gristmill(folder, &["verify"]).stdout(Stdio::null()).status().unwrap();
    assert!(verified.success(), "round {round}: verify says {verified}");
}
