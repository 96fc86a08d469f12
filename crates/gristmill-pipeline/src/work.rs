//! One document from its bytes to cut windows.

use std::borrow::Cow;
use std::collections::BTreeMap;

use gristmill_core::{
    Chunk, ChunkId, Diagnostic, Document, Error, Fingerprint, Input, OccurrenceCounter, Origin, Outcome, Reader,
    Result, Severity, Unit,
};
use gristmill_format::report::{Inspection, Removal};
use gristmill_text::clean::Repeats;

use crate::count::{Removals, inspection};
use crate::facts::Facts;
use crate::position::{Cursor, Position};
use crate::records::{Rank, RecordMaker};
use crate::restart::{CutWindow, Next, next_window, open_sections};
use crate::spool::Spool;
use crate::stages::{Content, Cutting, Job, Pick, Remark, Stages};
use crate::validate::{Flaw, flaws};
use crate::window::{Places, Window, finish};

/// Larger documents are read in windows of this many bytes, so that memory does not grow with them.
pub const WINDOW: usize = 4 * 1024 * 1024;

/// A window grows up to this when it holds no place at which the next one could begin.
const WINDOW_MAX: usize = 4 * WINDOW;

/// Bytes by which the reader is chosen.
const HEAD: usize = 64 * 1024;

/// A document that was read and cut.
pub struct Worked {
    /// What it declares.
    pub facts: Facts,
    /// Hash of its bytes.
    pub fingerprint: Fingerprint,
    /// Kind of file.
    pub format: &'static str,
    /// Encoding it was read with.
    pub encoding: &'static str,
    /// One entry a chunk.
    pub summaries: Vec<Summary>,
    /// Its chunks.
    pub windows: Windows,
    /// What stands in it, where that was asked for.
    pub inspection: Option<Inspection>,
    /// Code points that cleaning left.
    pub characters: u64,
    /// What cleaning changed.
    pub removals: Vec<Removal>,
    /// Problems met on the way.
    pub diagnostics: Vec<Diagnostic>,
    /// What was repaired in its chunks, by rule.
    pub repaired: BTreeMap<&'static str, u64>,
    /// How it was cut.
    pub cutting: Cutting,
}

/// The chunks of a document: held when it is one window, else written to a temporary file.
pub enum Windows {
    /// The whole document.
    Held(Box<Window>),
    /// Records of a large document, without their rank.
    Spooled(Spool),
    /// Handed on already.
    Taken,
}

/// What is known of a chunk before its record is made.
pub struct Summary {
    /// Identity.
    pub id: ChunkId,
    /// By which equal texts are recognised.
    pub hash: Fingerprint,
    /// Size in the unit of the limits.
    pub size: u32,
    /// Line on which it begins, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub flaws: Vec<Flaw>,
    /// What the rules found.
    pub remarks: Vec<Remark>,
}

/// What became of a document.
pub enum Fate {
    /// It was cut.
    Worked(Box<Worked>),
    /// No reader takes it, for this reason.
    Skipped(Cow<'static, str>),
}

/// Reads and cuts one document.
///
/// # Errors
/// When it cannot be read.
pub fn work<'a>(job: &'a Job, content: &dyn Content, stages: &'a Stages<'a>) -> Result<Fate> {
    let head = content.window(0, HEAD)?;
    let reader = match (stages.pick)(&job.source, &head) {
        Pick::Reader(reader) => reader,
        Pick::Skip(reason) => return Ok(Fate::Skipped(reason)),
    };
    let mut run = Run {
        job,
        stages,
        reader,
        fingerprint: content.fingerprint()?,
        ids: OccurrenceCounter::default(),
        open: Vec::new(),
        origin: Position::default(),
        repeats: Repeats::default(),
        inspection: stages.inspect.then(Inspection::default),
        characters: 0,
        removals: Removals::default(),
        diagnostics: Vec::new(),
        summaries: Vec::new(),
        repaired: BTreeMap::new(),
        shared: None,
    };
    let windows = run.windows(content, is_wide(&head) || reader.converts())?;
    content.ensure_unchanged()?;
    let shared = run.shared.ok_or_else(|| Error::bug("a document without a window"))?;
    Ok(Fate::Worked(Box::new(Worked {
        facts: shared.facts,
        fingerprint: run.fingerprint,
        format: reader.name(),
        encoding: shared.encoding,
        summaries: run.summaries,
        windows,
        inspection: run.inspection,
        characters: run.characters,
        removals: run.removals.list(),
        diagnostics: run.diagnostics,
        repaired: run.repaired,
        cutting: shared.cutting,
    })))
}

