//! What to type next: the command that was typed, turned into another one.

/// Options with a value that say how a report is shown.
const SHOWN: [&str; 5] = ["--format", "--max-findings", "--color", "--progress", "--stdin-name"];

/// Options with a value that are about the report of `scan` and mean something else to `fix`.
const REPORTED: [&str; 5] = ["-o", "--output", "--fail-on", "--baseline", "--write-baseline"];

/// Options without a value that a repair needs no more.
const FLAGS: [&str; 7] = ["--statistics", "-q", "--quiet", "-v", "--verbose", "--dry-run", "--diff"];

/// The `fix` that repairs what this `scan` found.
pub fn fix_after_scan() -> String {
    turned(std::env::args().skip(1), true)
}

/// The `fix` that does what this dry run showed.
pub fn fix_after_dry_run() -> String {
    turned(std::env::args().skip(1), false)
}

fn turned(args: impl Iterator<Item = String>, from_scan: bool) -> String {
    let mut args = args.peekable();
    let mut typed = vec!["gristmill".to_owned()];
    let mut named = false;
    while let Some(arg) = args.next() {
        if arg == "--" {
            typed.push(arg);
            typed.extend(args.by_ref().map(|arg| quoted(&arg)));
            break;
        }
        let (name, value) = arg.split_once('=').map_or((arg.as_str(), None), |(name, value)| (name, Some(value)));
        if SHOWN.contains(&name) || (from_scan && REPORTED.contains(&name)) {
            if value.is_none() {
                args.next();
            }
        } else if !named && ["scan", "check", "lint", "fix"].contains(&name) {
            named = true;
            typed.push("fix".to_owned());
        } else if !FLAGS.contains(&name) && !is_bundle(name) {
            typed.push(quoted(&arg));
        }
    }
    typed.join(" ")
}

/// Short options in one word, such as `-qv`.
fn is_bundle(arg: &str) -> bool {
    arg.strip_prefix('-').is_some_and(|short| !short.is_empty() && short.chars().all(|c| "qv".contains(c)))
}

/// An argument as a shell takes it.
fn quoted(arg: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_./:=,@%+-".contains(c);
    if !arg.is_empty() && arg.chars().all(is_plain) {
        arg.to_owned()
    } else {
        format!("'{}'", arg.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_repair_needs_stays() {
        for (typed, from_scan, next) in [
            ("scan a.json", true, "fix a.json"),
            ("--color never lint a.json --format=sarif -o x --select a,b -qv", true, "fix a.json --select a,b"),
            ("check --max-chars 9 --fail-on low --baseline b -- -x.json", true, "fix --max-chars 9 -- -x.json"),
            ("fix a.json --dry-run -v --diff -o b.json", false, "fix a.json -o b.json"),
            ("scan -", true, "fix -"),
        ] {
            let args = typed.split(' ').map(str::to_owned);
            assert_eq!(turned(args, from_scan), format!("gristmill {next}"), "{typed}");
        }
    }

    #[test]
    fn names_are_quoted_for_a_shell() {
        let args = ["scan", "my chunks.json", "it's.json", "데이터.json"].map(str::to_owned);
        assert_eq!(turned(args.into_iter(), true), r"gristmill fix 'my chunks.json' 'it'\''s.json' 데이터.json");
    }
}
