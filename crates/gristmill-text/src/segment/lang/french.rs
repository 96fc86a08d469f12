//! French words.

use super::{Language, NO_WORDS};

pub(super) const FRENCH: Language = Language {
    inner: "MM mme mmes mlle mlles dr drs vve p.ex cf c.-à-d c.à.d càd ste hab anc auj boul dép éd suiv suppl lieut cdt",
    numbered: "n no nos p pp art fig vol t chap § tél éq tab ann pl",
    closing: "etc apr j.-c av av.j.-c s.a s.a.r.l s.a.s s.n.c.f o.n.u janv févr avr juil sept oct nov déc bd",
    starters: "le la les il elle ils elles on nous vous je tu ce cet cette ces celui celle cela ça c'est les des une un dans pour avec sans
        sous sur par depuis pendant après avant mais ou et donc or ni car puis ensuite enfin alors ainsi cependant toutefois
        pourtant néanmoins si quand lorsque comme quel quelle quels quelles que qui où comment pourquoi son sa ses leur leurs
        notre nos votre vos mon ma mes aujourd'hui hier demain ici là voici voilà tout tous toute toutes chaque plusieurs
        certains selon malgré grâce en à au aux merci",
    ..NO_WORDS
};
