//! Arabic words.

use super::{Language, NO_WORDS};

pub(super) const ARABIC: Language =
    Language {
        inner: "د أ.د أ.م د.م ص.ب ق.م كلم", closing: "الخ إلخ ا.ه ب.م م.م هـ", ..NO_WORDS
    };
