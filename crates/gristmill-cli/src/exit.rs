//! Exit codes, and what is said with them.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use gristmill::{Error, ErrorKind, Result};

use crate::say;

/// A gate failed.
pub const GATE: u8 = 1;
/// Bad usage, settings or input.
pub const USAGE: u8 = 2;
/// Our mistake.
pub const BUG: u8 = 3;
/// Finished, but some documents failed.
pub const PARTIAL: u8 = 4;
/// A service was out of reach or a guard tripped, and nothing was committed.
pub const UNREACHED: u8 = 5;
/// Interrupted.
pub const INTERRUPTED: u8 = 130;

/// The exit code of an error.
pub fn code(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::Usage | ErrorKind::Config | ErrorKind::Input => USAGE,
        ErrorKind::Remote | ErrorKind::Store | ErrorKind::Guard => UNREACHED,
        ErrorKind::Cancelled => INTERRUPTED,
        ErrorKind::ClosedPipe => 0,
        ErrorKind::Bug => BUG,
    }
}

/// Where panics began, for the report of a mistake.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Runs the program: an error is told with its causes and hint, a panic as a mistake of ours.
pub fn guarded(program: impl FnOnce() -> Result<ExitCode>) -> ExitCode {
    set_hook(Box::new(|panic| {
        let place = panic.location().map_or_else(String::new, ToString::to_string);
        PANICS.lock().unwrap_or_else(PoisonError::into_inner).push(place);
    }));
    match catch_unwind(AssertUnwindSafe(program)) {
        Ok(Ok(code)) => code,
        Ok(Err(error)) => failed(&error),
        Err(panic) => failed(&Error::bug(format!("a step panicked: {}", message(panic.as_ref())))),
    }
}

fn message(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

/// Tells an error; gives its exit code.
pub fn failed(error: &Error) -> ExitCode {
    if error.kind() != ErrorKind::ClosedPipe {
        say::error(&error.chain());
        if let Some(hint) = error.hint_text() {
            say::hint(hint);
        }
    }
    if error.kind() == ErrorKind::Bug {
        bug();
    }
    ExitCode::from(code(error.kind()))
}

/// Says that something was our mistake, and where.
pub fn bug() {
    let mut places = PANICS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    places.sort_unstable();
    places.dedup();
    let at = if places.is_empty() { String::new() } else { format!(" ({})", places.join(", ")) };
    say::line("");
    say::line(&format!(
        "this is a mistake in gristmill {}{at}: please report it with the command and its input",
        env!("CARGO_PKG_VERSION")
    ));
}

/// Prints what clap has to say: help to standard output, errors to standard error.
pub fn usage(error: &clap::Error) -> ExitCode {
    // A closed pipe is no failure.
    let _ = error.print();
    ExitCode::from(if error.use_stderr() { USAGE } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_our_mistake() {
        let code = guarded(|| panic!("deliberate"));
        drop(std::panic::take_hook());
        assert_eq!(format!("{code:?}"), format!("{:?}", ExitCode::from(BUG)));
        let places = PANICS.lock().unwrap_or_else(PoisonError::into_inner);
        assert!(places.iter().any(|place| place.contains("exit.rs")));
    }

    #[test]
    fn every_kind_of_error_has_its_code() {
        for (kind, expected) in [
            (ErrorKind::Usage, 2),
            (ErrorKind::Config, 2),
            (ErrorKind::Input, 2),
            (ErrorKind::Bug, 3),
            (ErrorKind::Remote, 5),
            (ErrorKind::Store, 5),
            (ErrorKind::Guard, 5),
            (ErrorKind::Cancelled, 130),
            (ErrorKind::ClosedPipe, 0),
        ] {
            assert_eq!(code(kind), expected, "{kind:?}");
        }
    }
}
