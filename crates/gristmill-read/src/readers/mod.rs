//! One folder for each kind of file, one line for each in the registry.

use gristmill_core::Reader;

pub mod adoc;
pub mod chat;
#[cfg(feature = "code")]
pub mod code;
pub mod csv;
#[cfg(feature = "mail")]
pub mod eml;
#[cfg(feature = "epub")]
pub mod epub;
pub mod faq;
#[cfg(feature = "html")]
pub mod html;
pub mod ipynb;
pub mod log;
pub mod markdown;
#[cfg(feature = "office")]
pub mod office;
#[cfg(feature = "pdf")]
pub mod pdf;
pub mod rst;
pub mod text;
pub mod vtt;

/// All readers.
pub static READERS: &[&dyn Reader] = &[
    &markdown::Markdown,
    &text::Text,
    #[cfg(feature = "html")]
    &html::Html,
    &rst::Rst,
    &adoc::Adoc,
    &chat::Chat,
    &faq::Faq,
    &log::Log,
    #[cfg(feature = "pdf")]
    &pdf::PDF,
    #[cfg(feature = "office")]
    &office::Docx,
    #[cfg(feature = "office")]
    &office::Pptx,
    #[cfg(feature = "office")]
    &office::Xlsx,
    &csv::Csv,
    &ipynb::Ipynb,
    #[cfg(feature = "mail")]
    &eml::Eml,
    #[cfg(feature = "epub")]
    &epub::Epub,
    &vtt::Vtt,
    #[cfg(feature = "code")]
    &code::Code,
];

/// The reader of this name, as it stands in `Document.format`.
pub fn reader_by_name(name: &str) -> Option<&'static dyn Reader> {
    READERS.iter().find(|reader| reader.name() == name).copied()
}
