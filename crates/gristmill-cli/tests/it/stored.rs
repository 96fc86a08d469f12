//! `gristmill status`, `export` and `gc`; `explain` of a stored chunk.

use serde_json::{Value, json};

use crate::run::{Folder, lines};

fn ingested() -> Folder {
    let folder = Folder::handbook();
    assert_eq!(folder.run(&["ingest", "-q"]).code, Some(0));
    folder
}

#[test]
fn a_store_that_is_not_there_is_no_failure_but_for_export() {
    let folder = Folder::new();
    let absent = "store:     .gristmill/store.db is not there yet; `gristmill ingest` makes it\n";
    folder.run(&["status"]).is(0, &format!("project:   default\n{absent}"), "");
    folder.run(&["gc"]).is(0, absent, "");
    let status: Value = serde_json::from_str(&folder.run(&["status", "--format", "json"]).stdout).unwrap();
    assert_eq!((&status["store"]["exists"], &status["model"]), (&json!(false), &Value::Null));
    folder
        .run(&["export"])
        .fails(5, "error: there is no store: `[DIR]/.gristmill/store.db`\n\nhint: run `gristmill ingest` first\n");
    assert!(folder.names().is_empty());
}

#[test]
fn a_store_is_told_in_five_lines() {
    let folder = ingested();
    folder.run(&["status"]).is_like(
        0,
        "project:   tern\nstore:     .gristmill/store.db (# kB)\nmodel:     static/gm-multi-#k-#-i#, vectors of # numbers\n\
         documents: #, all complete\nchunks:    #\n",
        "",
    );
    folder.run(&["gc"]).is_like(0, "removed:   nothing\nstore:     .gristmill/store.db (# kB)\n", "");
    let status: Value = serde_json::from_str(&folder.run(&["status", "--format", "json"]).stdout).unwrap();
    assert_eq!((&status["documents"], &status["incomplete"], &status["next"]), (&json!(25), &json!([]), &Value::Null));
    folder.run(&["status", "--project", "other"]).is_like(
        0,
        "project:   other\nstore:     .gristmill/store.db (# kB)\ndocuments: none of this project yet; `gristmill \
         ingest` stores them\nchunks:    #\n",
        "",
    );
}

#[test]
fn records_go_to_standard_output_and_points_to_files() {
    let folder = ingested();
    let stored = folder.run(&["export"]).records();
    let places: Vec<(&str, u64)> = stored
        .iter()
        .map(|record| &record["metadata"])
        .map(|metadata| (metadata["source"].as_str().unwrap(), metadata["chunk_index"].as_u64().unwrap()))
        .collect();
    assert!(places.is_sorted() && places.len() > 40);
    let points = folder.run(&["export", "--format", "jsonl", "--with-vectors"]).records();
    let vectors = points.iter().map(|point| point["vector"].as_array().unwrap().len());
    assert!(vectors.eq(stored.iter().map(|_| 256)));
    assert!(points.iter().all(|point| point["point_id"] == point["chunk_id"] && point["payload"]["tenant"] == "tern"));

    let chunks = stored.len();
    for name in ["out/points.json", "out/points.jsonl", "out/points.parquet", "out/points.arrow"] {
        let said = format!("{chunks} chunks of 25 documents written to {name}\n");
        folder.run(&["export", "-o", name, "--with-vectors"]).is(0, "", &said);
    }
    // What is read back is what was stored.
    folder.write("records.jsonl", folder.run(&["export"]).stdout);
    let scanned = |name: &str| {
        let ran = folder.run(&["scan", name, "--format", "json"]);
        let mut report: Value = serde_json::from_str(&ran.stdout).unwrap();
        report["input"].take();
        report["findings"].as_array_mut().unwrap().iter_mut().for_each(|finding| _ = finding["place"].take());
        (report["chunks"].clone(), report["findings"].as_array().unwrap().len())
    };
    let expected = scanned("records.jsonl");
    assert_eq!(expected.0, json!(chunks));
    for name in ["out/points.json", "out/points.jsonl", "out/points.parquet"] {
        assert_eq!(scanned(name), expected, "{name}");
        folder.run(&["diff", "records.jsonl", name, "--check"]).is(0, &format!("chunks: {chunks} kept\n"), "");
    }
}

#[test]
fn outputs_of_export_are_named_and_known() {
    let folder = ingested();
    let ran = folder.run(&["export", "-o", "points.txt"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.starts_with("error: the name tells no format: points.txt"), "{}", ran.stderr);
    assert_eq!(folder.run(&["export", "--format", "yaml"]).code, Some(2));
    let none = folder.run(&["export", "--project", "other"]);
    none.is(0, "", "note: the store has no chunk of this project\n");
    assert!(!folder.names().contains(&"points.txt".to_owned()));
}

#[test]
fn a_chunk_is_traced_to_its_lines() {
    let folder = ingested();
    let records = lines(&folder.run(&["export"]).stdout);
    let at = records.iter().position(|record| record["metadata"]["source"] == "en/maintenance.md").unwrap();
    let (first, second) = (&records[at], &records[at + 1]);
    let id = second["chunk_id"].as_str().unwrap();
    let ran = folder.run(&["explain", id]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let metadata = &second["metadata"];
    let place = format!("en/maintenance.md:{}-{}\n", metadata["line_start"], metadata["line_end"]);
    assert!(ran.stdout.starts_with(&place), "{}", ran.stdout);
    for part in [
        format!("\nchunk:       {id}\n"),
        format!("\nplace:       chunk 2 of {}, characters ", metadata["total_chunks"]),
        format!("\ntext hash:   {}\n", metadata["content_hash"].as_str().unwrap()),
        format!("\nbefore:      {}  # Maintenance of a", first["chunk_id"].as_str().unwrap()),
        "\nmodel:       static/gm-multi-66k-256-i4, vectors of 256 numbers\n".to_owned(),
        "\nnow:         the source gives this very chunk\n".to_owned(),
    ] {
        assert!(ran.stdout.contains(&part), "{part:?} in {}", ran.stdout);
    }
    let json: Value = serde_json::from_str(&folder.run(&["explain", id, "--format", "json"]).stdout).unwrap();
    assert_eq!((&json["record"], &json["now"]["state"]), (second, &json!("same")));
    assert_eq!(json["previous"]["chunk_id"], first["chunk_id"]);

    let text = folder.read("en/maintenance.md");
    folder.write("en/maintenance.md", text.replace("18 months", "20 months"));
    let now = folder.run(&["explain", id]).stdout;
    assert!(now.ends_with("now:         the source gives this chunk no more: the document has changed\n"), "{now}");
    let nobody = "00000000-0000-0000-0000-000000000000";
    let ran = folder.run(&["explain", nobody]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.starts_with(&format!("error: project `tern` has no such chunk: {nobody}\n")), "{}", ran.stderr);
}

#[test]
fn without_configured_sources_documents_are_named_for_the_comparison() {
    let folder = Folder::with(&[("docs/a.md", "# A\n\nWords.\n")]);
    assert_eq!(folder.run(&["ingest", "docs", "-q"]).code, Some(0));
    let id = lines(&folder.run(&["export"]).stdout)[0]["chunk_id"].as_str().unwrap().to_owned();
    let last = |args: &[&str]| {
        let ran = folder.run(&[&["explain", &id], args].concat());
        ran.stdout.lines().last().unwrap_or_default().to_owned()
    };
    let unknown =
        "now:         not compared: no source is configured: name the documents that were ingested, too".to_owned();
    assert_eq!(last(&[]), unknown);
    assert_eq!(last(&["docs"]), "now:         the source gives this very chunk");
}
