//! Runs the program in a folder of its own.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// A folder to run in.
pub struct Folder(tempfile::TempDir);

/// What a run left. The folder's path is written `[DIR]`.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self::new();
        files.iter().for_each(|(path, text)| folder.write(path, text));
        folder
    }

    /// A copy of the examples.
    pub fn examples() -> Self {
        Self::copied("examples")
    }

    /// A copy of the example handbook.
    pub fn handbook() -> Self {
        Self::copied("examples/handbook")
    }

    /// A copy of a folder of the repository.
    fn copied(path: &str) -> Self {
        let folder = Self::new();
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path), folder.path());
        folder
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn at(&self, path: &str) -> PathBuf {
        self.path().join(path)
    }

    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    pub fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.read(path)).unwrap()
    }

    /// Names in the folder, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// The program, with nothing of this machine's settings.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gristmill"));
        command.args(args).current_dir(self.path()).env_clear().env("HOME", self.path()).env("COLUMNS", "80");
        command.envs(std::env::var_os("SystemRoot").map(|root| ("SystemRoot", root)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        self.finish(self.command(args))
    }

    pub fn run_with_input(&self, args: &[&str], input: &[u8]) -> Ran {
        let mut child = self.command(args).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        self.ran(&child.wait_with_output().unwrap())
    }

    pub fn finish(&self, mut command: Command) -> Ran {
        self.ran(&command.output().unwrap())
    }

    fn ran(&self, output: &std::process::Output) -> Ran {
        let real = self.path().canonicalize().unwrap();
        let text = |bytes: &[u8]| {
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            let text = text.replace(real.to_str().unwrap(), "[DIR]");
            text.replace(self.path().to_str().unwrap(), "[DIR]")
        };
        Ran { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }
}

impl Ran {
    #[track_caller]
    pub fn is(&self, code: i32, stdout: &str, stderr: &str) {
        assert_eq!((self.code, self.stdout.as_str(), self.stderr.as_str()), (Some(code), stdout, stderr));
    }

    /// The same, where every number is written `#`.
    #[track_caller]
    pub fn is_like(&self, code: i32, stdout: &str, stderr: &str) {
        let (out, err) = (without_numbers(&self.stdout), without_numbers(&self.stderr));
        assert_eq!((self.code, out.as_str(), err.as_str()), (Some(code), stdout, stderr));
    }

    /// A failure: nothing on standard output, and this on standard error.
    #[track_caller]
    pub fn fails(&self, code: i32, stderr: &str) {
        self.is(code, "", stderr);
    }

    /// Records on standard output, nothing else.
    #[track_caller]
    pub fn records(&self) -> Vec<Value> {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""));
        lines(&self.stdout)
    }
}

/// A JSON value a line.
pub fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The texts that are embedded.
pub fn contents(records: &[Value]) -> Vec<&str> {
    records.iter().map(|record| record["content"].as_str().unwrap()).collect()
}

fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        let goes_on = out.ends_with('#') && matches!(c, '.' | ',');
        match c {
            c if c.is_ascii_digit() => {
                if !out.ends_with('#') {
                    out.push('#');
                }
            }
            c if goes_on => out.push(c),
            c => out.push(c),
        }
    }
    // `1,234.5` is one number.
    out.replace("#,#", "#").replace("#.#", "#")
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let place = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            // What runs in the example left there.
            if entry.file_name() != ".gristmill" {
                fs::create_dir(&place).unwrap();
                copy(&entry.path(), &place);
            }
        } else {
            fs::copy(entry.path(), place).unwrap();
        }
    }
}

/// True when permissions hold nobody back; says so.
pub fn is_root(folder: &Folder) -> bool {
    folder.write("locked", "x");
    lock(&folder.at("locked"));
    let root = fs::read(folder.at("locked")).is_ok();
    if root {
        println!("skipped: file modes do not hold for this user");
    }
    fs::remove_file(folder.at("locked")).unwrap();
    root
}

/// Takes all rights away, where there are such rights.
pub fn lock(path: &Path) {
    set_mode(path, 0o000);
}

/// Gives rights back, so that the folder can be removed.
pub fn unlock(path: &Path) {
    set_mode(path, 0o700);
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) {}
