//! A disk without room.
#![cfg(target_os = "linux")]

use std::process::Command;

use crate::run::Folder;

/// Documents of some 3 MB.
fn documents(folder: &Folder) {
    for file in 0..60 {
        let sentence = |n: usize| format!("Pump {n} of station {file} moves {} liters of water in an hour. ", n * file);
        let text: String = (0..900).map(sentence).collect();
        folder.write(&format!("docs/{file}.md"), format!("# Station {file}\n\n{text}\n"));
    }
}

/// Runs a script in which `$store` is a folder on a disk of 2 MB, which `grow` makes larger; `None` where no disk can be made.
fn on_a_small_disk(folder: &Folder, script: &str) -> Option<String> {
    let head = "set -e; mkdir -p store; mount -t tmpfs -o size=2m none store || exit 77\n\
        grow() { mount -o remount,size=200m store; }; store=$PWD/store; gristmill=$1\n";
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-c", &format!("{head}{script}"), "sh"]);
    let ran = command.arg(env!("CARGO_BIN_EXE_gristmill")).current_dir(folder.path()).output().ok()?;
    let said = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    match ran.status.code() {
        Some(0) => Some(said),
        Some(77) => None,
        _ if said.contains("unshare") => None,
        code => panic!("ended with {code:?}: {said}"),
    }
}

#[test]
fn a_store_without_room_is_told_and_completed_when_there_is_some() {
    let folder = Folder::new();
    documents(&folder);
    let script = "set +e\n\
        $gristmill ingest -q docs --store $store/s.db 2> first.txt; echo \"first: $?\"\n\
        $gristmill status --store $store/s.db > /dev/null 2>&1; echo \"readable: $?\"\n\
        grow; $gristmill ingest -q docs --store $store/s.db; echo \"second: $?\"\n\
        $gristmill verify docs --store $store/s.db > /dev/null; echo \"in step: $?\"\n\
        $gristmill export --store $store/s.db --format jsonl --with-vectors | sort > grown.txt\n\
        $gristmill ingest -q docs --store fresh.db && $gristmill export --store fresh.db --format jsonl --with-vectors | sort > fresh.txt\n\
        cmp grown.txt fresh.txt && echo equal";
    let Some(said) = on_a_small_disk(&folder, script) else {
        println!(
            "skipped: a small disk needs `unshare` and the right to mount; run it as root or allow user namespaces"
        );
        return;
    };
    let first = folder.read("first.txt");
    assert!(first.contains("no space is left for the store"), "{first}");
    assert!(!first.contains("panicked"), "{first}");
    for line in ["readable: 0", "second: 0", "in step: 0", "equal"] {
        assert!(said.lines().any(|found| found == line), "{line} in: {said}\n{first}");
    }
    // Some documents may have been committed before: then it is 4, else 5.
    assert!(said.contains("first: 4") || said.contains("first: 5"), "{said}");
}

#[test]
fn an_output_without_room_is_no_success() {
    let folder = Folder::new();
    documents(&folder);
    for script in [
        "set +e; $gristmill curate docs -q -o $store/chunks.json 2> said.txt; echo \"code: $?\"; ls -A $store",
        "set +e; $gristmill chunk docs -q > $store/chunks.jsonl 2> said.txt; echo \"code: $?\"",
    ] {
        let Some(said) = on_a_small_disk(&folder, script) else {
            println!(
                "skipped: a small disk needs `unshare` and the right to mount; run it as root or allow user namespaces"
            );
            return;
        };
        let told = folder.read("said.txt");
        let lines: Vec<&str> = told.lines().filter(|line| line.starts_with("error")).collect();
        assert!(lines.len() == 1 && lines[0].contains("No space left on device"), "{told}");
        assert!(said.starts_with("code: 2\n"), "{said}");
        assert!(!said.contains("chunks.json"), "a part of the chunks looks like all of them: {said}");
    }
}
