use gristmill_core::{DocumentId, EditKind, Input, Span};

use super::*;

fn decoded(bytes: &[u8]) -> Decoded<'_> {
    let input = Input { id: DocumentId::new("default", "", "a.txt"), source: "a.txt", bytes, open: &[], first: true };
    decode(&input).unwrap()
}

fn codes(decoded: &Decoded) -> Vec<&'static str> {
    decoded.diagnostics.iter().map(|d| d.code).collect()
}

/// The bytes of `text` in another encoding.
fn encoded(text: &str, encoding: &'static encoding_rs::Encoding) -> Vec<u8> {
    let (bytes, _, lossy) = encoding.encode(text);
    assert!(!lossy);
    bytes.into_owned()
}

fn utf_16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(to_bytes).collect()
}

#[test]
fn clean_text_is_taken_as_it_is() {
    let decoded = decoded("Grüße, 世界\tx\n\u{85}".as_bytes());
    assert_eq!((&*decoded.text, decoded.encoding), ("Grüße, 世界\tx\n\u{85}", "utf-8"));
    assert!(decoded.map.is_identity() && decoded.edits.is_empty() && decoded.diagnostics.is_empty());
}

#[test]
fn line_ends_and_mark_are_declared() {
    let decoded = decoded("\u{feff}a\r\nb\rc\n".as_bytes());
    assert_eq!(decoded.text, "a\nb\nc\n");
    let edits: Vec<_> = decoded.edits.iter().map(|e| (e.kind, e.at, e.with.as_str())).collect();
    assert_eq!(
        edits,
        [
            (EditKind::ByteOrderMark, Span::new(0, 3), ""),
            (EditKind::LineEnd, Span::new(4, 5), ""),
            (EditKind::LineEnd, Span::new(7, 8), "\n"),
        ]
    );
    assert_eq!(decoded.map.start(0), 3);
    assert_eq!(decoded.map.start(4), 8);
    assert!(decoded.diagnostics.is_empty());
}

#[test]
fn control_characters_go_and_are_counted() {
    let decoded =
        decoded("before\0after\u{7} \u{1b}[31mred\u{1b}[0m\u{fffe}\n\u{9c}n\u{feff}e\u{8}xt\u{7f}\n".as_bytes());
    assert_eq!(decoded.text, "beforeafter red\nnext\n");
    assert_eq!(codes(&decoded), ["control-characters"]);
    let found = &decoded.diagnostics[0];
    assert_eq!((found.message.as_str(), found.place.line), ("control characters removed: 9", Some(1)));
    assert!(decoded.edits.iter().all(|e| e.kind == EditKind::Control && e.with.is_empty()));
    // The second escape sequence and U+FFFE stand side by side.
    assert_eq!(decoded.edits.len(), 8);
}

#[test]
fn page_breaks_and_separators_part_words() {
    for (source, text) in [
        ("end of page one\u{c}Start of page two", "end of page one\nStart of page two"),
        ("line\n\u{c}next", "line\n\nnext"),
        ("line\u{c}\nnext", "line\n\nnext"),
        ("line\n\u{c}\nnext", "line\n\nnext"),
        ("line\r\n\u{c}\r\nnext", "line\n\nnext"),
        ("line\u{c}\0\u{c}next", "line\nnext"),
        ("\u{c}first\n\u{c}", "first\n"),
        ("\u{feff}\u{c}first", "first"),
        ("soft\u{b}break", "soft\nbreak"),
        ("one\u{1c}two\u{1d}three\u{1e}four\u{1f}five", "one two three four five"),
        ("one \u{1f}two\u{1f}\nthree", "one two\nthree"),
    ] {
        let decoded = decoded(source.as_bytes());
        assert_eq!(decoded.text, text, "{source:?}");
        let control = |edit: &Edit| edit.kind == EditKind::Control;
        assert!(
            decoded.edits.iter().any(control)
                && codes(&decoded).len() == usize::from(source.contains(['\0', '\u{1f}']))
        );
        // Every word is found again at the place to which its position leads.
        let mut at = 0;
        for word in text.split_inclusive(char::is_whitespace).map(str::trim_end).filter(|word| !word.is_empty()) {
            at += text[at..].find(word).unwrap();
            let home = decoded.map.span(Span::new(at, at + word.len()));
            assert_eq!(&source[home.start as usize..home.end as usize], word, "{source:?}");
            at += word.len();
        }
    }
}

