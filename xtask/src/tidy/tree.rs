//! The text files of the repository.

use std::fs;
use std::path::Path;

/// All text files, sorted by path.
pub struct Tree {
    pub files: Vec<File>,
}

/// A text file.
pub struct File {
    /// Relative to the repository, with `/`.
    pub path: String,
    pub text: String,
}

/// Folders that hold nothing of the project's own text, by name.
const SKIPPED: &[&str] = &["target", ".git", ".venv", "node_modules", ".gristmill", "__pycache__"];

/// Folders whose bytes are test input, by name: anything may stand there.
const FIXTURES: &[&str] = &["fixtures", "corpus", "snapshots", "handbook", "proptest-regressions"];

/// Larger files are tables, not text for people.
const MAX_BYTES: u64 = 1 << 20;

impl Tree {
    pub fn read(root: &Path) -> Result<Self, String> {
        let mut files = Vec::new();
        let mut folders = vec![root.to_path_buf()];
        while let Some(folder) = folders.pop() {
            let failed = |error: std::io::Error| format!("`{}` cannot be read: {error}", folder.display());
            for entry in fs::read_dir(&folder).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                let kind = entry.file_type().map_err(failed)?;
                if kind.is_dir() && !is_any(&entry.file_name().to_string_lossy(), SKIPPED) {
                    folders.push(entry.path());
                } else if kind.is_file() {
                    files.extend(File::read(root, &entry.path()));
                }
            }
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Self { files })
    }
}

impl File {
    /// Nothing when it is no text.
    fn read(root: &Path, path: &Path) -> Option<Self> {
        let small = fs::metadata(path).is_ok_and(|facts| facts.len() <= MAX_BYTES);
        let text = small.then(|| fs::read_to_string(path).ok()).flatten()?;
        let relative = path.strip_prefix(root).ok()?;
        let path = relative.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
        Some(Self { path, text })
    }

    #[cfg(test)]
    pub fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    pub fn extension(&self) -> &str {
        self.path.rsplit_once('.').map_or("", |(_, extension)| extension)
    }

    pub fn is_rust(&self) -> bool {
        self.extension() == "rs"
    }

    /// The names of the folders around it and its own name without the extension.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.path.split('/').map(|name| name.split_once('.').map_or(name, |(stem, _)| stem))
    }

    /// True below a folder of this name.
    pub fn is_below(&self, folders: &[&str]) -> bool {
        let parts = self.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        parts.split('/').any(|part| is_any(part, folders))
    }

    pub fn is_fixture(&self) -> bool {
        self.is_below(FIXTURES)
    }

    /// Lines with their numbers from 1, without the tests at the end of a source file.
    pub fn code_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut tests = self.text.lines().skip(1).chain([""]).map(|next| next.starts_with("mod tests {"));
        let lines = self.text.lines().enumerate();
        lines
            .take_while(move |(_, line)| !(tests.next().unwrap_or(false) && line.trim() == "#[cfg(test)]"))
            .map(|(number, line)| (number + 1, line))
    }
}

fn is_any(name: &str, names: &[&str]) -> bool {
    names.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_at_the_end_are_no_code() {
        let file = File::new("a/b.rs", "one\n#[cfg(test)]\nmod sample;\ntwo\n#[cfg(test)]\nmod tests {\nthree\n}\n");
        let lines: Vec<_> = file.code_lines().collect();
        assert_eq!(lines, [(1, "one"), (2, "#[cfg(test)]"), (3, "mod sample;"), (4, "two")]);
        assert!(file.is_below(&["a"]) && !file.is_below(&["b"]));
        assert_eq!(file.names().collect::<Vec<_>>(), ["a", "b"]);
    }
}
