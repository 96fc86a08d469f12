//! English words.

use super::{Language, NO_WORDS};

pub(super) const ENGLISH: Language = Language {
    inner: "dr mr mrs Ms mx messrs prof Rev Fr Hon Gov Gen Col Maj Capt Cmdr Lt Sgt Cpl Pvt Adm Brig Sen Rep Pres Supt
        Det Insp Rt mt mts vs viz e.g i.e eg f.e cf approx ca misc incl excl i.a ibid resp btw acct Atty",
    numbered: "no nos nr p pp fig figs sec art vol vols ch chap eq eqs ext ref refs tab pt pts ver para op ex cl rs n° nº §",
    closing: "etc inc ltd co corp llc plc lp jr sr esq bros dept univ assn ave blvd rd hwy st sq pl ln ct ft min mins secs
        hr hrs yr yrs lb lbs oz al ed eds trans cont assoc mfg intl natl prev conf comp env adj abbr max avg apt
        ph.d m.d b.a m.a b.sc m.sc d.d.s j.d r.n u.s u.k u.n e.u u.s.a u.s.s.r d.c n.y l.a a.m p.m a.d b.c b.c.e c.e i.v o.k
        Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun
        Ala Ariz Ark Calif Colo Conn Del Fla Ga Ind Kan Ky Md Mass Mich Minn Miss Mont Neb Nev Okla Ore Pa Penn Tenn
        Tex Vt Va Wash Wis Wyo Ont Que",
    starters: "the a an this that these those it its it's he she they we you i i'm i've i'll i'd he's she's they're we're
        you're that's there there's here what what's when where who why how which if in on at as by for from with after
        before since because although though while during until once however but and or yet then thus therefore hence
        moreover furthermore meanwhile instead also still now today yesterday tomorrow first second third finally later next
        most many some any each every nothing one two three our my your his her their is are was were do does did can could
        would should must have has had let please see note click unlike despite according perhaps maybe such other others
        another both between under over through without within whether even only just millions thousands hundreds dozens
        billions everyone everything someone something nobody didn't don't doesn't isn't let's several to try use run make
        check add",
    ..NO_WORDS
};
