//! `gristmill tokens`: the number of tokens in a file.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gristmill::{Error, Result, Unit, sizer};

use crate::output::{is_stdout, write_text};

/// Count the tokens of a text
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A text file, or - for standard input
    file: PathBuf,
    /// cl100k_base, o200k_base, or a tokenizer.json
    #[arg(long, value_name = "NAME", default_value = "o200k_base", help_heading = "Options")]
    tokenizer: String,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let sizer = sizer(Unit::Tokens, &args.tokenizer)?;
    let name = if is_stdout(&args.file) { "standard input".to_owned() } else { args.file.display().to_string() };
    let bytes = read(&args.file).map_err(|e| Error::input(format!("cannot read: {name}")).because(e))?;
    let text = String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        Error::input(format!("not UTF-8 from byte {at} on: {name}"))
    })?;
    write_text(None, &format!("{}\n", sizer.size(&text)))?;
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    if !is_stdout(path) {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}
