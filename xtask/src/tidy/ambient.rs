//! Environment, current folder and clock are read in front ends only and handed in.

use super::tree::File;

const FRONT_ENDS: &[&str] = &["gristmill-cli", "gristmill-server", "gristmill-python", "gristmill-bench", "xtask"];

const TRIALS: &[&str] = &["tests", "benches", "examples", "fuzz"];

const AMBIENT: &[&str] = &["std::env", "env::var", "current_dir", "SystemTime::now", "Utc::now", "Local::now"];

pub fn check(file: &File, found: &mut Vec<String>) {
    // Cargo speaks to build scripts by the environment.
    let may_ask = file.is_below(TRIALS) || file.path.ends_with("tests.rs") || file.path.ends_with("/build.rs");
    if !file.is_rust() || file.is_below(FRONT_ENDS) || may_ask {
        return;
    }
    for (number, line) in file.code_lines() {
        for name in AMBIENT.iter().filter(|name| line.contains(**name)) {
            found.push(format!("{}:{number}: `{name}` outside the front ends", file.path));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_front_ends_and_tests_may_ask() {
        let breaches = |path: &str| {
            let mut found = Vec::new();
            let text =
                "let root = env!(\"X\");\nstd::env::var(\"A\");\n#[cfg(test)]\nmod tests {\nstd::env::temp_dir();\n}\n";
            check(&File::new(path, text), &mut found);
            found
        };
        let expected = [
            "crates/a/src/b.rs:2: `std::env` outside the front ends",
            "crates/a/src/b.rs:2: `env::var` outside the front ends",
        ];
        assert_eq!(breaches("crates/a/src/b.rs"), expected);
        assert_eq!(breaches("crates/a/tests/b.rs"), [""; 0]);
        assert_eq!(breaches("crates/gristmill-cli/src/b.rs"), [""; 0]);
        assert_eq!(breaches("crates/a/build.rs"), [""; 0]);
    }
}
