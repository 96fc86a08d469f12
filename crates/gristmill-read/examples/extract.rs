//! Reads files of any kind and writes the Markdown of each into a folder: `extract OUT FILE…`. What the reader says goes to
//! standard output, one line a file with the time it took.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use gristmill_core::{DocumentId, Input};
use gristmill_read::{Choice, choose};

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let out = args.next().unwrap_or_else(|| ".".to_owned());
    let mut log = std::io::stdout().lock();
    for path in args {
        let bytes = std::fs::read(&path)?;
        let stem = Path::new(&path).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let Choice::Reader(reader) = choose(&path, &bytes) else {
            writeln!(log, "{stem}\tno reader")?;
            continue;
        };
        let input =
            Input { id: DocumentId::new("default", "", &path), source: &path, bytes: &bytes, open: &[], first: true };
        let start = Instant::now();
        let read = reader.read(&input);
        let ms = start.elapsed().as_secs_f64() * 1000.0;
        match read {
            Ok(outcome) => {
                let document = outcome.value;
                let last = document.pages.starts.iter().map(|(_, page)| *page).max().unwrap_or(0);
                writeln!(
                    log,
                    "{stem}\t{}\t{ms:.1} ms\t{} bytes\tlast page {last}",
                    document.format,
                    document.text.len()
                )?;
                for diagnostic in outcome.diagnostics {
                    writeln!(log, "\t{}: {}", diagnostic.code, diagnostic.message)?;
                }
                std::fs::write(Path::new(&out).join(format!("{stem}.md")), &document.text)?;
            }
            Err(error) => writeln!(log, "{stem}\terror\t{ms:.1} ms\t{}", error.chain())?,
        }
    }
    Ok(())
}
