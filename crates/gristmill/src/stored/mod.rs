//! What a store holds, shown and tidied: nothing here reads documents, save to compare a chunk with what its source gives
//! now.

mod export;
mod gc;
mod lineage;
mod present;
mod status;

pub(crate) use export::each_point;
pub use export::{ExportOptions, Exported, export};
pub use gc::{GcReport, gc};
pub use lineage::{Lineage, Neighbour, lineage};
pub use present::{Present, PresentState};
pub use status::{Incomplete, ModelInMaking, ModelOf, Status, StoreAt, status};

use std::path::{Path, PathBuf};

use gristmill_core::Tracked;

use crate::config::Settings;

/// Bytes of the store on disk, with what waits beside it to be moved into it; `None` for a service or an absent file.
fn bytes_on_disk(settings: &Settings) -> Option<u64> {
    if settings.store.kind != "sqlite" {
        return None;
    }
    let file = std::fs::metadata(&settings.store.path).ok()?.len();
    Some(file + std::fs::metadata(beside(&settings.store.path)).map_or(0, |log| log.len()))
}

/// The file in which SQLite keeps changes that are not in the store's own file yet.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    PathBuf::from(name)
}

/// True when the document is in the store as its last run left it, and nobody has taken points away.
fn is_whole(tracked: &Tracked) -> bool {
    tracked.complete && tracked.points == u64::from(tracked.version.total_chunks)
}
