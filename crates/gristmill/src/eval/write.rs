//! The chosen settings, put into a settings file without touching the rest of it.

use gristmill_core::{Error, Result};
use toml::{Table, Value};

use crate::config::ChunkOptions;

/// `text` with the keys that `options` say set in the table `table` (`chunk`, or `tool.gristmill.chunk`). Comments and all
/// other lines stay as they are.
///
/// # Errors
/// Config: the file cannot be read as TOML, or says these keys in a way that cannot be changed line by line.
pub fn with_chosen(text: &str, table: &str, options: &ChunkOptions) -> Result<String> {
    let wanted = Table::try_from(options).map_err(|error| Error::bug("options cannot be written").because(error))?;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let header = format!("[{table}]");
    let place = lines.iter().position(|line| is_header(line, &header)).unwrap_or_else(|| appended(&mut lines, &header));
    for (key, value) in wanted.iter().filter(|(key, _)| key.as_str() != "by_type") {
        set(&mut lines, place, key, value);
    }
    let made = lines.join("\n") + "\n";
    if holds(&made, table, &wanted) {
        return Ok(made);
    }
    let said: Vec<String> = wanted.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    Err(Error::config(format!("the settings file cannot be changed line by line: `[{table}]` is written another way"))
        .hint(format!("set by hand: {}", said.join(", "))))
}

/// The line of a header without what may stand around it.
fn is_header(line: &str, header: &str) -> bool {
    let line = line.split('#').next().unwrap_or_default();
    line.chars().filter(|c| !c.is_whitespace()).eq(header.chars())
}

fn appended(lines: &mut Vec<String>, header: &str) -> usize {
    if lines.last().is_some_and(|line| !line.trim().is_empty()) {
        lines.push(String::new());
    }
    lines.push(header.to_owned());
    lines.len() - 1
}

/// Sets a key of the table whose header is line `place`.
fn set(lines: &mut Vec<String>, place: usize, key: &str, value: &Value) {
    let end = lines[place + 1..].iter().position(|line| line.trim_start().starts_with('[')).map(|at| place + 1 + at);
    let end = end.unwrap_or(lines.len());
    let is_key = |line: &String| line.split_once('=').is_some_and(|(name, _)| name.trim() == key);
    let line = format!("{key} = {value}");
    match lines[place + 1..end].iter().position(is_key) {
        Some(at) => {
            let old = &lines[place + 1 + at];
            let comment = comment(old).map_or_else(String::new, |comment| format!("  {comment}"));
            lines[place + 1 + at] = line + &comment;
        }
        None => {
            let last = (place..end).rev().find(|at| !lines[*at].trim().is_empty()).unwrap_or(place);
            lines.insert(last + 1, line);
        }
    }
}

/// The comment at the end of a line whose value holds no `#`.
fn comment(line: &str) -> Option<&str> {
    let at = line.find('#')?;
    (!line[..at].contains(['"', '\''])).then(|| line[at..].trim_end())
}

fn holds(text: &str, table: &str, wanted: &Table) -> bool {
    let Ok(parsed) = text.parse::<Table>() else { return false };
    let mut at = &parsed;
    for name in table.split('.') {
        let Some(Value::Table(inner)) = at.get(name) else { return false };
        at = inner;
    }
    wanted.iter().filter(|(key, _)| key.as_str() != "by_type").all(|(key, value)| at.get(key) == Some(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::candidates;

    fn written(text: &str, table: &str, grid: &str) -> Result<String> {
        with_chosen(text, table, &candidates(&[], Some(grid))?[0].options)
    }

    #[test]
    fn keys_are_set_where_they_stand_and_the_rest_stays() {
        let text = "# ours\nproject = \"docs\"\n\n[chunk]\ntarget = 400  # as before\n# sizes\n\n[store]\nmax = 3\n";
        let expected = "# ours\nproject = \"docs\"\n\n[chunk]\ntarget = 200  # as before\n# sizes\nmax = 300\n\n[store]\nmax = 3\n";
        assert_eq!(written(text, "chunk", "target=200;max=300").unwrap(), expected);
    }

    #[test]
    fn a_table_that_is_not_there_is_added() {
        assert_eq!(written("", "chunk", "overlap=10%").unwrap(), "[chunk]\noverlap = \"10%\"\n");
        let text = "[tool.other]\na = 1\n";
        let expected = "[tool.other]\na = 1\n\n[tool.gristmill.chunk]\nstrategy = \"fixed\"\n";
        assert_eq!(written(text, "tool.gristmill.chunk", "strategy=fixed").unwrap(), expected);
    }

    #[test]
    fn what_is_written_another_way_is_left_alone() {
        for text in ["chunk = { target = 400 }\n", "chunk.target = 400\n"] {
            let error = written(text, "chunk", "target=200").unwrap_err();
            assert!(error.hint_text().is_some_and(|hint| hint.contains("target = 200")), "{text}");
        }
    }
}
