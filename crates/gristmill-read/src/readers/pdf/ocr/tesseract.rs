//! Tesseract, as a program that is run for each picture.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use gristmill_core::{Error, Result};

use super::super::child::{self, Ended};
use super::{Line, Picture, Recognise, Word};

/// Recognises text with Tesseract 4 or later.
#[derive(Clone, Debug)]
pub struct Tesseract {
    /// The program, by path or by a name that the system finds.
    pub program: OsString,
    /// Languages as Tesseract names them, joined by `+`: `eng+deu`.
    pub languages: String,
    /// How long one picture may take.
    pub limit: Duration,
}

impl Default for Tesseract {
    fn default() -> Self {
        Self { program: "tesseract".into(), languages: "eng".into(), limit: Duration::from_secs(120) }
    }
}

impl Tesseract {
    /// Its name and version, as `tesseract 5.3.0`; nothing when the program cannot be started.
    pub fn version(&self) -> Option<String> {
        let output = Command::new(&self.program).arg("--version").stdin(Stdio::null()).output().ok()?;
        // Old ones say it on standard error.
        let said = [output.stdout, output.stderr].concat();
        let first = String::from_utf8_lossy(&said).lines().next().map(|line| line.trim().to_owned());
        first.filter(|_| output.status.success())
    }

    fn command(&self, dpi: u32, mode: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.args(["stdin", "stdout", "-l", &self.languages, "--psm", mode, "--dpi", &dpi.to_string(), "tsv"]);
        // One thread: readers run side by side already, and its threads only wait for one another.
        command.env("OMP_THREAD_LIMIT", "1");
        command
    }

    fn run(&self, picture: &Picture, mode: &str) -> Result<String> {
        let mut command = self.command(picture.dpi.clamp(70, 2400), mode);
        let ended = child::run(&mut command, |mut input| input.write_all(&picture.bytes), self.limit)
            .map_err(|error| Error::input(format!("`{}` cannot be run", self.program.display())).because(error))?;
        match ended {
            Ended::Well(output) => Ok(String::from_utf8_lossy(&output).into_owned()),
            Ended::Badly(said) => {
                let said = said.lines().map(str::trim).filter(|line| !line.is_empty());
                Err(Error::input(format!("tesseract failed: {}", said.collect::<Vec<_>>().join("; "))))
            }
            Ended::Late => Err(Error::input(format!("tesseract took longer than {} s", self.limit.as_secs()))),
        }
    }
}

impl Recognise for Tesseract {
    fn name(&self) -> String {
        format!("tesseract ({})", self.languages)
    }

    fn recognise(&self, picture: &Picture) -> Result<Vec<Line>> {
        // Mode 1 turns pictures upright first. It needs data of its own, which may be missing: mode 3 does not.
        let turned = self.run(picture, "1");
        let table = turned.or_else(|_| self.run(picture, "3"))?;
        Ok(lines(&table))
    }
}

/// The lines of the table that Tesseract writes: one row a word, with its block, paragraph, line, box and confidence.
pub(super) fn lines(table: &str) -> Vec<Line> {
    let mut paragraphs: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    let mut out: Vec<Line> = Vec::new();
    let mut open = None;
    for row in table.lines() {
        let Some((line, word)) = word(row) else { continue };
        let count = paragraphs.len() as u32;
        let paragraph = *paragraphs.entry((line[0], line[1])).or_insert(count);
        if open != Some(line) {
            out.push(Line { paragraph, words: Vec::new() });
            open = Some(line);
        }
        if let Some(last) = out.last_mut() {
            last.words.push(word);
        }
    }
    out
}

/// Block, paragraph and line of a word, and the word.
fn word(row: &str) -> Option<([u32; 3], Word)> {
    let columns: Vec<&str> = row.splitn(12, '\t').collect();
    let [level, _, block, paragraph, line, _, left, top, width, height, confidence, text] = columns.as_slice() else {
        return None;
    };
    if *level != "5" || text.trim().is_empty() {
        return None;
    }
    let number = |text: &str| text.parse::<f32>().ok().filter(|number| number.is_finite());
    let (left, top, width, height) = (number(left)?, number(top)?, number(width)?, number(height)?);
    let word = Word {
        text: text.trim().to_owned(),
        left,
        top,
        right: left + width,
        bottom: top + height,
        confidence: number(confidence)?,
    };
    Some(([block.parse().ok()?, paragraph.parse().ok()?, line.parse().ok()?], word))
}
