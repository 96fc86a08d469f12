//! What benches share: the documents they run over and the way they measure.
//!
//! Machines are noisy, so the things compared run in turn, round after round, and medians are shown beside their ratios.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A folder of Markdown and the texts in it.
pub struct Corpus {
    /// The folder.
    pub folder: PathBuf,
    /// Its texts.
    pub texts: Vec<String>,
}

impl Corpus {
    /// The Markdown of the shared corpora when they lie beside the project, else the example handbook many times over.
    /// The files are copied to `folder`, which is emptied first.
    ///
    /// # Errors
    /// When files cannot be read or written.
    pub fn markdown(project: &Path, folder: PathBuf) -> std::io::Result<Self> {
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        std::fs::create_dir_all(&folder)?;
        let mut found = Vec::new();
        let corpora = project.join("../shared/corpora");
        if corpora.is_dir() {
            for set in sorted(&corpora)?.into_iter().filter(|path| named(path, "md-")) {
                collect(&set, &mut found)?;
            }
        } else {
            (0..40).try_for_each(|_| collect(&project.join("examples/handbook"), &mut found))?;
        }
        let mut texts = Vec::with_capacity(found.len());
        for (number, path) in found.iter().enumerate() {
            let text = std::fs::read_to_string(path)?;
            std::fs::write(folder.join(format!("{number:05}.md")), &text)?;
            texts.push(text);
        }
        Ok(Self { folder, texts })
    }

    /// Megabytes of text.
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52 bytes")]
    pub fn megabytes(&self) -> f64 {
        self.texts.iter().map(String::len).sum::<usize>() as f64 / 1e6
    }
}

fn sorted(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = std::fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect::<Result<Vec<_>, _>>()?;
    paths.sort();
    Ok(paths)
}

fn named(path: &Path, start: &str) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(start))
}

/// Markdown files below `folder`, with an own list of folders to visit.
fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in sorted(&folder)? {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "md") {
                found.push(path);
            }
        }
    }
    Ok(())
}

/// Something to time, by name.
pub type Case<'a> = (&'a str, Box<dyn FnMut() + 'a>);

/// Runs all cases in turn, `rounds` times after a warm-up, and gives the median time of each.
pub fn in_turn(cases: &mut [Case<'_>], rounds: usize) -> Vec<Duration> {
    let mut times = vec![Vec::with_capacity(rounds); cases.len()];
    for round in 0..=rounds {
        for ((_, run), times) in cases.iter_mut().zip(&mut times) {
            let start = Instant::now();
            run();
            if round > 0 {
                times.push(start.elapsed());
            }
        }
    }
    times.into_iter().map(median).collect()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_one_counts() {
        let times = [5, 1, 9].map(Duration::from_secs).to_vec();
        assert_eq!(median(times), Duration::from_secs(5));
    }
}
