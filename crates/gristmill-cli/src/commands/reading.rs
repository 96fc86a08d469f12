//! The process that reads one PDF. The command starts itself for it, so that a file which breaks the reader, or takes too much
//! time or memory, costs no more than itself.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::ValueEnum;
use gristmill::Result;
use gristmill::config::Ocr;

/// The name of the command.
pub const NAME: &str = "read-pdf";

/// Read a PDF from standard input, for the process that starts this one
#[derive(Debug, clap::Args)]
#[command(hide = true)]
pub struct Args {
    ocr: Which,
    languages: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Which {
    Auto,
    Images,
    Off,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let which = match args.ocr {
        Which::Auto => Ocr::Auto,
        Which::Images => Ocr::Images,
        Which::Off => Ocr::Off,
    };
    gristmill::read_pdf(&mut std::io::stdin().lock(), &mut std::io::stdout().lock(), which, &args.languages)?;
    Ok(ExitCode::SUCCESS)
}

/// How to start it; nothing where this program cannot be found, for example because it was replaced while it runs: then PDF files
/// are read in this process.
pub fn worker() -> Option<Vec<OsString>> {
    let program = std::env::current_exe().ok().filter(|program| program.is_file())?;
    Some(vec![program.into(), NAME.into()])
}