/// Reads a document whole, whatever its size, without cleaning or cutting it.
///
/// # Errors
/// When no reader takes it or it cannot be read.
pub fn read_whole<'a>(
    job: &Job,
    content: &dyn Content,
    pick: &dyn Fn(&str, &[u8]) -> Pick<'a>,
) -> Result<Outcome<Document>> {
    let length = usize::try_from(content.size()).map_err(|e| Error::input("too large for this machine").because(e))?;
    let bytes = content.window(0, length)?;
    let reader = match pick(&job.source, &bytes[..bytes.len().min(HEAD)]) {
        Pick::Reader(reader) => reader,
        Pick::Skip(reason) => return Err(Error::input(reason)),
    };
    let mut read = reader.read(&Input { id: job.id, source: &job.source, bytes: &bytes, open: &[], first: true })?;
    read.value.attrs.extend(job.attrs.clone());
    Ok(read)
}

/// True for UTF-16 and UTF-32, where a line end in the bytes is none in the text: such documents are not cut into windows.
fn is_wide(head: &[u8]) -> bool {
    let marked = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") || head.starts_with(b"\0\0\xfe\xff");
    marked || memchr::memchr_iter(0, head).count() > head.len() / 8
}

/// What the first window decides for all.
struct Shared {
    facts: Facts,
    encoding: &'static str,
    cutting: Cutting,
}

struct Run<'a> {
    job: &'a Job,
    stages: &'a Stages<'a>,
    reader: &'a dyn Reader,
    fingerprint: Fingerprint,
    ids: OccurrenceCounter,
    /// Sections open where the next window begins.
    open: Vec<(u8, String)>,
    /// Where the next window begins.
    origin: Position,
    /// Blocks seen in earlier windows.
    repeats: Repeats,
    inspection: Option<Inspection>,
    characters: u64,
    removals: Removals,
    diagnostics: Vec<Diagnostic>,
    summaries: Vec<Summary>,
    /// Repairs by rule.
    repaired: BTreeMap<&'static str, u64>,
    shared: Option<Shared>,
}