#[test]
fn broken_escape_sequences_lose_only_the_escape() {
    assert_eq!(decoded(b"a\x1b[12").text, "a[12");
    assert_eq!(decoded(b"a\x1b[1\nb\x1bc\x1b").text, "a[1\nbc");
}

#[test]
fn noncharacters_go_and_neighbours_stay() {
    assert_eq!(decoded("\u{1ffff}a\u{1f600}\u{fdd0}\u{fffd}\u{ff0c}".as_bytes()).text, "a\u{1f600}\u{fffd}\u{ff0c}");
}

#[test]
fn empty_and_blank_documents_are_told() {
    for blank in ["", " \n\t\r\n", "\u{feff}"] {
        let decoded = decoded(blank.as_bytes());
        assert_eq!(codes(&decoded), ["empty-document"]);
        assert!(decoded.diagnostics[0].message.contains("empty"));
    }
}

#[test]
fn a_later_window_has_no_mark_and_is_not_empty() {
    let input = Input {
        id: DocumentId::new("default", "", "a.txt"),
        source: "a.txt",
        bytes: "\u{feff}\n".as_bytes(),
        open: &[],
        first: false,
    };
    let decoded = decode_as(&input, "utf-8").unwrap();
    assert_eq!(decoded.text, "\n");
    assert_eq!(decoded.edits[0].kind, EditKind::Control);
    assert_eq!(codes(&decoded), ["control-characters"]);
}

#[test]
fn marks_decide_the_encoding() {
    let text = "\u{feff}Ab – 世\n";
    let wide = |to_bytes: fn(u32) -> [u8; 4]| text.chars().flat_map(|c| to_bytes(u32::from(c))).collect::<Vec<u8>>();
    let cases = [
        (utf_16(text, u16::to_le_bytes), "utf-16le"),
        (utf_16(text, u16::to_be_bytes), "utf-16be"),
        (wide(u32::to_le_bytes), "utf-32le"),
        (wide(u32::to_be_bytes), "utf-32be"),
    ];
    for (bytes, encoding) in cases {
        let decoded = decoded(&bytes);
        assert_eq!((&*decoded.text, decoded.encoding), ("Ab – 世\n", encoding));
        assert_eq!(decoded.edits[0].at, Span::new(0, 3));
        assert!(decoded.diagnostics.is_empty());
        assert!(!is_binary(&bytes));
    }
}

#[test]
fn wide_text_without_a_mark_is_seen() {
    for text in ["Plain words with an ä here.\n", "这是一段中文文本。\n它有两行，没有标记。\n"] {
        for (bytes, encoding) in
            [(utf_16(text, u16::to_le_bytes), "utf-16le"), (utf_16(text, u16::to_be_bytes), "utf-16be")]
        {
            let decoded = decoded(&bytes);
            assert_eq!((&*decoded.text, decoded.encoding), (text, encoding));
            assert_eq!(codes(&decoded), ["legacy-encoding"]);
            assert!(!is_binary(&bytes));
        }
    }
}

#[test]
fn short_latin_text_is_windows_1252() {
    let samples: [&[u8]; 4] = [
        b"Caf\xe9",
        b"\x93Caf\xe9 \x96 offen\x94 seit 8 Uhr, 3 \x80, gratuit.\n",
        b"\xdcber die Stra\xdfe",
        b"na\xefve",
    ];
    for bytes in samples {
        let decoded = decoded(bytes);
        assert_eq!(decoded.encoding, "windows-1252", "{}", decoded.text);
        assert_eq!(codes(&decoded), ["legacy-encoding"]);
        assert!(decoded.diagnostics[0].message.contains("windows-1252"));
    }
    assert_eq!(decoded(samples[1]).text, "“Café – offen” seit 8 Uhr, 3 €, gratuit.\n");
}

