//! Polish, Czech and other Slavic words in Latin letters.

use super::{Language, NO_WORDS};

pub(super) const SLAVIC: Language = Language {
    inner: "np tzn tzw m.in ul prof dr mgr inż płk św ang niem łac bałt tj např tzv mj resp popř příp sv mudr judr rndr phdr
        npr odn gosp gđa",
    numbered: "nr str s t rozdz rys tab poz č odst kap obr",
    closing: "itd itp atd apod etc godz tys mln mld s.a s.r.o a.s",
    starters: "to ten ta te ono ona oni one my ja ty jest są był była nie w na do z po przed ale i a lub oraz więc potem jednak
        także teraz dziś wczoraj jutro tutaj gdy kiedy jeśli jak gdzie kto co który jego jej ich nasz wszystkie wiele
        je jsou byl byla v se ale nebo pak také dnes včera zítra tady když jestli kde kdo jeho její jejich",
    ..NO_WORDS
};
