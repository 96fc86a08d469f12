//! What holds for any text of a settings file.

use std::path::Path;

use gristmill::ErrorKind;
use gristmill::config::{Layer, Origin, Task, resolve};

/// It is refused in words that name the file, or settings follow from it that hold together or not.
pub fn check(text: &str) {
    let file = Path::new("gristmill.toml");
    let found = Layer::from_text(Path::new("/x/gristmill.toml"), file, text, Origin::Project);
    let settled = found.and_then(|layer| resolve(Task::Ingest, Path::new("/x"), &[layer]));
    if let Err(error) = settled {
        assert_eq!(error.kind(), ErrorKind::Config, "{text:?}: {error}");
        let told = format!("{}\n{}", error.chain(), error.hint_text().unwrap_or_default());
        assert!(told.contains("gristmill.toml"), "{text:?}: {told}");
    }
}
