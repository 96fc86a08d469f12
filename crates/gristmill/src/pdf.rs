//! Reading PDF files as the settings say: with or without text in pictures, here or in a process of its own.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::sync::Arc;

use gristmill_core::{Error, Result};
use gristmill_read::readers::pdf::{self, Pdf, Tesseract, Worker};

use crate::config::{Ocr, Settings};

/// The reader of PDF files. A process is started for each where [`World::worker`](crate::config::World) names the program.
pub(crate) fn reader(settings: &Settings) -> Pdf {
    let read = &settings.read;
    let Some(program) = &settings.world.worker else {
        return Pdf::Here { ocr: ocr(read.ocr, &read.ocr_lang) };
    };
    let said = [read.ocr.name(), &read.ocr_lang].map(OsString::from);
    Pdf::Apart(Worker {
        command: program.iter().cloned().chain(said).collect(),
        time: read.timeout(),
        memory: read.memory_mib << 20,
    })
}

/// What a worker does: reads one PDF from `from` and writes what became of it to `to`, in a form for the process that started it.
///
/// # Errors
/// When `from` cannot be read or `to` not written.
pub fn read_pdf(from: &mut dyn Read, to: &mut dyn Write, which: Ocr, languages: &str) -> Result<()> {
    let done = pdf::work(from, to, ocr(which, languages).as_ref());
    done.map_err(|e| Error::input("the PDF to read did not come, or nobody waits for it").because(e))
}

fn ocr(which: Ocr, languages: &str) -> Option<pdf::Ocr> {
    let recogniser = || Arc::new(Tesseract { languages: languages.to_owned(), ..Tesseract::default() });
    (which != Ocr::Off).then(|| pdf::Ocr { recogniser: recogniser(), images: which == Ocr::Images })
}

/// What shapes the text of PDF files besides their bytes; nothing where pictures are not looked at. Another version of the
/// program reads other text, and none reads none.
pub(crate) fn shaping(settings: &Settings) -> Option<(Ocr, &str, Option<String>)> {
    let read = &settings.read;
    (read.ocr != Ocr::Off).then(|| (read.ocr, read.ocr_lang.as_str(), Tesseract::default().version()))
}
