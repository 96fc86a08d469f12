//! The contents of objects, read from `git cat-file --batch`.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::{Mutex, PoisonError};

use gristmill_core::{Error, Result};

use super::cache::mark_damaged;
use super::command::{Failed, Git};
use crate::raw::{HELD_MAX, Raw};

/// What is known of one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// `blob`, `tree`, …
    pub(super) kind: String,
    /// Bytes.
    pub(super) size: u64,
}

/// Kind and size of each of `names`, in their order; `None` for what is missing.
pub(super) fn look_up(git: &Git, names: &[&str]) -> Result<Vec<Option<Known>>, Failed> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let output = git.local(&["cat-file", "--batch-check"], Some(lines(names)))?;
    let known: Vec<Option<Known>> = String::from_utf8_lossy(&output).lines().map(known).collect();
    complete(known, names.len())
}

/// The contents of each of `names`, which are to be small, in their order; `None` for what is missing.
pub(super) fn contents(git: &Git, names: &[&str]) -> Result<Vec<Option<Vec<u8>>>, Failed> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let output = git.local(&["cat-file", "--batch"], Some(lines(names)))?;
    let mut reader = output.as_slice();
    let mut all = Vec::with_capacity(names.len());
    while !reader.is_empty() {
        let one = header(&mut reader).and_then(|known| match known {
            Some(known) => held(&mut reader, known.size).map(Some),
            None => Ok(None),
        });
        all.push(one.map_err(|e| Failed { said: e.to_string(), timed_out: false })?);
    }
    complete(all, names.len())
}

fn lines(names: &[&str]) -> Vec<u8> {
    names.iter().flat_map(|name| [name.as_bytes(), b"\n"]).flatten().copied().collect()
}

fn complete<T>(answers: Vec<T>, expected: usize) -> Result<Vec<T>, Failed> {
    if answers.len() == expected {
        return Ok(answers);
    }
    Err(Failed { said: format!("git answered {} of {expected} questions", answers.len()), timed_out: false })
}

/// `<name> <kind> <size>`, or `<name> missing`.
fn known(line: &str) -> Option<Known> {
    let mut words = line.rsplit(' ');
    let size = words.next()?.parse().ok()?;
    Some(Known { kind: words.next()?.to_owned(), size })
}

fn header(reader: &mut impl BufRead) -> io::Result<Option<Known>> {
    let mut line = Vec::new();
    reader.read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "git ended without an answer"));
    }
    Ok(known(String::from_utf8_lossy(&line).trim_end()))
}

/// A content and the line end after it.
fn held(reader: &mut impl BufRead, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(usize::try_from(size.min(HELD_MAX)).unwrap_or(0));
    copy(reader, size, &mut bytes)?;
    Ok(bytes)
}

fn copy(reader: &mut impl BufRead, size: u64, to: &mut impl Write) -> io::Result<()> {
    if io::copy(&mut reader.take(size), to)? < size {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "git ended within a file"));
    }
    let mut end = [0];
    reader.read_exact(&mut end)
}

/// Reads blobs, several at once when several threads ask.
#[derive(Debug)]
pub(super) struct Blobs {
    git: Git,
    /// Processes that wait for a question.
    idle: Mutex<Vec<Batch>>,
}

impl Blobs {
    pub(super) fn new(git: Git) -> Self {
        Self { git, idle: Mutex::default() }
    }

    /// The bytes of one blob: small ones held, large ones in a file without a name. `path` is for messages. After a failure
    /// that lies in the copy, the next run makes it anew.
    pub(super) fn read(&self, name: &str, path: &str) -> Result<Raw> {
        let failed = |e: io::Error| {
            if !matches!(e.kind(), io::ErrorKind::StorageFull | io::ErrorKind::PermissionDenied) {
                mark_damaged(&self.git);
            }
            Error::input(format!("cannot read from the repository: {path}")).because(e)
        };
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut batch = idle.map_or_else(|| Batch::start(&self.git), Ok).map_err(failed)?;
        // After an error the process is not asked again: what it would say next is unknown.
        let raw = batch.read(name, self.folder(), path).map_err(failed)?;
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(batch);
        raw
    }

    fn folder(&self) -> &Path {
        self.git.repository.parent().unwrap_or(&self.git.repository)
    }
}

/// A running `git cat-file --batch`.
#[derive(Debug)]
struct Batch {
    child: Child,
    /// `None` once it is to end.
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Batch {
    fn start(git: &Git) -> io::Result<Self> {
        let mut command = git.command(&["cat-file", "--batch"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let broken = || io::Error::from(io::ErrorKind::BrokenPipe);
        let questions = child.stdin.take();
        let answers = BufReader::with_capacity(64 * 1024, child.stdout.take().ok_or_else(broken)?);
        Ok(Self { child, questions, answers })
    }

    fn read(&mut self, name: &str, folder: &Path, path: &str) -> io::Result<Result<Raw>> {
        let questions = self.questions.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        questions.write_all(format!("{name}\n").as_bytes())?;
        questions.flush()?;
        let known = header(&mut self.answers)?;
        let Some(known) = known.filter(|known| known.kind == "blob") else {
            return Err(io::Error::new(io::ErrorKind::NotFound, format!("the copy has no blob `{name}`")));
        };
        if known.size <= HELD_MAX {
            return held(&mut self.answers, known.size).map(|bytes| Ok(Raw::held(bytes)));
        }
        let mut file = tempfile::tempfile_in(folder)?;
        copy(&mut self.answers, known.size, &mut file)?;
        Ok(Raw::of_file(file, PathBuf::from(path)))
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        // Without questions it ends by itself, unless it is in the middle of an answer.
        self.questions = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_as_git_documents_them() {
        let known = known("0123abc blob 17").unwrap();
        assert_eq!((known.kind.as_str(), known.size), ("blob", 17));
        assert_eq!(super::known("0123abc missing"), None);
        assert_eq!(super::known("main:a 7 missing"), None);
        let mut reader = &b"0123abc blob 3\na\nb\nrest"[..];
        let size = header(&mut reader).unwrap().unwrap().size;
        assert_eq!(held(&mut reader, size).unwrap(), b"a\nb");
        assert_eq!(reader, b"rest");
    }

    #[test]
    fn an_answer_that_breaks_off_is_an_error() {
        assert!(header(&mut &b""[..]).is_err());
        assert!(held(&mut &b"ab"[..], 3).is_err());
        assert!(held(&mut &b"abc"[..], 3).is_err());
    }
}
