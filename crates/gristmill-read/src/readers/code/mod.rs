//! Source code: definitions with their comments and decorators, one inside the other, and the statements in them.
//!
//! The text is the file's own. A file too large to be held comes in windows that begin where a definition at the margin
//! does, so each can be read for itself. What a grammar cannot make out is cut by lines, and so is code in a language that
//! has none here; both are told.

mod definition;
mod find;
mod languages;
mod layout;
mod parse;
mod roles;

use gristmill_core::{
    Attrs, Block, Diagnostic, Document, Input, Origin, Outcome, Pages, Reader, Result, Section, Severity,
};
use tree_sitter::Language as Grammar;

use self::find::Piece;
use self::languages::Language;
use self::parse::Errors;
use self::roles::{Role, Roles};
use crate::decode::decode;
use crate::lines::Lines;

/// Reads source code.
pub struct Code;

impl Reader for Code {
    fn name(&self) -> &'static str {
        "code"
    }

    fn summary(&self) -> &'static str {
        "source code by definition, with comments, decorators and the path of names"
    }

    fn extensions(&self) -> &'static [&'static str] {
        languages::extensions()
    }

    fn read(&self, input: &Input<'_>) -> Result<Outcome<Document>> {
        let decoded = decode(input)?;
        let language = Language::of(input.source, decoded.text.as_bytes());
        let Structure { blocks, sections, remark } = structure(input, &decoded.text, language);
        let mut diagnostics = decoded.diagnostics;
        diagnostics.extend(remark);
        let attrs = language.map(|language| ("programming_language".to_owned(), language.name.into()));
        let document = Document {
            id: input.id,
            source: input.source.to_owned(),
            format: self.name(),
            encoding: decoded.encoding,
            attrs: Attrs::from_iter(attrs),
            text: decoded.text.into_owned(),
            blocks,
            sections,
            edits: decoded.edits,
            map: decoded.map,
            origin: Origin::default(),
            pages: Pages::default(),
        };
        Ok(Outcome { value: document, diagnostics })
    }
}

/// True when the first line names a program that runs the rest.
pub(crate) fn is_script(head: &[u8]) -> bool {
    Language::of_script(head).is_some()
}

/// The largest text that is given to a grammar, in bytes: a tree takes many times the memory of its text.
const LARGEST: usize = 4 * 1024 * 1024;

/// What a text consists of.
struct Structure {
    blocks: Vec<Block>,
    sections: Vec<Section>,
    remark: Option<Diagnostic>,
}

impl Structure {
    fn new(input: &Input<'_>, text: &str, pieces: Vec<Piece>, remark: Option<Diagnostic>) -> Self {
        let file = input.source.rsplit(['/', '\\']).next().unwrap_or_default();
        let (blocks, sections) = layout::layout(text, file, pieces);
        Self { blocks, sections, remark }
    }

    /// By lines, for want of something better.
    fn of_lines(input: &Input<'_>, text: &str, code: &'static str, why: &str) -> Self {
        let remark = Diagnostic::new(code, Severity::Low, input.source, format!("{why}: cut by lines"));
        Self::new(input, text, groups(text), Some(remark))
    }
}

fn structure(input: &Input<'_>, text: &str, language: Option<&Language>) -> Structure {
    let by_lines = |code, why: &str| Structure::of_lines(input, text, code, why);
    let Some(language) = language else {
        return by_lines("no-grammar", "source code of an unknown language");
    };
    let Some(grammar) = language.grammar(input.first) else {
        return by_lines("no-grammar", &format!("no grammar for `{}` in this build", language.name));
    };
    if text.len() > LARGEST {
        return by_lines("large-source", &format!("source code above {} MiB in one piece", LARGEST >> 20));
    }
    let second = language.second(input.source).and_then(|second| second.grammar(input.first));
    let grammars = [Some(grammar), second].into_iter().flatten();
    let Some(best) = grammars.fold(None, |best, grammar| better(best, text, &grammar, language.nests_angles())) else {
        return by_lines("syntax-errors", &format!("the `{}` grammar finds no way through", language.name));
    };
    let remark = (best.errors.count > 0).then(|| errors(input.source, language, best.errors));
    Structure::new(input, text, best.pieces, remark)
}

/// What a grammar has made of a text.
struct Reading {
    pieces: Vec<Piece>,
    errors: Errors,
}

/// The better of `best` and what `grammar` makes of `text`; it is not asked when there is nothing to better.
fn better(best: Option<Reading>, text: &str, grammar: &Grammar, angles: bool) -> Option<Reading> {
    if best.as_ref().is_some_and(|best| best.errors.count == 0) {
        return best;
    }
    let Some(tree) = parse::parse(text, grammar, angles) else { return best };
    let errors = Errors::of(&tree);
    if best.as_ref().is_some_and(|best| best.errors.count <= errors.count) {
        return best;
    }
    Some(Reading { pieces: find::pieces(&tree, text, &Roles::of(grammar)), errors })
}

fn errors(source: &str, language: &Language, errors: Errors) -> Diagnostic {
    let Errors { count, line } = errors;
    let places = if count == 1 { "one place".to_owned() } else { format!("{count} places, the first here") };
    let message = format!("the `{}` grammar cannot read {places}: cut by lines there", language.name);
    Diagnostic::new("syntax-errors", Severity::Low, source, message).at_line(line)
}

/// Groups of lines between blank lines.
fn groups(text: &str) -> Vec<Piece> {
    let lines = Lines::of(text);
    let mut pieces = Vec::new();
    let mut at = lines.next_filled(0, lines.len());
    while at < lines.len() {
        let end = lines.next_blank(at, lines.len());
        let span = lines.visible(at, end).range();
        pieces.push(Piece { start: span.start, end: span.end, depth: 0, role: Role::Other, definition: None });
        at = lines.next_filled(end, lines.len());
    }
    pieces
}

#[cfg(test)]
mod tests;
