//! Chunks in the rows of a table in memory.

use arrow_array::RecordBatch;
use arrow_select::concat::concat_batches;
use gristmill_core::{Error, Result};

use super::super::change::{Notes, Verdict};
use super::{BATCH, is_vector, rewritten, rows, wrong};

/// The rows of a table in memory as JSON Lines, to be read as chunks. Vectors are left out.
///
/// # Errors
/// A bug when a row cannot be written as JSON.
pub fn table_lines(table: &RecordBatch) -> Result<Vec<u8>> {
    let fields = table.schema_ref().fields().iter().enumerate();
    let read: Vec<usize> = fields.filter(|(_, field)| !is_vector(field.data_type())).map(|(index, _)| index).collect();
    let table = table.project(&read).map_err(wrong)?;
    let failed = |error| Error::bug("a row cannot be written as JSON").because(error);
    let mut lines = Vec::new();
    for row in 0..table.num_rows() {
        serde_json::to_writer(&mut lines, &rows::object(&table, row)).map_err(failed)?;
        lines.push(b'\n');
    }
    Ok(lines)
}

/// A table in memory with `verdict` done to its rows, which are asked for in order.
///
/// # Errors
/// Those of `verdict`; input: the column of text cannot get another text.
pub fn rewrite_table(
    table: &RecordBatch,
    verdict: &mut dyn FnMut(usize) -> Result<Verdict>,
) -> Result<(RecordBatch, Notes)> {
    let (mut notes, mut batches) = (Notes::default(), Vec::new());
    for start in (0..table.num_rows()).step_by(BATCH) {
        let batch = table.slice(start, BATCH.min(table.num_rows() - start));
        let verdicts = (start..start + batch.num_rows()).map(&mut *verdict).collect::<Result<Vec<_>>>()?;
        batches.push(rewritten(batch, verdicts, &mut notes)?);
    }
    if notes.is_unchanged() {
        return Ok((table.clone(), notes));
    }
    Ok((concat_batches(table.schema_ref(), &batches).map_err(wrong)?, notes))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::cast::AsArray;
    use arrow_array::{Array, ArrayRef, StringArray, StructArray};
    use arrow_schema::{DataType, Field};

    use super::super::super::change::Change;
    use super::*;

    #[test]
    fn what_metadata_have_no_field_for_stands_in_a_column() {
        let texts: ArrayRef = Arc::new(StringArray::from_iter_values((0..600).map(|row| format!("text {row}"))));
        let sources: ArrayRef = Arc::new(StringArray::from(vec!["a.md"; 600]));
        let metadata = StructArray::from(vec![(Arc::new(Field::new("source", DataType::Utf8, false)), sources)]);
        let merged: ArrayRef = Arc::new(StringArray::new_null(600));
        let columns = [("text", texts), ("metadata", Arc::new(metadata) as ArrayRef), ("merged_ids", merged)];
        let table =
            RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true))).unwrap();
        let lines = String::from_utf8(table_lines(&table).unwrap()).unwrap();
        assert_eq!(lines.lines().nth(300), Some(r#"{"metadata":{"source":"a.md"},"text":"text 300"}"#));

        let same = rewrite_table(&table, &mut |_| Ok(Verdict::Keep)).unwrap();
        assert!(same.0 == table && same.1.is_unchanged());
        let (after, notes) = rewrite_table(&table, &mut |row| match row {
            300 => Ok(Verdict::Change(Change::text("new").metadata("merged_ids", Some(&["x"]))?)),
            301 => Ok(Verdict::Remove),
            _ => Ok(Verdict::Keep),
        })
        .unwrap();
        assert_eq!((after.num_rows(), notes.changed, notes.removed, notes.unheld.len()), (599, 1, 1, 0));
        let text = |column: usize, row: usize| after.column(column).as_string::<i32>().value(row);
        assert_eq!(
            (text(0, 300), text(2, 300), text(0, 301), text(0, 598)),
            ("new", r#"["x"]"#, "text 302", "text 599")
        );
        assert_eq!(after.column(2).null_count(), 598);
    }
}
