//! Help, versions and what else the program says of itself.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::run::Folder;

const COMMANDS: [&str; 24] = [
    "init",
    "inspect",
    "extract",
    "chunk",
    "curate",
    "scan",
    "fix",
    "plan",
    "ingest",
    "verify",
    "status",
    "export",
    "gc",
    "search",
    "eval",
    "diff",
    "models",
    "tokens",
    "rules",
    "explain",
    "formats",
    "config",
    "completions",
    "version",
];

#[test]
fn help_fits_a_screen_with_one_line_an_option() {
    let folder = Folder::new();
    let whole = folder.run(&["--help"]);
    assert_eq!((whole.code, whole.stderr.as_str()), (Some(0), ""));
    assert!(whole.stdout.lines().count() <= 50, "{}", whole.stdout);
    for command in COMMANDS {
        assert!(whole.stdout.contains(&format!("\n  {command} ")), "{command}");
        let help = folder.run(&[command, "--help"]);
        assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""));
        for line in help.stdout.lines().chain(whole.stdout.lines()) {
            assert!(line.chars().count() <= 80, "{command}: {line}");
            // An option whose help stands under it begins no text on its own line.
            let option = line.trim_start().starts_with('-');
            assert!(!option || line.trim_start().contains("  "), "{command}: {line}");
        }
    }
}

#[test]
fn without_a_command_help_goes_to_standard_error() {
    let ran = Folder::new().run(&[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.contains("Usage: gristmill COMMAND [OPTIONS]"));
}

#[test]
fn versions_are_told_to_people_and_programs() {
    let folder = Folder::new();
    let version = env!("CARGO_PKG_VERSION");
    folder.run(&["--version"]).is(0, &format!("gristmill {version}\n"), "");
    let text = folder.run(&["version"]);
    assert!(text.stdout.starts_with(&format!("gristmill {version} (")) && text.stdout.contains("record schema 1"));
    let json: Value = serde_json::from_str(&folder.run(&["version", "--format", "json"]).stdout).unwrap();
    assert_eq!((&json["version"], &json["record_schema"]), (&version.into(), &1.into()));
}

#[test]
fn what_is_read_written_and_used_is_listed() {
    let folder = Folder::new();
    let text = folder.run(&["formats"]);
    assert_eq!((text.code, text.stderr.as_str()), (Some(0), ""));
    let json: Value = serde_json::from_str(&folder.run(&["formats", "--format", "json"]).stdout).unwrap();
    for key in ["readers", "writers", "strategies", "tokenizers", "sources", "embedders", "stores"] {
        let entries = json[key].as_array().unwrap();
        assert!(!entries.is_empty(), "{key}");
        for entry in entries {
            let (name, summary) = (entry["name"].as_str().unwrap(), entry["summary"].as_str().unwrap());
            assert!(text.stdout.contains(&format!("  {name} ")) && text.stdout.contains(summary), "{name}");
        }
    }
    for kind in json["unread"].as_array().unwrap() {
        assert!(text.stdout.contains(kind.as_str().unwrap()));
    }
}

#[test]
fn every_shell_is_helped() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = Folder::new().run(&["completions", shell]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        assert!(["gristmill", "curate", "source-root"].iter().all(|word| ran.stdout.contains(word)), "{shell}");
    }
}

#[test]
fn the_reference_is_up_to_date() {
    for (file, args) in [
        ("commands.md", &["help-markdown"][..]),
        ("config.schema.json", &["config", "schema"]),
        ("rules.md", &["rules", "--format", "markdown"]),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference").join(file);
        let there = fs::read_to_string(path).unwrap().replace("\r\n", "\n");
        let made = Folder::new().run(args).stdout;
        let differs = there.lines().zip(made.lines()).position(|(there, made)| there != made);
        assert!(there == made, "{file} is out of date from line {differs:?} (+1) on: run `cargo xtask generate`");
    }
}

#[test]
fn tokens_are_counted() {
    let folder = Folder::with(&[("a.txt", "hello world"), ("sp.txt", "<|endoftext|>")]);
    folder.run(&["tokens", "a.txt"]).is(0, "2\n", "");
    folder.run(&["tokens", "--tokenizer", "cl100k_base", "sp.txt"]).is(0, "7\n", "");
    folder.run_with_input(&["tokens", "-"], b"hello world").is(0, "2\n", "");
    folder.write("latin.txt", b"caf\xe9");
    folder.run(&["tokens", "latin.txt"]).fails(2, "error: not UTF-8 from byte 3 on: latin.txt\n");
}

#[test]
fn colour_is_used_where_it_is_wanted() {
    let folder = Folder::new();
    let coloured = |args: &[&str], env: &[(&str, &str)]| {
        let mut command = folder.command(args);
        command.envs(env.iter().copied());
        let ran = folder.finish(command);
        (ran.stdout + &ran.stderr).contains('\u{1b}')
    };
    for args in [&["chunk", "nowhere"][..], &["--help"], &["formats"], &["chunk", "--nonsense"]] {
        let with = |color: &'static str| [args, &["--color", color]].concat();
        assert!(!coloured(args, &[]), "not on a terminal: {args:?}");
        assert!(coloured(&with("always"), &[]) && coloured(&with("always"), &[("NO_COLOR", "1")]), "{args:?}");
        assert!(!coloured(&with("never"), &[("CLICOLOR_FORCE", "1")]), "{args:?}");
    }
}
