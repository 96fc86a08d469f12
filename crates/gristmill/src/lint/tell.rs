//! Findings as reports show them.

use gristmill_core::Span;
use gristmill_format::chunk_file::ChunkFile;
use gristmill_format::findings::{Finding as Told, Place, Snippet, SourcePlace, around, fingerprint};
use gristmill_lint::{Finding, Piece, RULES, Safety};

/// Where the chunks are.
pub(super) struct Teller<'a> {
    pub file: &'a ChunkFile,
    pub least: Safety,
}

impl Teller<'_> {
    /// A finding about `piece`, which stands on `line` of the file of chunks.
    pub fn told(
        &self,
        finding: &Finding,
        piece: &Piece,
        line: u64,
        source: Option<&str>,
        related: Vec<String>,
    ) -> Told {
        let rule = RULES.iter().find(|rule| rule.name == finding.rule);
        let span = finding.span.filter(|span| piece.text.get(span.range()).is_some());
        let about = span.map_or(piece.text.as_str(), |span| around(&piece.text, span.range()));
        let repair = finding.repair.as_ref();
        Told {
            rule: finding.rule.into(),
            title: rule.map_or(finding.rule, |rule| rule.title).into(),
            severity: finding.severity,
            chunk_id: piece.id.clone(),
            index: piece.index as u64,
            message: finding.message.clone(),
            fixable: repair.is_some_and(|repair| repair.safety >= self.least),
            repair: repair.map(|repair| repair.title.clone()),
            related,
            help: repair.filter(|repair| repair.safety < self.least).map(|_| "`--unsafe` does it".to_owned()),
            place: Place { file: self.file.name().to_owned(), line: Some(line), source: place(piece, span, source) },
            snippet: span.map(|span| Snippet::of(&piece.text, span.range())),
            diff: None,
            fingerprint: fingerprint(finding.rule, source.unwrap_or_default(), about),
        }
    }
}

/// The place in the document, where the chunk says on which line it begins.
fn place(piece: &Piece, span: Option<Span>, source: Option<&str>) -> Option<SourcePlace> {
    let (path, first) = (source?, piece.line?);
    let body = piece.body_start();
    let span = span.unwrap_or(Span::new(body, piece.body_end().max(body)));
    let from = (span.start as usize).max(body);
    let until = (span.end as usize).max(from);
    let before = &piece.text[body..from];
    let inside = &piece.text[from..until];
    let column = |text: &str| text.rfind('\n').map_or(text, |at| &text[at + 1..]).chars().count() as u64 + 1;
    let line = first + before.matches('\n').count() as u64;
    let start = piece.place.as_ref().map_or(0, |place| place.start) + before.chars().count() as u64;
    let last = line + inside.matches('\n').count() as u64;
    Some(SourcePlace {
        path: path.to_owned(),
        line_start: line,
        column_start: column(before),
        line_end: last,
        column_end: column(&piece.text[body..until]),
        char_start: start,
        char_end: start + inside.chars().count() as u64,
    })
}
