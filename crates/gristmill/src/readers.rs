//! Who reads which document: the readers of the registry, that of PDF files as the settings say.

use gristmill_core::Reader;
use gristmill_pipeline::Pick;
use gristmill_read::{Choice, choose};
use serde::Serialize;

use crate::config::Settings;
use crate::kinds::own_output;

/// The readers of a run.
pub(crate) struct Readers {
    #[cfg(feature = "pdf")]
    pdf: gristmill_read::readers::pdf::Pdf,
}

impl Readers {
    /// As the settings say.
    pub fn new(settings: &Settings) -> Self {
        #[cfg(not(feature = "pdf"))]
        let _ = settings;
        Self {
            #[cfg(feature = "pdf")]
            pdf: crate::pdf::reader(settings),
        }
    }

    /// Who reads a file, by its path and first bytes.
    pub fn pick(&self, path: &str, head: &[u8]) -> Pick<'_> {
        match pick(path, head) {
            Pick::Reader(reader) => Pick::Reader(self.set_up(reader)),
            skip @ Pick::Skip(_) => skip,
        }
    }

    /// A reader of the registry as the settings say.
    pub fn set_up(&self, reader: &'static dyn Reader) -> &dyn Reader {
        #[cfg(feature = "pdf")]
        if reader.name() == self.pdf.name() {
            return &self.pdf;
        }
        reader
    }
}

/// Who reads a file, whatever the settings say.
pub(crate) fn pick(path: &str, head: &[u8]) -> Pick<'static> {
    match choose(path, head) {
        Choice::Reader(reader) => own_output(path, head).map_or(Pick::Reader(reader), |own| Pick::Skip(own.into())),
        Choice::Binary => Pick::Skip("a binary file".into()),
        Choice::Unsupported { kind } => Pick::Skip(unread(kind).into()),
    }
}

/// Why a kind of document that is known has no reader, and what to do.
fn unread(kind: &str) -> String {
    let instead = match kind {
        "doc" | "odt" | "rtf" => "save it as .docx",
        "ppt" | "odp" => "save it as .pptx",
        "xls" | "ods" => "save it as .xlsx",
        "msg" => "save it as .eml",
        _ => return format!("no reader for {kind}"),
    };
    format!("no reader for {kind}: {instead}")
}

/// The reader that settings of its own shape, and what shapes its text besides the bytes of a file.
pub(crate) fn shaping(settings: &Settings) -> Option<(&'static str, impl Serialize)> {
    #[cfg(feature = "pdf")]
    return crate::pdf::shaping(settings).map(|shaping| (gristmill_read::readers::pdf::PDF.name(), shaping));
    #[cfg(not(feature = "pdf"))]
    {
        let _ = settings;
        None::<(&'static str, ())>
    }
}
