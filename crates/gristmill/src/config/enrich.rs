//! `[enrich]`: what is added to records.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is added to records, besides what holds for every record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnrichOptions {
    /// Fields that documents declare of themselves and that are copied to the attributes of their chunks, where they are
    /// present; `"*"` copies all. Default: `["author", "category", "dynasty"]`. Example: `copy = ["reviewed"]`.
    pub copy: Option<Vec<String>>,
    /// Take `created_at` from the time of the file's last change, where the document declares none. Default: `false`.
    pub file_time: Option<bool>,
    /// Tell the language of documents that declare none by their prose, as a code of ISO 639-1 (`zh` for simplified and
    /// traditional Chinese); none where it is short, mixed or not sure. Default: `true`.
    pub detect_language: Option<bool>,
    /// Put at most so many keywords that are found in the text into the attribute `extracted_keywords`, in languages whose
    /// stop words are known. Default: `0`, none. Example: `extract_keywords = 8`.
    pub extract_keywords: Option<usize>,
}

/// What is added to records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EnrichSettings {
    /// Fields that are copied.
    pub copy: Vec<String>,
    /// Take `created_at` from the file.
    pub file_time: bool,
    /// Tell the language by the text.
    pub detect_language: bool,
    /// Keywords that are found in the text, at most.
    pub extract_keywords: usize,
}

impl EnrichSettings {
    pub(super) fn resolve(options: &EnrichOptions) -> Self {
        let EnrichOptions { copy, file_time, detect_language, extract_keywords } = options.clone();
        let usual = || ["author", "category", "dynasty"].map(str::to_owned).to_vec();
        Self {
            copy: copy.unwrap_or_else(usual),
            file_time: file_time.unwrap_or(false),
            detect_language: detect_language.unwrap_or(true),
            extract_keywords: extract_keywords.unwrap_or(0),
        }
    }

    /// True when the declared field `name` is copied.
    pub fn copies(&self, name: &str) -> bool {
        self.copy.iter().any(|field| field == "*" || field == name)
    }
}
