//! Parquet files of other tools.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Float32Array, Int64Array, ListArray, RecordBatch, StringArray, StructArray,
    TimestampMillisecondArray,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field, Fields, Schema};
use gristmill_core::Result;
use gristmill_format::chunk_file::{Change, ChunkFile, ChunkFormat, Found, Notes, Verdict};
use gristmill_format::{read_records, writer};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::sample;

/// 600 rows, so that there are several batches, with columns that JSON has no values for.
fn foreign(path: &Path) -> RecordBatch {
    let rows = 600_i32;
    let texts: StringArray = (0..rows).map(|row| Some(format!("text {row}"))).collect();
    let json: StringArray = (0..rows).map(|row| Some(format!(r#"{{"source": "{}.md"}}"#, row / 2))).collect();
    let times = TimestampMillisecondArray::from_iter_values((0..rows).map(i64::from));
    let kinds: DictionaryArray<Int32Type> = (0..rows).map(|row| if row % 2 == 0 { "a" } else { "b" }).collect();
    let element = Arc::new(Field::new("element", DataType::Float32, true));
    let vectors = Float32Array::from_iter_values((0..rows * 2).map(|number| number as f32));
    let offsets = OffsetBuffer::from_lengths((0..rows).map(|_| 2));
    let vectors = ListArray::new(element, offsets, Arc::new(vectors), None);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("text", Arc::new(texts)),
        ("metadata", Arc::new(json)),
        ("time", Arc::new(times)),
        ("kind", Arc::new(kinds)),
        ("embedding", Arc::new(vectors)),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    save(path, &batch);
    batch
}

fn save(path: &Path, batch: &RecordBatch) {
    let mut file = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
    file.write(batch).unwrap();
    file.close().unwrap();
}

fn load(path: &Path) -> RecordBatch {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    builder.with_batch_size(10_000).build().unwrap().next().unwrap().unwrap()
}

fn rewrite(path: &Path, to: &Path, mut verdict: impl FnMut(usize) -> Verdict) -> Notes {
    let file = ChunkFile::open(path, "f.parquet", ChunkFormat::Parquet).unwrap();
    file.write(&mut File::create(to).unwrap(), &mut |index| Ok(verdict(index))).unwrap()
}

#[test]
fn rows_are_changed_and_dropped_and_all_else_is_kept() -> Result<()> {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("f.parquet"), folder.path().join("g.parquet"));
    let before = foreign(&from);
    let file = ChunkFile::open(&from, "f.parquet", ChunkFormat::Parquet)?;
    let index = file.index()?;
    assert_eq!((index.entries.len(), index.sources.len()), (600, 300));
    assert_eq!(file.read_at(301, &index.entries[301])?.text(), "text 301");
    assert_eq!(file.read_at(301, &index.entries[301])?.source().as_deref(), Some("150.md"));

    assert!(rewrite(&from, &to, |_| Verdict::Keep).is_unchanged());
    assert_eq!(std::fs::read(&from).unwrap(), std::fs::read(&to).unwrap());

    let change = Change::text("new").metadata("merged_ids", Some(&["x"]))?.field("order", Some(&1))?;
    let notes = rewrite(&from, &to, |index| match index {
        300 => Verdict::Change(change.clone()),
        301 => Verdict::Remove,
        _ => Verdict::Keep,
    });
    assert_eq!((notes.changed, notes.removed, notes.stale_vectors), (1, 1, 1));
    assert_eq!(notes.unheld.into_iter().collect::<Vec<_>>(), [("order".to_owned(), 1)]);
    let after = load(&to);
    assert_eq!(after.schema().fields(), before.schema().fields());
    assert_eq!(after.num_rows(), 599);
    for column in 0..5 {
        let (old, new) = (before.column(column), after.column(column));
        assert_eq!(old.slice(0, 300).to_data(), new.slice(0, 300).to_data());
        assert_eq!(old.slice(302, 298).to_data(), new.slice(301, 298).to_data());
        assert_eq!(column < 2, old.slice(300, 1).to_data() != new.slice(300, 1).to_data());
    }
    let changed = ChunkFile::open(&to, "g.parquet", ChunkFormat::Parquet)?;
    let found = changed.chunks().nth(300).unwrap()?;
    assert_eq!(found.text(), "new");
    assert_eq!(found.metadata().unwrap()["merged_ids"], serde_json::json!(["x"]));

    let parts = Verdict::Several(vec![Change::text("one"), Change::text("two"), Change::text("three")]);
    rewrite(&from, &to, |index| if index == 300 { parts.clone() } else { Verdict::Keep });
    let after = load(&to);
    assert_eq!(after.num_rows(), 602);
    for column in 0..5 {
        let (old, new) = (before.column(column), after.column(column));
        assert_eq!(old.slice(301, 299).to_data(), new.slice(303, 299).to_data());
    }
    let split = ChunkFile::open(&to, "g.parquet", ChunkFormat::Parquet)?
        .chunks()
        .skip(300)
        .take(3)
        .collect::<Result<Vec<_>>>()?;
    assert_eq!(split.iter().map(Found::text).collect::<Vec<_>>(), ["one", "two", "three"]);
    assert_eq!(split[2].source(), split[0].source());
    Ok(())
}

#[test]
fn fields_of_structs_are_set_where_there_are_any() -> Result<()> {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("f.parquet"), folder.path().join("g.parquet"));
    let source: ArrayRef = Arc::new(StringArray::from(vec!["a", "a"]));
    let end: ArrayRef = Arc::new(Int64Array::from(vec![3, 7]));
    let fields =
        Fields::from(vec![Field::new("source", DataType::Utf8, false), Field::new("char_end", DataType::Int64, true)]);
    let metadata = StructArray::new(fields.clone(), vec![source, end], None);
    let schema = Schema::new(vec![
        Field::new("content", DataType::Utf8, false),
        Field::new("metadata", DataType::Struct(fields), false),
    ]);
    let columns: Vec<ArrayRef> = vec![Arc::new(StringArray::from(vec!["one", "two"])), Arc::new(metadata)];
    save(&from, &RecordBatch::try_new(Arc::new(schema), columns).unwrap());
    let change = Change::text("one two").end(7).metadata("merged_ids", Some(&["b"]))?;
    let notes = rewrite(&from, &to, |index| if index == 0 { Verdict::Change(change.clone()) } else { Verdict::Remove });
    assert_eq!(notes.unheld.into_iter().collect::<Vec<_>>(), [("merged_ids".to_owned(), 1)]);
    let found = ChunkFile::open(&to, "g", ChunkFormat::Parquet)?.chunks().collect::<Result<Vec<_>>>()?;
    assert_eq!((found.len(), found[0].text(), found[0].span().1), (1, "one two", Some(7)));
    Ok(())
}

#[test]
fn records_in_tables_stay_records() -> Result<()> {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("f.parquet"), folder.path().join("g.parquet"));
    let attributes = sample::attributes();
    let mut out = writer("parquet", Box::new(File::create(&from).unwrap()))?;
    (0..3).try_for_each(|index| out.write(&sample::record(index, &attributes)))?;
    out.finish()?;
    let file = ChunkFile::open(&from, "f", ChunkFormat::Parquet)?;
    let mut record = file.chunks().next().unwrap()?.record().unwrap();
    assert_eq!(record, sample::record(0, &attributes));
    let same = Change::record(&record)?;
    assert!(
        rewrite(&from, &to, |index| if index == 0 { Verdict::Change(same.clone()) } else { Verdict::Keep })
            .is_unchanged()
    );
    record.content = "another".into();
    record.metadata.parts.truncate(1);
    record.metadata.next_chunk_id = None;
    record.metadata.merged_ids = vec!["gone".into()];
    let change = Change::record(&record)?;
    let notes = rewrite(&from, &to, |index| if index == 0 { Verdict::Change(change.clone()) } else { Verdict::Keep });
    assert_eq!((notes.changed, notes.unheld.len()), (1, 0));
    let after = read_records(&to, "parquet")?.collect::<Result<Vec<_>>>()?;
    assert_eq!(after, [record, sample::record(1, &attributes), sample::record(2, &attributes)]);
    Ok(())
}

#[test]
fn what_is_no_table_is_refused() {
    let error = ChunkFile::from_bytes(b"PAR1 and no more".to_vec(), "f", None).unwrap_err();
    assert!(error.to_string().starts_with("not a Parquet file that can be read: `f`"));
}

#[test]
fn damaged_tables_are_refused_or_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    let rows = foreign(&path).slice(0, 3);
    save(&path, &rows);
    let good = std::fs::read(&path).unwrap();
    for at in (0..good.len()).step_by(7) {
        let mut bytes = good.clone();
        bytes[at] ^= 0x55;
        let Ok(file) = ChunkFile::from_bytes(bytes, "f", Some(ChunkFormat::Parquet)) else { continue };
        let change = Change::text("x").metadata("k", Some(&1)).unwrap();
        drop(file.index());
        drop(file.write(&mut Vec::new(), &mut |_| Ok(Verdict::Change(change.clone()))));
    }
}
