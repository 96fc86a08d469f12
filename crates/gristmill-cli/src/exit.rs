//! Exit codes and the form of errors.

use std::io::Write;
use std::process::ExitCode;

use gristmill::{Error, ErrorKind};

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

/// Prints an error with its causes and hint; gives the exit code.
pub fn failed(error: &Error) -> ExitCode {
    if error.kind() != ErrorKind::ClosedPipe {
        let mut err = std::io::stderr().lock();
        // Nobody is left to tell when standard error is closed.
        let _ = writeln!(err, "error: {}", error.chain());
        if let Some(hint) = error.hint_text() {
            let _ = writeln!(err, "\nhint: {hint}");
        }
        if error.kind() == ErrorKind::Bug {
            let _ = writeln!(err, "\nthis is a mistake in gristmill: please report it with the command and its input");
        }
    }
    ExitCode::from(code(error.kind()))
}

/// Prints what clap has to say: help to standard output, errors to standard error.
pub fn usage(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    ExitCode::from(if error.use_stderr() { USAGE } else { 0 })
}
