//! The rules inside `curate` and `ingest`: they see the chunks of a document as they are cut.

use gristmill_core::{Chunk, Document, Part, PartKind, Result, Span};
use gristmill_lint::{Finding, Group, LintCx, Piece, Repaired, Rule, Safety, TokenLimit, check, repair};
use gristmill_pipeline::{Cutting, Lint, Linted, Remark};

use super::rules;
use crate::config::LintSettings;

/// Rules for what the pipeline tells itself, by the limits of the run or of the document, or mends before cutting.
const JUDGED: [&str; 4] = ["empty-chunk", "oversized-chunk", "heading-only", "pdf-noise"];

/// What the reader tells of the document; the rule only repairs.
const READ: &str = "unclosed-fence";

/// Rules about borders. Where the pipeline says that a chunk begins inside a sentence larger than the limit, they have
/// nothing to add.
const BORDERS: [&str; 5] = ["mid-sentence-start", "mid-sentence-end", "split-word", "split-code", "split-list-item"];

/// Looks at the chunks of documents.
pub(crate) struct Linter {
    rules: Vec<&'static Rule>,
    fix: bool,
    min_chars: usize,
}

impl Linter {
    pub fn new(settings: &LintSettings) -> Result<Self> {
        let mut rules = rules::selected(settings)?;
        rules.retain(|rule| !JUDGED.contains(&rule.name) && (settings.fix || rule.name != READ));
        Ok(Self { rules, fix: settings.fix, min_chars: settings.min_chars })
    }

    /// The pieces after their repair as chunks again; `None` when one does not hold its limit.
    fn mended(&self, document: &Document, chunks: &[Chunk], after: &Repaired, cutting: &Cutting) -> Option<Vec<Chunk>> {
        let mut starts = Starts { document, chars: 0, byte: 0 };
        let measured = cutting.sizer.measure(&document.text);
        let mut mended = Vec::with_capacity(after.pieces.len());
        for piece in &after.pieces {
            let chunk = chunks.get(piece.index)?;
            if piece.text == chunk.content && piece.merged.is_empty() {
                mended.push(chunk.clone());
                continue;
            }
            let mut new = starts.rebuilt(document, piece)?;
            let size = measured.content_size(&new.content, &new.parts);
            new.size = u32::try_from(size).ok()?;
            let overlap = new.parts.iter().find(|part| part.kind == PartKind::Overlap);
            let overlap = overlap.map_or("", |part| new.content[part.range.range()].trim());
            new.overlap_size = u32::try_from(cutting.sizer.size(overlap)).ok()?;
            if size > cutting.limits.max {
                return None;
            }
            mended.push(new);
        }
        Some(mended)
    }
}

impl Lint for Linter {
    fn lint(&self, document: &Document, chunks: Vec<Chunk>, cutting: &Cutting) -> Linted {
        let tokens = TokenLimit { sizer: cutting.sizer.as_ref(), max: cutting.limits.max };
        let cx = LintCx {
            max_chars: usize::MAX,
            tokens: Some(tokens),
            min_chars: self.min_chars,
            overlaps: false,
            keeps_white: false,
            holds: None,
        };
        let mut group = Group { source: Some(document.source.clone()), pieces: pieces(document, &chunks) };
        let mut found = check(&mut group, &self.rules, &cx);
        found.retain(|finding| !is_known(finding, &chunks));
        let offered = self.fix && found.iter().any(|finding| finding.is_offered(Safety::Lossless));
        if !offered {
            return Linted {
                remarks: remarks(&found, &group.pieces),
                chunks,
                repaired: Vec::new(),
                faults: Vec::new(),
            };
        }
        let after = repair(group.clone(), &self.rules, &cx, Safety::Lossless);
        let faults = after.faults.clone();
        let Some(mended) = self.mended(document, &chunks, &after, cutting) else {
            return Linted { remarks: remarks(&found, &group.pieces), chunks, repaired: Vec::new(), faults };
        };
        let repaired = after.applied.iter().map(|applied| applied.rule).collect();
        let mut group = Group { source: group.source, pieces: after.pieces };
        let mut left = check(&mut group, &self.rules, &cx);
        left.retain(|finding| !is_known(finding, &mended));
        Linted { remarks: remarks(&left, &group.pieces), chunks: mended, repaired, faults }
    }
}

