//! Counts of passed, failed and skipped tests, from the closing lines of test runners.

use std::fmt;
use std::ops::AddAssign;

/// Outcomes of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: u64,
    pub failed: u64,
    pub skipped: u64,
}

impl Tally {
    /// A step that is no test and failed.
    pub fn failure() -> Self {
        Self { failed: 1, ..Self::default() }
    }

    /// A step that cannot be done here.
    pub fn skip() -> Self {
        Self { skipped: 1, ..Self::default() }
    }

    /// What the closing line of cargo-nextest, of the standard test harness, of pytest or of the case runner says.
    /// Other lines give nothing, nor do indented ones, which cargo-nextest quotes from the tests.
    pub fn from_line(line: &str) -> Option<Self> {
        if let Some(result) = line.strip_prefix("test result:") {
            return Some(Self::from_counts(result));
        }
        if line.trim_start().starts_with("Summary [") {
            return line.split_once(" run:").map(|(_, counts)| Self::from_counts(counts));
        }
        if let Some(counts) = of_pytest(line) {
            return Some(Self::from_counts(counts));
        }
        let is_cases = line.split(", ").map(|part| part.split(' ').next_back()).eq(CASE_WORDS.map(Some));
        is_cases.then(|| Self::from_counts(line))
    }

    /// Reads `3 passed, 1 failed; 2 ignored`. Remarks such as `(1 flaky)` are no counts.
    fn from_counts(text: &str) -> Self {
        let mut tally = Self::default();
        let words: Vec<&str> = text.split([' ', ',', ';']).filter(|word| !word.is_empty()).collect();
        for pair in words.windows(2) {
            let Ok(count) = pair[0].parse::<u64>() else { continue };
            match pair[1] {
                "passed" => tally.passed += count,
                "failed" | "timed" | "exec" | "error" | "errors" => tally.failed += count,
                "skipped" | "ignored" => tally.skipped += count,
                _ => {}
            }
        }
        tally
    }
}

/// The counts in `=== 1 failed, 8 passed in 1.20s ===`; the signs around it may be missing.
fn of_pytest(line: &str) -> Option<&str> {
    let (counts, time) = line.trim_matches(['=', ' ']).split_once(" in ")?;
    let is_count = |part: &str| part.split_once(' ').is_some_and(|(number, _)| number.parse::<u64>().is_ok());
    let time = time.split(' ').next()?.strip_suffix('s')?;
    (time.parse::<f64>().is_ok() && counts.split(", ").all(is_count)).then_some(counts)
}

const CASE_WORDS: [&str; 3] = ["passed", "failed", "skipped"];

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(passed: u64, failed: u64, skipped: u64) -> Option<Tally> {
        Some(Tally { passed, failed, skipped })
    }

    #[test]
    fn closing_lines_of_four_runners() {
        let lines = [
            ("     Summary [   0.467s] 46 tests run: 45 passed (1 flaky), 1 failed, 3 skipped", tally(45, 1, 3)),
            ("     Summary [   0.467s] 1 test run: 1 passed, 0 skipped", tally(1, 0, 0)),
            (
                "     Summary [  61.000s] 9/12 tests run: 5 passed, 2 failed, 1 timed out, 1 exec failed, 3 skipped",
                tally(5, 4, 3),
            ),
            (
                "test result: ok. 7 passed; 0 failed; 2 ignored; 0 measured; 30 filtered out; finished in 0.47s",
                tally(7, 0, 2),
            ),
            ("test result: FAILED. 7 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out", tally(7, 1, 0)),
            ("12 passed, 3 failed, 0 skipped", tally(12, 3, 0)),
            ("==== 1 failed, 8 passed, 2 skipped, 1 error in 61.20s (0:01:01) ====", tally(8, 2, 2)),
            ("88 passed, 1 warning in 1.02s", tally(88, 0, 0)),
            ("no tests ran in 0.01s", None),
            ("12 passed, 3 failed", None),
            ("    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 13 filtered out", None),
            ("running 46 tests", None),
        ];
        for (line, expected) in lines {
            assert_eq!(Tally::from_line(line), expected, "{line}");
        }
    }

    #[test]
    fn what_is_said_can_be_read() {
        let said = Tally { passed: 4, failed: 5, skipped: 6 };
        assert_eq!(Tally::from_line(&said.to_string()), Some(said));
    }
}
