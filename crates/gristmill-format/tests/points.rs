//! Points of a store in files: records, and beside them identity, vector and payload.

mod sample;

use std::fs::{self, File};
use std::path::Path;

use gristmill_format::chunk_file::{ChunkFile, ChunkFormat};
use gristmill_format::{Beside, FORMATS, PayloadNames, PointFields, Record, point_writer, to_payload};
use sample::{attributes, record};
use serde_json::{Map, Value, json};

const POINTS: Beside = Beside::Point { dimensions: Some(3) };

/// As many records as there are vectors, each written with its own.
fn write(path: &Path, format: &str, beside: Beside, vectors: &[Option<Vec<f32>>]) -> Vec<String> {
    let attributes = attributes();
    let mut writer = point_writer(format, Box::new(File::create(path).unwrap()), beside).unwrap();
    let mut texts = Vec::new();
    for (index, vector) in (0..).zip(vectors) {
        let record = record(index, &attributes);
        let text = serde_json::to_string(&record).unwrap();
        let payload = to_payload(&text, Map::new(), &PayloadNames::default()).unwrap();
        let fields = PointFields { id: &record.chunk_id, vector: vector.as_deref(), payload: &payload };
        writer.write(&text, (beside != Beside::Nothing).then_some(&fields)).unwrap();
        texts.push(text);
    }
    writer.finish().unwrap();
    texts
}

fn some_vectors(count: usize) -> Vec<Option<Vec<f32>>> {
    let vector = |n: usize| (n != 1).then(|| vec![0.1 + n as f32, -2.5e-8, 1.0]);
    (0..count).map(vector).collect()
}

#[test]
fn json_has_the_stored_record_and_the_fields_of_the_point_behind_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("points.jsonl");
    let vectors = some_vectors(3);
    let texts = write(&path, "jsonl", POINTS, &vectors);
    let lines = fs::read_to_string(&path).unwrap();
    for ((line, text), vector) in lines.lines().zip(&texts).zip(&vectors) {
        assert!(line.starts_with(text.strip_suffix('}').unwrap()), "the record is as it was stored: {line}");
        let value: Value = serde_json::from_str(line).unwrap();
        let read: Option<Vec<f32>> = serde_json::from_value(value["vector"].clone()).unwrap();
        assert_eq!((&value["point_id"], &read), (&value["chunk_id"], vector));
        assert_eq!((&value["payload"]["text"], &value["payload"]["draft"]), (&value["content"], &json!(false)));
    }
    assert_eq!(lines.lines().count(), 3);

    let list = folder.path().join("points.json");
    write(&list, "json", POINTS, &vectors);
    let list: Vec<Value> = serde_json::from_slice(&fs::read(list).unwrap()).unwrap();
    assert_eq!(list, lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>());
}

#[test]
fn records_alone_are_what_was_stored() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("records.jsonl");
    let texts = write(&path, "jsonl", Beside::Nothing, &some_vectors(2));
    assert_eq!(fs::read_to_string(&path).unwrap(), texts.join("\n") + "\n");
}

#[test]
fn every_format_is_read_back_as_the_same_chunks() {
    let folder = tempfile::tempdir().unwrap();
    let attributes = attributes();
    for format in ["json", "jsonl", "parquet"].into_iter().filter(|format| FORMATS.contains(format)) {
        let path = folder.path().join(format!("points.{format}"));
        write(&path, format, POINTS, &some_vectors(4));
        let file = ChunkFile::open(&path, format, ChunkFormat::named(format).unwrap()).unwrap();
        let records: Vec<Record<'static>> = file.chunks().map(|found| found.unwrap().record().unwrap()).collect();
        assert_eq!(records, (0..4).map(|index| record(index, &attributes)).collect::<Vec<_>>(), "{format}");
    }
}

#[test]
fn what_is_no_object_is_an_error() {
    let payload = Map::new();
    let fields = PointFields { id: "x", vector: None, payload: &payload };
    let mut out = point_writer("jsonl", Box::new(std::io::sink()), POINTS).unwrap();
    assert!(out.write("[1]", Some(&fields)).is_err());
    assert!(out.write(" { \n } ", Some(&fields)).is_ok());
    assert!(point_writer("yaml", Box::new(std::io::sink()), POINTS).is_err());
}

#[cfg(feature = "parquet")]
mod tables {
    use std::io::Cursor;

    use arrow_array::cast::AsArray;
    use arrow_array::types::Float32Type;
    use arrow_array::{Array, RecordBatch};
    use arrow_ipc::reader::FileReader;
    use gristmill_format::ParquetRows;

    use super::*;

    #[test]
    fn vectors_are_lists_of_one_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("points.arrow");
        let vectors = some_vectors(1500);
        write(&path, "arrow", POINTS, &vectors);
        let reader = FileReader::try_new(Cursor::new(fs::read(&path).unwrap()), None).unwrap();
        let batches: Vec<RecordBatch> = reader.map(Result::unwrap).collect();
        let mut found = Vec::new();
        for batch in &batches {
            let column = batch.column_by_name("vector").unwrap().as_fixed_size_list();
            assert_eq!(column.value_length(), 3);
            found.extend((0..column.len()).map(|row| {
                let numbers = || column.value(row).as_primitive::<Float32Type>().values().to_vec();
                column.is_valid(row).then(numbers)
            }));
        }
        assert!(batches.len() > 1, "borders between batches are crossed");
        assert_eq!(found, vectors);
    }

    #[test]
    fn rows_of_parquet_have_the_fields_of_a_point() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("points.parquet");
        write(&path, "parquet", POINTS, &some_vectors(2));
        let rows: Vec<Value> =
            ParquetRows::new(File::open(&path).unwrap(), "p").unwrap().map(|row| Value::Object(row.unwrap())).collect();
        assert_eq!((&rows[0]["point_id"], &rows[1]["vector"]), (&rows[0]["chunk_id"], &Value::Null));
        assert_eq!(rows[0]["vector"][2], json!(1.0));
        let payload: Value = serde_json::from_str(rows[0]["payload"].as_str().unwrap()).unwrap();
        assert_eq!(payload["module"]["number"], 3, "types stay");

        // Before the first vector nobody knows how long they are.
        write(&path, "parquet", Beside::Point { dimensions: None }, &[None]);
        let row = ParquetRows::new(File::open(&path).unwrap(), "p").unwrap().next().unwrap().unwrap();
        assert!(row.contains_key("payload") && !row.contains_key("vector"));
    }

    #[test]
    fn equal_points_give_equal_files() {
        let folder = tempfile::tempdir().unwrap();
        for format in ["parquet", "arrow"] {
            let paths = ["a", "b"].map(|name| folder.path().join(name));
            paths.iter().for_each(|path| _ = write(path, format, POINTS, &some_vectors(20)));
            assert!(fs::read(&paths[0]).unwrap() == fs::read(&paths[1]).unwrap(), "{format}");
        }
    }
}