#[test]
fn legacy_encodings_of_many_scripts() {
    let russian = "Все люди рождаются свободными и равными в своём достоинстве и правах. Они наделены разумом.";
    let chinese = "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。";
    let taiwan = "人人生而自由,在尊嚴和權利上一律平等。他們賦有理性和良心,並應以兄弟關係的精神相對待。";
    let japanese = "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。";
    let korean = "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 이성을 부여받았다.";
    let greek = "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.";
    let polish =
        "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem.";
    let cases = [
        (russian, encoding_rs::WINDOWS_1251, "windows-1251"),
        (russian, encoding_rs::KOI8_U, "koi8-u"),
        (chinese, encoding_rs::GBK, "gbk"),
        (taiwan, encoding_rs::BIG5, "big5"),
        (japanese, encoding_rs::SHIFT_JIS, "shift_jis"),
        (japanese, encoding_rs::EUC_JP, "euc-jp"),
        (japanese, encoding_rs::ISO_2022_JP, "iso-2022-jp"),
        (korean, encoding_rs::EUC_KR, "euc-kr"),
        (greek, encoding_rs::WINDOWS_1253, "windows-1253"),
        (polish, encoding_rs::WINDOWS_1250, "windows-1250"),
    ];
    for (text, encoding, name) in cases {
        let bytes = encoded(text, encoding);
        let decoded = decoded(&bytes);
        assert_eq!((decoded.encoding, &*decoded.text), (name, text));
        assert!(!is_binary(&bytes), "{name}");
    }
}

#[test]
fn signs_of_western_texts_are_no_letters_of_others() {
    let texts = [
        "Price: £5 and €6. It’s fine.",
        "Temperature 20 °C ± 2 °C",
        "© 2020 Acme® – all rights reserved",
        "Une œuvre rare, au cœur du musée, coûte £40 à Londres. Sa sœur l’a achetée après l’été, où elle était déjà célèbre.",
        "La boîte contient 12 m³ d’eau et 3 cm³ d’huile; §4 et ¶5 le disent: “à peu près”.",
        "¿Qué hora es? ¡Son las tres, señor! El niño cuesta 5 €, según él.",
        "Größe: 5 m², Preis £3, für Ärzte und Übungen. Das Maß beträgt ± 2 µm.",
        "The £5 and £6 notes, the ¥100 coin, 3¢ and ¤1: see §12.",
    ];
    for text in texts {
        let bytes = encoded(text, encoding_rs::WINDOWS_1252);
        let decoded = decoded(&bytes);
        assert_eq!((&*decoded.text, decoded.encoding), (text, "windows-1252"));
    }
}

#[test]
fn other_latin_languages_are_still_seen() {
    use encoding_rs::{ISO_8859_2, WINDOWS_1250, WINDOWS_1254, WINDOWS_1257};
    let polish =
        "Woda płynie powoli przez młyn. Gdy koło się zatrzyma, młynarz sprawdza śluzę i łożysko. Potem może wrócić.";
    let czech = "Voda teče pomalu přes mlýn. Když se kolo zastaví, mlynář zkontroluje ložisko. Potom může jít domů.";
    let hungarian = "A víz lassan folyik a malmon át. Ha a kerék megáll, a molnár először a zsilipet nézi meg. Később ő is hazamegy, mert fűteni kell.";
    let romanian = "Apa curge încet prin moar\u{103}. Dac\u{103} roata se opre\u{15f}te, morarul verific\u{103} mai întâi st\u{103}vilarul \u{15f}i osia. Apoi poate s\u{103} plece acas\u{103}.";
    let turkish = "Su değirmenden yavaşça akıyor. Çark durduğunda değirmenci önce kapağı kontrol ediyor. Sonra eve dönebilir, çünkü iş bitmiştir.";
    let lithuanian = "Vanduo lėtai teka per malūną. Kai ratas sustoja, malūnininkas pirmiausia patikrina užtvanką. Paskui jis gali grįžti į namus.";
    let cases = [
        (polish, WINDOWS_1250),
        (polish, ISO_8859_2),
        (czech, WINDOWS_1250),
        (czech, ISO_8859_2),
        (hungarian, WINDOWS_1250),
        (hungarian, ISO_8859_2),
        (romanian, WINDOWS_1250),
        (romanian, ISO_8859_2),
        (turkish, WINDOWS_1254),
        (lithuanian, WINDOWS_1257),
    ];
    for (text, encoding) in cases {
        assert_eq!(decoded(&encoded(text, encoding)).text, text, "{}", encoding.name());
    }
}

