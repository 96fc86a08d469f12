//! Danish, Norwegian and Swedish words.

use super::{Language, NO_WORDS};

pub(super) const NORDIC: Language = Language {
    inner: "Skt f.eks t.ex t.o.m d.v.s dvs bl.a m.a.o m.h.t s.k o.s pga mht evt inkl ekskl exkl jf jfr vedr frk cand stud afd afdl
        alm d.d fhv forh fr.o.m f.o.m f.d iht ift ifm kgl ktr maks mfl mia mdl opl p.t på.gr sml tidl udg vha",
    numbered: "nr s kap fig bd tlf kl stk pkt §",
    closing: "osv m.m m.fl m.v mv o.l o.lign etc okt kr sek a/s aps",
    starters: "den det de han hun hon vi jeg jag du dette denne disse detta här her där der en et ett på i til till for för med
        uden utan efter før men og och eller så da då nu også också när når hvor var hvordan hur hvorfor varför hvem vem hvad
        vad hans hendes hennes deres vores vår min mit alle alla mange många nogle några hvis om som man dem",
    after_ordinal: "januar februar marts april maj juni juli august september oktober november december århundrede",
    ..NO_WORDS
};
