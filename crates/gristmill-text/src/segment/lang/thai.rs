//! Thai words.

use super::{Language, NO_WORDS};

pub(super) const THAI: Language = Language {
    inner: "ดร ผศ รศ ศ นพ พญ พ.ศ ค.ศ ม ต อ จ ถ ซ น ร.ร รร บจ บมจ กม ซม ก.ม",
    ..NO_WORDS
};
