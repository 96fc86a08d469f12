//! Documents that a person should look at.

mod buffer;

use buffer::Buffer;
use gristmill::config::{self, Layer, Options, Task};
use gristmill::{Inputs, RunCx, deliver, format};

#[test]
fn widespread_noise_is_for_a_person_to_look_at() {
    let folder = tempfile::tempdir().unwrap();
    let prose = "A paragraph that says something of use about tides.\n\n";
    std::fs::write(folder.path().join("clean.md"), prose.repeat(4)).unwrap();
    std::fs::write(
        folder.path().join("noisy.md"),
        format!("{prose}{}", "Back to top\n\nSkip to main content\n\n".repeat(4)),
    )
    .unwrap();
    let settings = config::resolve(Task::Curate, folder.path(), &[Layer::flags(Options::default())]).unwrap().value;
    let inputs =
        Inputs { folder: folder.path().to_owned(), paths: vec![folder.path().to_owned()], ..Inputs::default() };
    // Whether or not the documents are counted.
    for inspect in [true, false] {
        let buffer = Buffer::default();
        let writer = format::writer("jsonl", Box::new(buffer.clone())).unwrap();
        let mut cx = RunCx { workers: 1, inspect, lint: true, progress: &mut |_, _, _| {} };
        let report = deliver(&settings, &inputs, writer, &mut cx).unwrap();
        assert!(!String::from_utf8(buffer.take()).unwrap().contains("Back to top"));
        let review: Vec<(&str, bool)> = report.documents.iter().map(|d| (d.source.as_str(), d.needs_review)).collect();
        assert_eq!(review, [("clean.md", false), ("noisy.md", true)]);
        assert_eq!(report.totals.inspection.map(|counts| counts.headings), inspect.then_some(0));
    }
}
