//! Filters on fields of the payload, by SQLite's JSON functions.

use std::path::Path;

use gristmill_core::{Error, Filter, Result};
use rusqlite::types::Value as Sql;
use rusqlite::{Connection, params_from_iter};
use serde_json::Value;

use super::failure::failed;

/// Refuses a filter that cannot be understood.
pub(super) fn check(filter: &Filter) -> Result<()> {
    condition(filter)?;
    json_path(&filter.field).map(|_| ())
}

/// Those of a range of keys that pass all filters, in rising order; `None` without filters.
pub(super) fn allowed(
    db: &Connection,
    [first, last]: [i64; 2],
    filters: &[Filter],
    path: &Path,
) -> Result<Option<Vec<i64>>> {
    if filters.is_empty() {
        return Ok(None);
    }
    let mut sql = String::from("SELECT key FROM chunks WHERE key BETWEEN ? AND ?");
    let mut values = vec![Sql::Integer(first), Sql::Integer(last)];
    for filter in filters {
        let (condition, value) = condition(filter)?;
        // A field that is an object has elements, too, but is no list.
        sql.push_str(" AND EXISTS(SELECT 1 FROM json_each(payload, ?) AS f WHERE ");
        sql.push_str(condition);
        sql.push_str(") AND json_type(payload, ?) <> 'object'");
        let field = json_path(&filter.field)?;
        values.push(Sql::Text(field.clone()));
        values.extend(value);
        values.push(Sql::Text(field));
    }
    sql.push_str(" ORDER BY key");
    let keys = || {
        let mut statement = db.prepare_cached(&sql)?;
        let rows = statement.query_map(params_from_iter(values), |row| row.get(0))?;
        rows.collect::<rusqlite::Result<Vec<i64>>>()
    };
    keys().map(Some).map_err(failed(path))
}

/// Keys that pass the filters, asked for in rising order.
pub(super) struct Allowed<'a> {
    rest: &'a [i64],
}

impl<'a> Allowed<'a> {
    pub(super) fn new(rest: &'a [i64]) -> Self {
        Self { rest }
    }

    pub(super) fn has(&mut self, key: i64) -> bool {
        let skip = self.rest.iter().take_while(|&&allowed| allowed < key).count();
        self.rest = &self.rest[skip..];
        self.rest.first() == Some(&key)
    }
}

/// What an element of the field must satisfy, and the value that stands for its `?`.
fn condition(filter: &Filter) -> Result<(&'static str, Option<Sql>)> {
    let number = "f.type IN ('integer', 'real') AND f.atom = ?";
    Ok(match &filter.value {
        Value::Bool(true) => ("f.type = 'true'", None),
        Value::Bool(false) => ("f.type = 'false'", None),
        Value::String(text) => ("f.type = 'text' AND f.atom = ?", Some(Sql::Text(text.clone()))),
        Value::Number(n) => match (n.as_i64(), n.as_f64()) {
            (Some(n), _) => (number, Some(Sql::Integer(n))),
            (None, Some(n)) => (number, Some(Sql::Real(n))),
            (None, None) => return Err(unusable(filter)),
        },
        Value::Null | Value::Array(_) | Value::Object(_) => return Err(unusable(filter)),
    })
}

fn unusable(filter: &Filter) -> Error {
    Error::usage(format!("the filter on `{}` needs a string, number or boolean: {}", filter.field, filter.value))
}

/// The field as a path of SQLite's JSON functions.
fn json_path(field: &str) -> Result<String> {
    if field.contains('"') || field.split('.').any(str::is_empty) {
        return Err(Error::usage(format!("the filter names no field: `{field}`")));
    }
    Ok(field.split('.').fold(String::from("$"), |path, name| path + ".\"" + name + "\""))
}
