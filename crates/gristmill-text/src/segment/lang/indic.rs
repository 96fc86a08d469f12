//! Hindi words; among the initials are the names of Latin letters.

use super::{Language, NO_WORDS};

pub(super) const INDIC: Language = Language {
    inner: "डॉ डा श्री श्रीमती सुश्री प्रो पं ई.पू ई.स वि.सं रु ए बी सी डी ई एफ जी एच आई जे के एल एम एन ओ पी क्यू आर एस टी यू वी एक्स
        वाई",
    closing: "आदि लि",
    ..NO_WORDS
};