#[test]
fn stray_bytes_in_ascii_text_are_told_and_no_cyrillic() {
    let stray = decoded(b"good \xff\xfe bad \xc3 utf8");
    assert_eq!((&*stray.text, stray.encoding), ("good \u{fffd}\u{fffd} bad \u{fffd} utf8", "utf-8"));
    assert_eq!(codes(&stray), ["undecodable-bytes"]);
    let name = "Written by Иван Петров (Москва) in 1998, see the file of notes.";
    assert_eq!(decoded(&encoded(name, encoding_rs::WINDOWS_1251)).text, name);
}

#[test]
fn a_guess_from_few_bytes_is_told_louder() {
    let few = &decoded(b"Caf\xe9").diagnostics[0];
    assert_eq!((few.code, few.severity), ("legacy-encoding", Severity::Low));
    assert!(few.message.ends_with("windows-1252 (few bytes show it: 1)"), "{}", few.message);
    let many = &decoded(b"\xdcber die Stra\xdfe f\xfchrt der Weg nach K\xf6ln").diagnostics[0];
    assert_eq!((many.code, many.severity), ("legacy-encoding", Severity::Info));
}

#[test]
fn damaged_utf_8_stays_utf_8_and_says_so() {
    let mut bytes = "Línea uno\nMás líneas: áéíóú ñ üß\n".as_bytes().to_vec();
    bytes.extend(b"bad \xff here, cut \xe4\xb8");
    let decoded = decoded(&bytes);
    assert_eq!(decoded.encoding, "utf-8");
    assert_eq!(decoded.text, "Línea uno\nMás líneas: áéíóú ñ üß\nbad \u{fffd} here, cut \u{fffd}");
    assert_eq!(codes(&decoded), ["undecodable-bytes"]);
    let found = &decoded.diagnostics[0];
    assert_eq!(found.message, "bytes without meaning in utf-8, replaced by U+FFFD: 2");
    assert_eq!((found.place.line, found.severity), (Some(3), Severity::Medium));
}

#[test]
fn cut_wide_characters_are_told() {
    assert_eq!(codes(&decoded(b"\xff\xfea\0b")), ["undecodable-bytes"]);
    assert_eq!(codes(&decoded(b"\xff\xfe\0\0a\0\0\0\0\0\x11\0b\0")), ["undecodable-bytes"]);
}

#[test]
fn binary_files_are_told_from_text() {
    assert!(is_binary(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"));
    assert!(is_binary(b"MZ\x90\0\x03\0\0\0"));
    assert!(is_binary(b"\x01\0\0\0\x02\0\0\0\x03\0\0\0\x04\x01\0\0\x05\0\0\0"));
    let noise: Vec<u8> = (0u32..4000).map(|n| (n.wrapping_mul(2_654_435_761).rotate_left(9) ^ n) as u8).collect();
    assert!(is_binary(&noise));
    assert!(!is_binary(b"MZ is how a text may begin, too"));
    assert!(!is_binary(b"before\0after\x07 \x1b[31mred\x1b[0m text\nnext line\n"));
    assert!(!is_binary("世".repeat(4000).as_bytes()));
    assert!(!is_binary(b""));
}
