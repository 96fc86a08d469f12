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
