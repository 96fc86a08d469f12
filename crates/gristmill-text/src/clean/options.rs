//! What cleaning is to do.

use gristmill_core::BlockKind;

/// Settings of [`clean`](super::clean). The default is conservative: it never changes a word of running text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CleanOptions {
    /// Trailing and repeated blanks in prose, three and more blank lines.
    pub blanks: bool,
    /// Whole paragraphs from the published list ([`super::boilerplate`]).
    pub boilerplate: bool,
    /// What happens to later copies of a substantive paragraph.
    pub repeated_blocks: RepeatedBlocks,
    /// URLs of this many characters and more become `[URL]`.
    pub long_urls: Option<usize>,
    /// Unicode normalization of prose.
    pub unicode: Unicode,
    /// Kinds of content that are left out.
    pub drop: Vec<Dropped>,
    /// Regular expressions; what they match within one block of prose is removed. `^` and `$` are the block's ends
    /// unless the pattern says `(?m)`.
    pub patterns: Vec<String>,
}

impl Default for CleanOptions {
    fn default() -> Self {
        Self { blanks: true, boilerplate: true, ..Self::nothing() }
    }
}

impl CleanOptions {
    /// Settings under which no document is changed.
    pub fn nothing() -> Self {
        Self {
            blanks: false,
            boilerplate: false,
            repeated_blocks: RepeatedBlocks::Keep,
            long_urls: None,
            unicode: Unicode::None,
            drop: Vec::new(),
            patterns: Vec::new(),
        }
    }
}

/// What happens to later copies of a substantive paragraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepeatedBlocks {
    /// They stay.
    Keep,
    /// They go.
    Drop,
}

/// Unicode normalization forms (UAX #15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unicode {
    /// Text stays as it is.
    None,
    /// Canonical composition.
    Nfc,
    /// Compatibility composition, except where it would write a character that is Markdown syntax.
    Nfkc,
}

/// Content that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dropped {
    /// Code blocks; code inside sentences stays.
    Code,
    /// Block quotes with all they hold.
    Quotes,
    /// Images with their alternative text, and links around nothing but an image.
    Images,
}

impl Dropped {
    /// True when blocks of `kind` go as a whole.
    pub(super) fn takes(self, kind: BlockKind) -> bool {
        match self {
            Self::Code => matches!(kind, BlockKind::Code { .. }),
            Self::Quotes => kind == BlockKind::Quote,
            Self::Images => false,
        }
    }
}
