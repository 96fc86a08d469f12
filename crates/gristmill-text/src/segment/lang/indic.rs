use super::{Language, NO_WORDS};

pub(super) const INDIC: Language =
    Language {
        inner: "डॉ डा श्री श्रीमती सुश्री प्रो पं ई.पू ई.स वि.सं रु", closing: "आदि लि", ..NO_WORDS
    };
