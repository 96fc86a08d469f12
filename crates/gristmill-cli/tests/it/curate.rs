//! `gristmill curate`.

use crate::run::Folder;

#[test]
fn the_handbook_becomes_chunks_and_a_report() {
    let folder = Folder::handbook();
    folder.run(&["curate", "--report", "out/report.md"]).is_like(
        0,
        "chunks: chunks.json\nreport: out/report.md\n# documents → # chunks, mean size # tokens (o#k_base); # to look at\n",
        "warning: en/firmware.md:#: code fence is never closed [unclosed-fence]\n",
    );
    assert!(folder.read("out/report.md").starts_with("# Quality report\n\n25 documents became "));
    assert!(folder.json("chunks.json").as_array().is_some_and(|chunks| chunks.len() > 25));
    assert_eq!(folder.names(), ["chunks.json", "en", "gristmill.toml", "ko", "out", "zh"]);
}

#[test]
fn a_page_shows_documents_beside_their_chunks() {
    let folder = Folder::with(&[
        ("a.md", "# Pumps\n\nThe pump starts at noon.\n"),
        ("b.md", "# Valves\n\n<script>alert(1)</script>\n\n```sh\nls\n"),
    ]);
    let ran = folder.run(&["curate", "a.md", "b.md", "--html", "out/page.html"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("page: out/page.html\n"), "{}", ran.stdout);
    let page = folder.read("out/page.html");
    // The one with a finding comes first.
    let (valves, pumps) = (page.find("<b>b.md</b>").unwrap(), page.find("<b>a.md</b>").unwrap());
    assert!(valves < pumps);
    for part in ["id=\"d1-c0\"", "id=\"d2-c0\"", "<h1>Quality report</h1>", "The pump starts at noon.", "never closed"]
    {
        assert!(page.contains(part), "{part}");
    }
    assert!(page.contains("&lt;script&gt;alert(1)") && page.matches("<script").count() == 1, "its own script only");
}

#[test]
fn chunks_on_standard_output_leave_it_to_them() {
    let folder = Folder::with(&[("a.md", "# A\n\nWords.\n")]);
    let ran = folder.run(&["curate", "a.md", "-o", "-"]);
    assert_eq!(ran.code, Some(0));
    assert!(serde_json::from_str::<serde_json::Value>(&ran.stdout).unwrap().is_array());
    assert!(ran.stderr.ends_with("1 document → 1 chunk, mean size 5.0 tokens (o200k_base)\n"), "{}", ran.stderr);
}

#[test]
fn one_output_may_go_to_standard_output() {
    let folder = Folder::with(&[("a.md", "# A\n\nWords.\n")]);
    let report = folder.run(&["curate", "a.md", "--run-report", "-"]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&report.stdout).unwrap()["totals"]["chunks"], 1);
    assert!(report.stderr.contains("1 document → 1 chunk"));
    let both = "error: two outputs go to standard output\n\nhint: name a file for one of them\n";
    folder.run(&["curate", "a.md", "-o", "-", "--report", "-"]).fails(2, both);
    folder.run(&["chunk", "a.md", "--run-report", "-"]).fails(2, both);
}

#[test]
fn a_gate_fails_from_its_severity_on() {
    let folder = Folder::with(&[("a.md", "# A\n\nWords.\n\n```sh\nls\n"), ("b.md", "# B\n\nOther words.\n")]);
    for (severity, code) in [("never", 0), ("high", 0), ("medium", 1), ("low", 1)] {
        let ran = folder.run(&["curate", ".", "-o", "out/chunks.json", "--fail-on", severity]);
        assert_eq!(ran.code, Some(code), "{severity}: {}", ran.stderr);
        assert!(folder.at("out/chunks.json").exists());
    }
    folder.write("gristmill.toml", "version = 1\n[lint]\nfail_on = \"medium\"\n");
    assert_eq!(folder.run(&["curate", ".", "-o", "out/chunks.json"]).code, Some(1));
    assert_eq!(folder.run(&["inspect", "a.md", "--fail-on", "medium"]).code, Some(1));
    assert_eq!(folder.run(&["inspect", "b.md", "--fail-on", "medium"]).code, Some(0));
}

#[test]
fn warnings_do_not_flood() {
    let folder = Folder::new();
    for n in 0..30 {
        folder.write(&format!("docs/{n:02}.md"), format!("# {n}\n\n```\ncode {n}\n"));
    }
    let ran = folder.run(&["curate", "docs"]);
    let warnings = ran.stderr.lines().filter(|line| line.starts_with("warning: ")).count();
    assert_eq!(warnings, 20);
    assert!(ran.stderr.ends_with("… and 10 more warnings (-v lists all)\n"), "{}", ran.stderr);
    let all = folder.run(&["curate", "docs", "-v"]);
    assert_eq!(all.stderr.lines().filter(|line| line.starts_with("warning: ")).count(), 30);
    folder.run(&["curate", "docs", "-q"]).is(0, "", "");
}
