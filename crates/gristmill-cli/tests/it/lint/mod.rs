//! `gristmill scan`, `fix`, `rules` and `explain`.

mod fix;
mod formats;
mod scan;

use crate::run::Folder;

/// A set with one finding of each severity but info: a cut sentence (high), a table without its header (medium) and a lost
/// heading (low).
pub const WORN: &str = r###"[
  {"id": "a", "source": "a.md", "text": "# Results\n\nIn the third quarter of the year the revenue of the group grew by"},
  {"id": "b", "source": "a.md", "text": "40% year over year, which nobody in the house had thought likely before."},
  {"id": "c", "source": "a.md", "text": "## Prices\n\nThe list of the autumn:\n\n| size | price |\n| --- | --- |\n| small | 12 francs |"},
  {"id": "d", "source": "a.md", "text": "| large | 19 francs |\n| huge | 25 francs |"}
]
"###;

/// The same as it is after a repair.
pub const SOUND: &str = r###"[
  {"id": "a", "source": "a.md", "text": "# Results\n\nIn the third quarter of the year the revenue of the group grew by 40% year over year."},
  {"id": "c", "source": "a.md", "text": "## Prices\n\nThe list of the autumn holds for all orders by telephone and for no other."}
]
"###;

pub fn folder() -> Folder {
    Folder::with(&[("worn.json", WORN), ("sound.json", SOUND)])
}
