//! German words, with those around ordinal numbers.

use super::Language;

pub(super) const GERMAN: Language = Language {
    inner: "z.b d.h u.a o.a z.t z.z z.zt i.d.r i.a i.e u.e m.e u.u o.g s.o s.u v.a bzw bspw vgl evtl ggf ggfs bzgl sog inkl
        exkl einschl zzgl abzgl insb insbes allg entspr lt ca geb gest verh hl Hr Hrn Fr Frl Dipl Ing Mag Hptm Oblt Ew phil
        jur rer habil kath evang ev röm Hrsg vorm nachm zw urspr ugs dgl d.i m.a.w m.w s.a s.d u.z wg betr beschr
        griech engl frz dt amerik bayer österr schweiz ggü Abt med",
    numbered: "nr nrn s abs abb art kap bd bde aufl ziff anm anh vers taf ausg jg hj lfg rdnr rn bl tel fn",
    closing: "usw usf etc u.ä o.ä u.dgl u.v.m u.v.a.m u.a.m mio mrd tsd str pl jh jhd jhdt gmbh co ag e.v i.r a.d m.b.h
        v.chr n.chr Mär Okt Dez Mo Di Mi Do std min sek a.m",
    starters: "der die das dem ein eine einer eines einem er sie es wir ich ihr man dies diese dieser dieses dieses hier dort da
        dann danach deshalb deswegen daher darum dabei dazu damit dennoch jedoch aber und oder denn doch wenn weil ob als bei
        im am zum zur nach vor mit ohne für gegen seit trotz wegen während auch nur nun jetzt heute morgen gestern zuerst
        schließlich zudem außerdem allerdings leider vielleicht wie was wer wo wann warum welche jeder jede alle viele einige
        manche kein keine mein meine unser unsere sein seine ihre bitte in auf aus von bis nachdem bevor sobald falls",
    before_ordinal: "am im vom zum zur beim der die das dem den des bis seit jeden jeder jedes ihr ihre ihren seinem seinen
        seiner sein unser unseren ein einen einem mein ihrem und oder",
    after_ordinal: "januar jänner februar märz april mai juni juli august september oktober november dezember jahrhundert
        jahrhunderts jahrhunderte jahrtausend jahrtausends weltkrieg weltkriegs weltkrieges klasse kapitel auflage
        mal platz stock etage stockwerk obergeschoss lebensjahr lebensjahres bundesliga spieltag runde
        geburtstag jahrestag semester quartal halbjahr woche monat jahr stunde minute dynastie legislaturperiode
        bezirk arrondissement symphonie sinfonie",
};
