//! `[read]`: how documents are read.

use std::time::Duration;

use gristmill_core::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::resolve::Cx;

/// Which pictures of PDF files are looked at for text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Ocr {
    /// Those of pages without text.
    Auto,
    /// Those of all pages.
    Images,
    /// None; pages without text are named.
    #[default]
    Off,
}

impl Ocr {
    /// The name used in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Images => "images",
            Self::Off => "off",
        }
    }
}

/// How documents are read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadOptions {
    /// Text in pictures of PDF files, read by the program `tesseract`: `"auto"` on pages without text, `"images"` on all
    /// pages, `"off"`. Default: `"off"`, which names pages without text. Example: `ocr = "auto"`.
    pub ocr: Option<Ocr>,
    /// Languages of the text in pictures as Tesseract names them, joined by `+`. Default: `"eng"`. Example:
    /// `ocr_lang = "eng+deu"`.
    pub ocr_lang: Option<String>,
    /// Seconds that one PDF may take in the process in which the command reads it. Default: `300`; `3600` with `ocr`.
    pub timeout_seconds: Option<u32>,
    /// Memory that this process may take, in MiB; heeded on Unix. Default: `2048`.
    pub memory_mib: Option<u32>,
}

/// How documents are read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadSettings {
    /// Which pictures are looked at for text.
    pub ocr: Ocr,
    /// Languages of the text in pictures.
    pub ocr_lang: String,
    /// Seconds that one PDF may take.
    pub timeout_seconds: u64,
    /// Memory that one PDF may take, in MiB.
    pub memory_mib: u64,
}

impl ReadSettings {
    pub(super) fn resolve(options: &ReadOptions, cx: &Cx) -> Result<Self> {
        let ReadOptions { ocr, ocr_lang, timeout_seconds, memory_mib } = options.clone();
        let ocr = ocr.unwrap_or_default();
        let ocr_lang = ocr_lang.unwrap_or_else(|| "eng".to_owned());
        if !names_languages(&ocr_lang) {
            let message = format!("`ocr_lang` must be names of languages joined by `+`, not: `{ocr_lang}`");
            return Err(cx.origins.blame("read.ocr_lang", message));
        }
        let seconds = timeout_seconds.unwrap_or(if ocr == Ocr::Off { 300 } else { 3600 });
        let memory = memory_mib.unwrap_or(2048);
        Ok(Self {
            ocr,
            ocr_lang,
            timeout_seconds: cx.at_least_one("read.timeout_seconds", seconds)? as u64,
            memory_mib: cx.at_least_one("read.memory_mib", memory)? as u64,
        })
    }

    /// How long one PDF may take.
    pub fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout_seconds)
    }
}

/// True for `eng` and `chi_sim+script/Latin`: Tesseract takes them as names of files, and nothing else may be among them.
fn names_languages(text: &str) -> bool {
    let name = |name: &str| {
        let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'/'));
        plain && name.starts_with(|first: char| first.is_ascii_alphabetic())
    };
    text.split('+').all(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_names_and_nothing_else() {
        assert!(names_languages("eng") && names_languages("chi_sim+deu") && names_languages("script/Latin"));
        for wrong in ["", "eng+", "-l", "../eng", "/etc", "eng deu", "eng,deu"] {
            assert!(!names_languages(wrong), "{wrong}");
        }
    }
}
