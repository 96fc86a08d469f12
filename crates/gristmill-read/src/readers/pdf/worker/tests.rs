use gristmill_core::{DocumentId, ErrorKind, Reader};

use super::super::{PDF, Pdf};

use super::*;

fn input(bytes: &[u8]) -> Input<'_> {
    Input { id: DocumentId::new("default", "", "a.pdf"), source: "a.pdf", bytes, open: &[], first: true }
}

const FILE: &[u8] =
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n\
    3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj\n\
    4 0 obj<</Length 40>>stream\nBT /F1 12 Tf 50 700 Td (Hello there.) Tj ET\nendstream endobj\n\
    5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF";

/// What the worker answers for a file.
fn answer(bytes: &[u8]) -> Vec<u8> {
    let (mut asked, mut answer) = (Vec::new(), Vec::new());
    wire::ask(&mut asked, &input(bytes)).expect("memory takes it");
    work(&mut asked.as_slice(), &mut answer, None).expect("memory takes it");
    answer
}

#[test]
fn the_answer_is_what_the_reader_says() {
    let whole = PDF.read(&input(FILE)).expect("the file can be read");
    let told = wire::answered(&answer(FILE), "a.pdf").expect("the file can be read").document(&input(FILE), "pdf");
    assert_eq!(whole.value.text, "Hello there.\n");
    assert_eq!((&told.value.text, &told.value.attrs), (&whole.value.text, &whole.value.attrs));
    assert_eq!(told.value.pages, whole.value.pages);
    // It has no table of objects.
    assert_eq!(told.diagnostics, whole.diagnostics);
    assert_eq!(told.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["pdf-damaged"]);
}

#[test]
fn errors_come_with_their_hints() {
    let error = wire::answered(&answer(b"%PDF-1.4\ntrailer<</Root 1 0 R>>"), "a.pdf").expect_err("there is no page");
    let own = PDF.read(&input(b"%PDF-1.4\ntrailer<</Root 1 0 R>>")).expect_err("there is no page");
    assert_eq!((error.to_string(), error.hint_text(), error.kind()), (own.chain(), own.hint_text(), ErrorKind::Input));
}

#[cfg(unix)]
fn run(script: &str, time: Duration) -> Error {
    let command = ["/bin/sh", "-c", script].map(OsString::from).to_vec();
    let worker = Worker { command, time, memory: 512 << 20 };
    Pdf::Apart(worker).read(&input(FILE)).expect_err("the process does not answer")
}

#[cfg(unix)]
#[test]
fn processes_that_end_badly_cost_one_file() {
    let long = Duration::from_secs(60);
    let crash = run("kill -SEGV $$", long);
    assert_eq!(crash.kind(), ErrorKind::Input);
    assert!(crash.to_string().starts_with("reading the PDF ended its process"), "{crash}");
    assert!(run("echo no luck >&2; exit 3", long).to_string().ends_with(": no luck"));
    assert_eq!(run("exit 0", long).kind(), ErrorKind::Bug);
    // The limits are set on the process: KiB, with 256 MiB for the stack, and seconds of the processor.
    let limits = run("ulimit -v >&2; ulimit -t >&2; ulimit -c >&2; exit 1", long).to_string();
    assert!(limits.ends_with(": 786432; 61; 0"), "{limits}");
    let memory = run("echo memory allocation of 99 bytes failed >&2; kill -ABRT $$", long);
    assert_eq!(memory.to_string(), "the PDF takes more memory than the limit: 512 MiB");
    let late = run("exec sleep 60", Duration::from_millis(50));
    assert_eq!(late.to_string(), "the PDF takes longer than the limit: 0 s");
}
