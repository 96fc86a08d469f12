//! Over real pages, where they are.

use std::path::PathBuf;

use gristmill_core::Reader;
use serde_json::Value;

use super::{Html, input, page};
use crate::scripts::subscript;

fn folder(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpora")).join(name);
    if path.is_dir() {
        return Some(path);
    }
    #[expect(clippy::print_stdout, reason = "a test that is passed over says so")]
    {
        println!("no {name}: passed over");
    }
    None
}

#[test]
fn segments_of_pages_in_many_languages() {
    let Some(folder) = folder("html-segments") else { return };
    let gold: Value = serde_json::from_str(&std::fs::read_to_string(folder.join("segments.json")).unwrap()).unwrap();
    let fold = |text: &str| text.replace(['*', '`', '\\'], "").split_whitespace().collect::<Vec<_>>().join(" ");
    let (mut right, mut all) = (0, 0);
    for (name, want) in gold.as_object().unwrap() {
        let bytes = std::fs::read(folder.join("html").join(name)).unwrap();
        let read = Html.read(&input(name, &bytes)).unwrap();
        let text = fold(&read.value.text);
        for (key, wanted) in [("with", true), ("without", false)] {
            let segments = want[key].as_array().unwrap().iter().filter_map(Value::as_str);
            let outcomes: Vec<bool> = segments.map(|segment| text.contains(&fold(segment)) == wanted).collect();
            right += outcomes.iter().filter(|outcome| **outcome).count();
            all += outcomes.len();
        }
    }
    assert!(right * 100 >= all * 93, "{right} of {all}");
}

#[test]
fn no_cell_or_item_of_the_structures_is_lost() {
    let Some(folder) = folder("html-structures") else { return };
    // The reference has figures below the line as others.
    let figure = |c: char| ('0'..='9').find(|figure| subscript(*figure) == Some(c)).unwrap_or(c);
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).map(figure).collect::<String>();
    for file in std::fs::read_dir(folder.join("html")).unwrap() {
        let path = file.unwrap().path();
        let text = letters(&page(&std::fs::read_to_string(&path).unwrap()).text);
        let name = format!("{}.md", path.file_name().unwrap().to_string_lossy());
        let reference = std::fs::read_to_string(folder.join("reference").join(name)).unwrap();
        let rows = reference.lines().filter(|line| line.starts_with('|') && !line.starts_with("| -"));
        for cell in rows.flat_map(|row| row.split('|')).filter(|cell| !cell.contains(['[', '<'])) {
            assert!(text.contains(&letters(cell)), "{cell} of {path:?}");
        }
        for item in
            reference.lines().filter(|line| line.trim_start().starts_with("- ") && !line.contains(['[', '<', '`']))
        {
            assert!(text.contains(&letters(item)), "{item} of {path:?}");
        }
    }
}