impl Run<'_> {
    /// `whole` takes the document as one window, whatever its size.
    fn windows(&mut self, content: &dyn Content, whole: bool) -> Result<Windows> {
        let length = content.size();
        let (mut at, mut size) = (0, if whole { usize::try_from(length).unwrap_or(usize::MAX) } else { WINDOW });
        let mut spool: Option<Spool> = None;
        loop {
            let bytes = content.window(at, size)?;
            let last = at + bytes.len() as u64 >= length;
            let end = if last { bytes.len() } else { (self.stages.window_end)(&bytes, bytes.len()) };
            let Some((window, used)) = self.window(&bytes[..end], last, size >= WINDOW_MAX)? else {
                size *= 2;
                continue;
            };
            if last && spool.is_none() {
                return Ok(Windows::Held(Box::new(window)));
            }
            let mut spooled = spool.take().map_or_else(Spool::new, Ok)?;
            self.spool(&window, &mut spooled)?;
            if last {
                return Ok(Windows::Spooled(spooled));
            }
            spool = Some(spooled);
            (at, size) = (at + used as u64, WINDOW);
        }
    }

    fn spool(&self, window: &Window, spool: &mut Spool) -> Result<()> {
        let Some(shared) = &self.shared else { return Ok(()) };
        let source_hash = self.fingerprint.tagged();
        let maker = RecordMaker { facts: &shared.facts, source: &self.job.source, source_hash: &source_hash };
        window.chunks.iter().try_for_each(|cut| spool.push(&maker.record(window, cut, Rank::default())))
    }

    /// Cuts one window and gives it with the number of its bytes that are done with: the next window begins with its
    /// last chunks, which may go on there. `None` when it holds no place for that, unless it is to be `taken` as it is.
    fn window(&mut self, bytes: &[u8], last: bool, taken: bool) -> Result<Option<(Window, usize)>> {
        let (mut cut, made) = self.cut(bytes)?;
        let source = made.map_or_else(|| (self.stages.decoded)(bytes, cut.document.encoding), Cow::Owned);
        let next = if last { None } else { next_window(&mut cut, &source, bytes) };
        if next.is_none() && !last && !taken {
            return Ok(None);
        }
        let next = next.unwrap_or_else(|| Next {
            decoded: source.len(),
            raw: bytes.len(),
            open: open_sections(&cut.document, cut.document.sections.len() - 1),
        });
        let window = self.finish(cut, &source);
        self.origin = Cursor::new(&source, self.origin).to(next.decoded);
        self.open = next.open;
        Ok(Some((window, next.raw)))
    }

    /// Reads, cleans and cuts; with the text that was made of the bytes, where the reader makes one.
    fn cut(&mut self, bytes: &[u8]) -> Result<(CutWindow, Option<String>)> {
        let read = self.reader.read(&Input {
            id: self.job.id,
            source: &self.job.source,
            bytes,
            open: &self.open,
            first: self.shared.is_none(),
        })?;
        let mut diagnostics = read.diagnostics;
        let made = self.reader.converts().then(|| read.value.text.clone());
        // Repeated blocks are looked for in each window by itself: what is read again in the next one is no repeat.
        let mut document = self.stages.cleaner.clean(read.value);
        document.origin = Origin { byte: self.origin.byte, char: self.origin.char, line: self.origin.line };
        let cutting = &self.shared(&document).cutting;
        let chunks = cutting.chunker.chunk(&document, &cutting.cx())?;
        diagnostics.extend(chunks.diagnostics);
        Ok((CutWindow { document, chunks: chunks.value, diagnostics }, made))
    }

    fn shared(&mut self, document: &Document) -> &Shared {
        let (job, stages) = (self.job, self.stages);
        self.shared.get_or_insert_with(|| {
            let facts = Facts::of(document, job, stages.enrich);
            let cutting = (stages.cutting)(facts.document_type.as_deref());
            Shared { facts, encoding: document.encoding, cutting }
        })
    }

    fn finish(&mut self, cut: CutWindow, source: &str) -> Window {
        let CutWindow { document, chunks, diagnostics } = cut;
        let lines = document.origin.line;
        self.diagnostics.extend(diagnostics.into_iter().map(|mut d| {
            d.place.line = d.place.line.map(|line| line + lines);
            d
        }));
        self.removals.add(&document.edits, source, self.origin);
        self.characters += document.text.chars().count() as u64;
        if let Some(sum) = &mut self.inspection {
            sum.add(&inspection(&document, self.stages.tokens, &mut self.repeats));
        }
        let (chunks, mut remarks) = self.lint(&document, chunks);
        self.diagnostics.extend(uncovered(&document, &chunks, &self.job.source));
        let counted = self.shared(&document).cutting.sizer.unit() == Unit::Tokens;
        let mut places = Places::new(&document, source, self.origin);
        let (ids, id) = (&mut self.ids, document.id);
        let chunks = finish(&document, chunks, &mut places, self.stages, counted, &mut |body| ids.next(id, body));
        let limits = self.shared(&document).cutting.limits;
        self.summaries.extend(chunks.iter().enumerate().map(|(at, cut)| Summary {
            id: cut.id,
            hash: cut.hash,
            size: cut.chunk.size,
            line: cut.place.0.line + 1,
            flaws: flaws(cut, &document, &limits),
            remarks: remarks.extract_if(.., |remark| remark.chunk == at).collect(),
        }));
        Window { document, chunks }
    }

    /// Lets the rules look at the chunks of a window.
    fn lint(&mut self, document: &Document, chunks: Vec<Chunk>) -> (Vec<Chunk>, Vec<Remark>) {
        let Some(lint) = self.stages.lint else { return (chunks, Vec::new()) };
        let linted = lint.lint(document, chunks, &self.shared(document).cutting);
        for rule in linted.repaired {
            *self.repaired.entry(rule).or_insert(0) += 1;
        }
        let fault = |fault: &String| Diagnostic::new(FAULT, Severity::High, &self.job.source, fault.clone());
        self.diagnostics.extend(linted.faults.iter().map(fault));
        (linted.chunks, linted.remarks)
    }
}

/// The code of text that is in no chunk: a mistake of ours.
pub const UNCOVERED: &str = "uncovered-text";

/// Looks for text between the bodies of chunks: only white space may stand there.
fn uncovered(document: &Document, chunks: &[Chunk], source: &str) -> Option<Diagnostic> {
    let text = &document.text;
    let (mut at, mut count, mut first) = (0, 0, None);
    let ends = chunks.iter().map(|chunk| (chunk.body.start as usize, chunk.body.end as usize));
    for (start, end) in ends.chain([(text.len(), text.len())]) {
        let gap = text.get(at..start).unwrap_or_default();
        let letters = gap.chars().filter(|c| !c.is_whitespace()).count();
        if letters > 0 {
            count += letters;
            first.get_or_insert(at);
        }
        at = at.max(end);
    }
    let line = memchr::memchr_iter(b'\n', text.get(..first?)?.as_bytes()).count() as u64 + 1;
    let message = format!("{count} characters are in no chunk");
    Some(Diagnostic::new(UNCOVERED, Severity::High, source, message).at_line(document.origin.line + line))
}

/// A repair that failed its proof and was taken back.
const FAULT: &str = "repair-fault";
