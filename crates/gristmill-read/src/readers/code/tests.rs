use gristmill_core::{Block, BlockKind, Document, DocumentId, Fingerprint, Input, Outcome, Reader};

use super::Code;

fn read(source: &str, text: &str) -> Outcome<Document> {
    let input = Input {
        id: DocumentId::new("default", "", source),
        source,
        fingerprint: Fingerprint::of(text.as_bytes()),
        bytes: text.as_bytes(),
        open: &[],
        first: true,
    };
    Code.read(&input).expect("text can be read")
}

/// A line a block, indented by depth: definitions with their path and signature, leaves with their text.
fn shape(document: &Document) -> String {
    let line = |block: &Block| {
        let path = document.heading_path(block.section).join("/");
        let text = &document.text[block.span.range()];
        let indent = "  ".repeat(block.depth.into());
        match block.kind {
            BlockKind::Unit { signature } => format!("{indent}{path} {:?}\n", &document.text[signature.range()]),
            _ => format!("{indent}- {text:?}\n"),
        }
    };
    document.blocks.iter().map(line).collect()
}

#[test]
fn comments_and_decorators_stay_with_the_function() {
    let text = "import os\nfrom x import (\n    y,\n)\n\n# Price\n# of all\n@cached\n@retry(times=3)\ndef price(x):\n    \"\"\"Doc.\"\"\"\n    if x:\n        return 1  # one\n    return 2\n\n\nclass A(B):\n    z = 1\n\n    def f(self):\n        pass\n    w = 2\nprice(1)\n";
    let shown = shape(&read("a/b.py", text).value);
    println!("{shown}");
}
