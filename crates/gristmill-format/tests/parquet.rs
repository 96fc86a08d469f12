//! Records in Parquet and Arrow files.
#![cfg(feature = "parquet")]

mod sample;

use std::fs::{self, File};
use std::io::Cursor;

use arrow_ipc::reader::FileReader;
use gristmill_format::{ParquetRows, Record, read_records, writer};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use sample::{attributes, record};

fn write(path: &std::path::Path, format: &str, records: &[Record<'_>]) {
    let mut writer = writer(format, Box::new(File::create(path).unwrap())).unwrap();
    records.iter().for_each(|record| writer.write(record).unwrap());
    writer.finish().unwrap();
}

#[test]
fn records_come_back_as_they_were() {
    let (folder, attributes) = (tempfile::tempdir().unwrap(), attributes());
    let path = folder.path().join("chunks.parquet");
    // More than two batches, so that borders between them are crossed.
    let mut records = (0..2500).map(|index| record(index, &attributes)).collect::<Vec<_>>();
    records[7].metadata.parts.clear();
    records[8].metadata.pages.clear();
    records[9].content = "".into();
    write(&path, "parquet", &records);
    let back = read_records(&path, "parquet").unwrap().collect::<Result<Vec<_>, _>>().unwrap();
    assert!(back == records);

    write(&path, "parquet", &[]);
    assert_eq!(read_records(&path, "parquet").unwrap().count(), 0);
}

#[test]
fn columns_are_those_of_the_record() {
    let (folder, attributes) = (tempfile::tempdir().unwrap(), attributes());
    let path = folder.path().join("chunks.parquet");
    write(&path, "parquet", &[record(4, &attributes)]);
    let row = ParquetRows::new(File::open(&path).unwrap(), "chunks").unwrap().next().unwrap().unwrap();
    let mut expected = serde_json::to_value(record(4, &attributes)).unwrap();
    expected["metadata"]["attributes"] =
        r#"{"depth":4.5,"draft":false,"module":{"names":["기록계",null],"number":3}}"#.into();
    // A table has a column whether or not any row fills it.
    expected["metadata"]["merged_ids"] = serde_json::json!([]);
    assert_eq!(serde_json::Value::Object(row), expected);

    let file = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
    let facts = file.metadata().file_metadata();
    let version = facts.key_value_metadata().unwrap().iter().find(|pair| pair.key == "gristmill.record_schema");
    assert_eq!(version.unwrap().value.as_deref(), Some("1"));
}

#[test]
fn equal_records_give_equal_files() {
    let (folder, attributes) = (tempfile::tempdir().unwrap(), attributes());
    let records = (0..50).map(|index| record(index, &attributes)).collect::<Vec<_>>();
    for format in ["parquet", "arrow"] {
        let paths = ["a", "b"].map(|name| folder.path().join(name));
        paths.iter().for_each(|path| write(path, format, &records));
        assert!(fs::read(&paths[0]).unwrap() == fs::read(&paths[1]).unwrap(), "{format}");
    }
}

#[test]
fn large_content_is_cut_into_row_groups() {
    let (folder, attributes) = (tempfile::tempdir().unwrap(), attributes());
    let path = folder.path().join("chunks.parquet");
    let mut writer = writer("parquet", Box::new(File::create(&path).unwrap())).unwrap();
    // Digits of a linear congruential generator: text that does not compress away. 16 records of 4 MB.
    let mut state = 1u64;
    for index in 0..16 {
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from(b'!' + (state >> 58) as u8)
        };
        let mut record = record(index, &attributes);
        record.content = (0..4 << 20).map(|_| next()).collect::<String>().into();
        writer.write(&record).unwrap();
    }
    writer.finish().unwrap();
    let file = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
    assert!(file.num_row_groups() >= 2, "{}", file.num_row_groups());
    assert_eq!(file.metadata().file_metadata().num_rows(), 16);
}

#[test]
fn arrow_files_hold_the_same_table() {
    let (folder, attributes) = (tempfile::tempdir().unwrap(), attributes());
    let path = folder.path().join("chunks.arrow");
    write(&path, "arrow", &[record(0, &attributes), record(1, &attributes)]);
    let mut reader = FileReader::try_new(Cursor::new(fs::read(&path).unwrap()), None).unwrap();
    let batch = reader.next().unwrap().unwrap();
    assert_eq!((batch.num_rows(), batch.num_columns()), (2, 5));
    assert!(reader.next().is_none());
}

#[test]
fn what_is_no_parquet_is_an_error_that_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chunks.parquet");
    for bytes in [&b""[..], b"PAR1", b"PAR1\xff\xff\xff\xffPAR1", b"[]"] {
        fs::write(&path, bytes).unwrap();
        let error = read_records(&path, "parquet").map(drop).unwrap_err();
        assert!(error.to_string().contains("chunks.parquet"), "{error}");
    }
    assert!(read_records(&path, "arrow").is_err());
    assert!(read_records(&folder.path().join("none"), "json").is_err());
}
