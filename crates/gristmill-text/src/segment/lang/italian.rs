//! Italian words.

use super::{Language, NO_WORDS};

pub(super) const ITALIAN: Language = Language {
    inner: "sig sigg sig.ra sig.na sig.re dott dott.ssa dr avv arch prof prof.ssa geom Rag egr gent spett Ill Mons Cav Comm
        Gen Col Cap Ten ad.es p.es cfr ca c.a n.d.r Dir f.lli idraul meteor psicol c.so p.za v.le",
    numbered: "n nn pag pagg p pp art artt cap fig vol tel tav par mar",
    closing: "ing ecc etc s.p.a s.r.l s.n.c Mag Giu Lug Ago Set Ott a.c d.c",
    starters: "lo la lui lei loro noi voi io egli essa essi questo questa questi queste quello quella un una uno il i gli in nel nella
        per con senza da dal dalla su tra fra dopo prima ma o e quindi poi allora così però inoltre anche infine se quando
        dove come perché chi che cosa quale il suo sua mio mia nostro nostra oggi ieri domani qui là ora ogni tutti alcuni
        molti secondo grazie è sono c'è ci si non",
    ..NO_WORDS
};
