//! `gristmill mcp` over standard input and output.

use serde_json::Value;

use crate::run::Folder;

/// A line that is no request is answered, and the next one too.
#[test]
fn a_broken_line_ends_nothing() {
    let folder = Folder::with(&[("a.md", "# A\n\nWords.\n")]);
    folder.write("gristmill.toml", "version = 1\n[[source]]\npath = \".\"\n");
    let input = b"\xff\xfe{\"jsonrpc\"\n{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"ping\"}\n";
    let ran = folder.run_with_input(&["mcp"], input);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let answers: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 2, "{}", ran.stdout);
    assert!(answers.iter().any(|answer| answer["error"]["code"] == -32700), "{}", ran.stdout);
    assert!(answers.iter().any(|answer| answer["id"] == 6 && answer["result"].is_object()), "{}", ran.stdout);
}