/// True for a finding about a border that the pipeline tells of.
fn is_known(finding: &Finding, chunks: &[Chunk]) -> bool {
    let mut about = std::iter::once(&finding.piece).chain(&finding.related);
    BORDERS.contains(&finding.rule) && about.any(|at| chunks.get(*at).is_some_and(|chunk| chunk.fallback_split))
}

fn remarks(found: &[Finding], pieces: &[Piece]) -> Vec<Remark> {
    let lines = |finding: &Finding| {
        let (piece, span) = (pieces.get(finding.piece)?, finding.span?);
        let before = piece.text.get(piece.body_start()..span.start as usize)?;
        Some(before.matches('\n').count() as u64)
    };
    let remark = |finding: &Finding| Remark {
        chunk: finding.piece,
        lines: lines(finding).unwrap_or(0),
        rule: finding.rule,
        severity: finding.severity,
        message: finding.message.clone(),
    };
    found.iter().map(remark).collect()
}

/// Chunks as the rules see them. Places count code points of the document's text.
fn pieces(document: &Document, chunks: &[Chunk]) -> Vec<Piece> {
    let mut chars = Chars { text: &document.text, byte: 0, chars: 0 };
    let piece = |(index, chunk): (usize, &Chunk)| {
        let mut piece = Piece::new(index, None, chunk.content.clone());
        let (start, end) = (chars.at(chunk.body.start as usize), chars.at(chunk.body.end as usize));
        piece.place = Some(start as u64..end as u64);
        let own = |part: &Part| match part.kind {
            PartKind::Body => Part { origin: Some(Span::new(start, end)), ..*part },
            _ => Part { origin: None, ..*part },
        };
        piece.parts = chunk.parts.iter().map(own).collect();
        piece.overlap_known = true;
        piece.path = document.heading_path(chunk.section).into_iter().map(str::to_owned).collect();
        piece
    };
    chunks.iter().enumerate().map(piece).collect()
}

/// Counts code points up to positions that rise, or fall back a little.
struct Chars<'t> {
    text: &'t str,
    byte: usize,
    chars: usize,
}

impl Chars<'_> {
    fn at(&mut self, byte: usize) -> usize {
        if byte < self.byte {
            (self.byte, self.chars) = (0, 0);
        }
        self.chars += self.text[self.byte..byte].chars().count();
        self.byte = byte;
        self.chars
    }
}

/// Finds bytes of the document by code points that rise.
struct Starts<'t> {
    document: &'t Document,
    chars: usize,
    byte: usize,
}

impl Starts<'_> {
    fn byte(&mut self, chars: usize) -> Option<usize> {
        if chars < self.chars {
            (self.chars, self.byte) = (0, 0);
        }
        let rest = self.document.text.get(self.byte..)?;
        let ahead = chars - self.chars;
        let further = rest.char_indices().map(|(at, _)| at).chain([rest.len()]).nth(ahead)?;
        (self.chars, self.byte) = (chars, self.byte + further);
        Some(self.byte)
    }

    /// The chunk of a repaired piece: what is injected before, the document's own text from its first to its last body,
    /// what is injected after.
    fn rebuilt(&mut self, document: &Document, piece: &Piece) -> Option<Chunk> {
        let bodies = || piece.parts.iter().filter(|part| part.kind == PartKind::Body);
        let first = bodies().find_map(|part| part.origin)?.start;
        let last = bodies().filter_map(|part| part.origin).next_back()?.end;
        let (start, end) = (self.byte(first as usize)?, self.byte(last as usize)?);
        let body = Span::new(start, end).trimmed(&document.text);
        let mut content = String::new();
        let mut parts = Vec::new();
        let mut push = |kind, text: &str, origin| {
            let at = content.len();
            content.push_str(text);
            parts.push(Part { kind, range: Span::new(at, content.len()), origin });
        };
        let (from, until) = (piece.body_start(), piece.body_end());
        for part in
            piece.parts.iter().filter(|part| (part.range.end as usize) <= from && part.kind != PartKind::Overlap)
        {
            push(part.kind, &piece.text[part.range.range()], None);
        }
        push(PartKind::Body, &document.text[body.range()], Some(body));
        for part in piece.parts.iter().filter(|part| part.range.start as usize >= until) {
            push(part.kind, &piece.text[part.range.range()], None);
        }
        let section = document.section_at(body.start);
        Some(Chunk { body, content, parts, size: 0, overlap_size: 0, section, fallback_split: false })
    }
}
