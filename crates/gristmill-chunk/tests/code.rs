//! Programs cut by the strategy `code`, as the reader of source code hands them over. Sizes are in characters. The tests are
//! skipped, and say so, where this build of the readers has none for source code.

use gristmill_chunk::strategy;
use gristmill_core::{Chunk, ChunkCx, ContextMode, Document, DocumentId, Input, Limits, PartKind, Reader, Unit};
use gristmill_text::count::sizer;
use proptest::prelude::*;

#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn reader() -> Option<&'static dyn Reader> {
    let reader = gristmill_read::reader_by_name("code");
    if reader.is_none() {
        eprintln!("skipped: no reader of source code in this build");
    }
    reader
}

fn cut(source: &str, text: &str, max: usize) -> Option<(Document, Vec<Chunk>)> {
    let id = DocumentId::new("p", "", source);
    let bytes = text.as_bytes();
    let input = Input { id, source, bytes, open: &[], first: true };
    let document = reader()?.read(&input).expect("it can be read").value;
    let counter = sizer(Unit::Chars, "").expect("characters can be counted");
    let limits = Limits { target: max * 2 / 3, max, min: max * 2 / 15, overlap: 0 };
    let cx = ChunkCx { context: ContextMode::Headings, ..ChunkCx::new(limits, counter.as_ref()) };
    let chunks = strategy("code").expect("it is there").chunk(&document, &cx).expect("it can be cut").value;
    Some((document, chunks))
}

fn bodies((document, chunks): &(Document, Vec<Chunk>)) -> Vec<&str> {
    chunks.iter().map(|chunk| chunk.body_text(&document.text)).collect()
}

#[test]
fn comments_and_decorators_stay_with_their_function() {
    let function =
        |name: &str| format!("# About {name}\n# and more\n@cached\n@retry(times=3)\ndef {name}(x):\n    return x");
    let text = format!("{}\n\n\n{}\n\n\n{}\n", function("cost"), function("price"), function("tax"));
    let Some(made) = cut("a.py", &text, 100) else { return };
    assert_eq!(bodies(&made), [function("cost"), function("price"), function("tax")]);
}

#[test]
fn a_large_function_is_cut_at_its_statements_under_its_signature() {
    let step =
        |n: usize| format!("    if rows[{n}] > {n}:\n        total += rows[{n}]\n        log('row {n}', total)\n");
    let steps: String = (0..60).map(step).collect();
    let text = format!(
        "def before():\n    return 1\n\n\ndef settle(rows):\n    total = 0\n{steps}    return total\n\n\ndef after():\n    return 2\n"
    );
    let Some(made) = cut("a.py", &text, 600) else { return };
    let bodies = bodies(&made);
    assert!(bodies[0].starts_with("def before():\n    return 1"), "{}", bodies[0]);
    assert!(bodies.last().is_some_and(|last| last.ends_with("def after():\n    return 2")), "{bodies:?}");
    assert!(bodies.len() > 6);
    for (chunk, body) in made.1.iter().zip(&bodies) {
        assert!(chunk.content.contains("settle(rows)") || body.starts_with("def "), "{}", chunk.content);
        let first = body.lines().next().unwrap_or_default();
        assert!(["def ", "    if rows", "    return total"].iter().any(|start| first.starts_with(start)), "{first}");
    }
    let kept: String = bodies.concat().split_whitespace().collect();
    assert_eq!(kept, text.split_whitespace().collect::<String>());
}

#[test]
fn methods_of_a_large_class_are_whole_and_know_where_they_are() {
    let method = |n: usize| format!("  /** Does {n}. */\n  do{n}() {{\n    return this.x + {n};\n  }}");
    let methods: Vec<String> = (0..20).map(method).collect();
    let text = format!("class Worker {{\n{}\n}}\n", methods.join("\n\n"));
    let Some(made) = cut("a.js", &text, 200) else { return };
    let bodies = bodies(&made);
    for method in &methods {
        assert!(bodies.iter().any(|body| body.contains(method.trim_start())), "{method}");
    }
    for chunk in &made.1[1..] {
        let heading = chunk.parts.iter().find(|part| part.kind == PartKind::Heading).expect("there is a path");
        assert!(chunk.content[heading.range.range()].contains("Worker"), "{}", chunk.content);
    }
}

#[test]
fn every_chunk_begins_a_line() {
    let text = "# 计算 🧾\ndef total(rows):\n    # 逐行\n    return sum(r.price for r in rows)\n\n\n# 打印 😀\ndef receipt(rows):\n    print('合计', total(rows))\n    return '✓'\n\n\ndef last():\n    return 'ende'\n";
    let Some(made) = cut("a.py", text, 80) else { return };
    for chunk in &made.1 {
        let start = chunk.body.start as usize;
        assert!(start == 0 || text.as_bytes()[start - 1] == b'\n', "{}", chunk.content);
    }
    assert!(bodies(&made).iter().any(|body| body.contains("def last():\n    return 'ende'")));
}

/// A function of `lines` statements, some of them nested, and the text that belongs together.
fn function(name: usize, indent: &str, lines: usize, lead: usize) -> String {
    let mut text = String::new();
    for n in 0..lead {
        text += &format!("{indent}{}\n", ["# Says why.", "@wraps", "@retry(times=3, wait=1)"][n % 3]);
    }
    text += &format!("{indent}def f{name}(self, value=1):\n");
    for n in 0..lines {
        match n % 5 {
            3 => text += &format!("{indent}    for item in value:\n{indent}        use(item, {n})\n"),
            4 => text += &format!("\n{indent}    # Step {n}\n"),
            _ => text += &format!("{indent}    value = change(value, {n})\n"),
        }
    }
    text + &format!("{indent}    return value\n")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn functions_that_fit_are_whole(
        sizes in prop::collection::vec((0usize..40, 0usize..4, any::<bool>()), 1..20),
        max in 60usize..900,
    ) {
        let mut text = String::from("import os\nimport sys\n\n\n");
        let mut functions = Vec::new();
        for (n, (lines, lead, method)) in sizes.into_iter().enumerate() {
            let own = function(n, if method { "    " } else { "" }, lines, lead);
            if method {
                text += &format!("class C{n}:\n    \"\"\"Doc.\"\"\"\n\n");
            }
            text += &own;
            text += "\n\n";
            functions.push(own);
        }
        let Some(made) = cut("a.py", &text, max) else { return Ok(()) };
        let bodies = bodies(&made);
        for chunk in &made.1 {
            prop_assert!(chunk.size as usize <= max);
        }
        for own in functions.iter().filter(|own| own.trim_end().len() <= max) {
            prop_assert!(bodies.iter().any(|body| body.contains(own.trim())), "cut: {own}\n{bodies:#?}");
        }
        let kept: String = bodies.concat().split_whitespace().collect();
        prop_assert_eq!(kept, text.split_whitespace().collect::<String>());
    }
}
