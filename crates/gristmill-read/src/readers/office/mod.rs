//! Documents of Office: Word, PowerPoint and Excel files, and those of other programs in the same formats.
//!
//! Each is an archive of XML parts. A reader turns the parts into blocks, and these into Markdown.

mod chart;
mod docx;
mod drawing;
mod flow;
#[cfg(test)]
mod hostile;
mod math;
mod numbers;
mod package;
mod pptx;
#[cfg(test)]
pub(crate) mod testing;
mod write;
mod xlsx;

pub use docx::Docx;
pub use pptx::Pptx;
pub use xlsx::Xlsx;
