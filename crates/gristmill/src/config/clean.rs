//! `[clean]`: what is removed from documents before they are cut.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Task;

/// What becomes of later copies of a block of prose inside one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RepeatedBlocks {
    /// They are removed, as declared edits.
    Drop,
    /// They stay.
    Keep,
}

/// A normal form of Unicode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum UnicodeForm {
    /// Characters stay as they are.
    #[default]
    Keep,
    /// Canonical composition.
    Nfc,
    /// Compatibility composition: also ligatures, full-width forms.
    Nfkc,
}

/// What can be dropped from documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DropKind {
    /// Code blocks.
    Code,
    /// Block quotes.
    Quotes,
    /// Images.
    Images,
}

/// What is removed from documents before they are cut. Every removal is declared in the report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CleanOptions {
    /// Fold trailing and repeated blanks in prose, and three or more blank lines to one. Default: `true`.
    pub blanks: Option<bool>,
    /// Remove whole lines that are known boilerplate. Default: `true`.
    pub boilerplate: Option<bool>,
    /// Later copies of a block of prose (60 characters and more) in one document. Default: `"drop"` for `curate`, else
    /// `"keep"`.
    pub repeated_blocks: Option<RepeatedBlocks>,
    /// Replace URLs of this many characters and more by `[URL]`; 0 keeps all. Default: `0`. Example: `long_urls = 100`.
    pub long_urls: Option<u32>,
    /// Unicode normal form of the text. Default: `"keep"`. Example: `unicode = "nfc"`.
    pub unicode: Option<UnicodeForm>,
    /// Kinds of content that are left out. Default: `[]`. Example: `drop = ["images"]`.
    pub drop: Option<Vec<DropKind>>,
    /// Regular expressions; what they match is removed. Default: `[]`. Example: `patterns = ["(?m)^Draft .*$"]`.
    pub patterns: Option<Vec<String>>,
}

/// What is removed from documents before they are cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CleanSettings {
    /// Fold blanks and blank lines.
    pub blanks: bool,
    /// Remove known boilerplate.
    pub boilerplate: bool,
    /// Later copies of a block.
    pub repeated_blocks: RepeatedBlocks,
    /// Length from which URLs are replaced; 0 for never.
    pub long_urls: usize,
    /// Normal form of the text.
    pub unicode: UnicodeForm,
    /// Sorted, each once.
    pub drop: Vec<DropKind>,
    /// Regular expressions.
    pub patterns: Vec<String>,
}

impl CleanSettings {
    pub(super) fn resolve(options: &CleanOptions, task: Task) -> Self {
        let CleanOptions { blanks, boilerplate, repeated_blocks, long_urls, unicode, drop, patterns } = options.clone();
        let repeated = if task == Task::Curate { RepeatedBlocks::Drop } else { RepeatedBlocks::Keep };
        let mut drop = drop.unwrap_or_default();
        drop.sort_unstable();
        drop.dedup();
        Self {
            blanks: blanks.unwrap_or(true),
            boilerplate: boilerplate.unwrap_or(true),
            repeated_blocks: repeated_blocks.unwrap_or(repeated),
            long_urls: long_urls.unwrap_or(0) as usize,
            unicode: unicode.unwrap_or_default(),
            drop,
            patterns: patterns.unwrap_or_default(),
        }
    }
}
