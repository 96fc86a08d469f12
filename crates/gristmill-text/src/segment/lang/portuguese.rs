//! Portuguese words.

use super::{Language, NO_WORDS};

pub(super) const PORTUGUESE: Language = Language {
    inner: "sr sra srs sras dr dra drs profª prof profa exmo exma ilmo p.ex aprox min máx",
    numbered: "n nº pág págs p pp art arts cap vol tel fig",
    closing: "etc ltda cia s.a e.u.a eua a.c d.c Fev Abr Mai Ago Dez",
    starters: "o a os as ele ela eles elas isto isso este esta esse essa aquele aquela eu nós você vocês um uma os em no na para com sem
        sobre por desde até durante depois antes mas ou e assim então também porém contudo além embora se quando onde como
        quem qual seu sua nosso nossa meu minha hoje ontem amanhã aqui ali agora todo todos cada muitos alguns segundo não",
    ..NO_WORDS
};
