//! Dutch words.

use super::{Language, NO_WORDS};

pub(super) const DUTCH: Language = Language {
    inner: "dhr mevr mw drs ir bijv bv d.w.z d.m.v m.b.t m.b.v m.n i.p.v i.v.m o.a o.b.v t.a.v t.o.v t.b.v z.g.n evt incl excl
        ca vgl zgn nl jl ll n.a.v a.h.v",
    numbered: "nr nrs blz pag p art afb hfst tel par",
    closing: "enz etc e.d n.v b.v v.chr n.chr",
    starters: "het een hij zij wij jij ik dit dat deze die er in op voor met zonder na maar en of dus toen daarna ook nu vandaag
        gisteren morgen hier daar als wanneer waar hoe waarom wie wat zijn haar hun onze mijn alle veel sommige volgens",
    ..NO_WORDS
};
