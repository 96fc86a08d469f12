//! Spanish words.

use super::{Language, NO_WORDS};

pub(super) const SPANISH: Language = Language {
    inner: "EE sr sra sres sras srta srtas dña dr dra drs dres Lic Ing arq prof profa Fr Sto Sta gral cnel tte Mons ud uds vd vds
        excmo excma ilmo ilma p.ej p.e ej aprox admón avda gob depto dpto izq dcha máx mín núms cía rte fdo gte",
    numbered: "n núm nro no pág págs p pp art arts cap vol tel tfno fig c pza t lám párr apdo",
    closing: "etc ee.uu s.a s.l s.r.l c.v p.d a.m p.m a.c d.c ltda hnos Ene Abr Ago Dic Lun Mié Jue Vie Sáb Dom",
    starters: "el la los las él ella ellos ellas esto esta este estas estos eso esa ese aquel aquella yo nosotros usted ustedes una unos unas un
        en para con sin sobre por desde hasta durante tras después antes pero o y así entonces luego además también tampoco
        embargo aunque si cuando donde como qué quién cuál cuándo dónde cómo porque su sus nuestro nuestra mi mis tu hoy ayer
        mañana aquí allí ahora todo todos toda todas cada muchos algunos según gracias hay no se lo envíe",
    ..NO_WORDS
};
