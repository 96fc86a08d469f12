//! Running other programs.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Sender, channel};

use crate::say;

/// Runs it with our own output. An error when it fails.
pub fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| not_started(command, &error))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed with {status}", shown(command))) }
}

/// What it writes to standard output. An error when it fails.
pub fn output(command: &mut Command) -> Result<String, String> {
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| not_started(command, &error))?;
    if !output.status.success() {
        return Err(format!("`{}` failed with {}", shown(command), output.status));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("`{}` wrote no UTF-8", shown(command)))
}

/// Runs it, passes on every line and shows it to `watch`. True when it succeeded.
pub fn watch(command: &mut Command, mut watch: impl FnMut(&str)) -> Result<bool, String> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| not_started(command, &error))?;
    let (sender, lines) = channel();
    let readers = [
        child.stdout.take().map(|pipe| pass_on(pipe, sender.clone())),
        child.stderr.take().map(|pipe| pass_on(pipe, sender)),
    ];
    for line in lines {
        say::note(&line);
        watch(&line);
    }
    for reader in readers.into_iter().flatten() {
        reader.join().map_err(|_| "a reader thread failed".to_owned())?;
    }
    let status = child.wait().map_err(|error| not_started(command, &error))?;
    Ok(status.success())
}

/// True when the program is there and runs.
pub fn works(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// The command as one would type it.
pub fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    if word.contains(' ') { format!("\"{word}\"") } else { word.to_owned() }
}

fn pass_on(pipe: impl Read + Send + 'static, lines: Sender<String>) -> std::thread::JoinHandle<()> {
    std::thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        let mut line = Vec::new();
        while pipe.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            let text = String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned();
            if lines.send(text).is_err() {
                break;
            }
            line.clear();
        }
    })
}

fn not_started(command: &Command, error: &std::io::Error) -> String {
    format!("`{}` cannot be run: {error}", shown(command))
}
