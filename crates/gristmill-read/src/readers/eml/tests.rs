use super::*;
use crate::fixture::read;
use crate::readers::office::testing::read_bytes;

#[test]
fn mails_show_head_text_quotes_and_attachments() {
    let mail = "From: =?UTF-8?Q?Ann_=C3=84?= <ann@example.org>\r\nTo: Bo <bo@example.org>, cy@example.org\r\n\
        Subject: Ducks *today*\r\nDate: Mon, 6 May 2024 07:08:09 +0200\r\nMIME-Version: 1.0\r\n\
        Content-Type: multipart/mixed; boundary=\"x\"\r\n\r\n--x\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\
        Content-Transfer-Encoding: quoted-printable\r\n\r\nGr=FC=DFe!\r\n\r\n> You wrote:\r\n>> first\r\n> - one\r\n> - two\r\n\
        --x\r\nContent-Type: application/pdf; name=\"a b.pdf\"\r\nContent-Disposition: attachment\r\n\r\nxx\r\n--x--\r\n";
    let document = read(&Eml, mail);
    let expected = "# Ducks *today\\*\n\nFrom: Ann Ä (ann@example.org)  \nTo: Bo (bo@example.org), cy@example.org  \n\
        Date: 2024-05-06T07:08:09+02:00\n\nGrüße!\n\n> You wrote:\n>\n> > first\n>\n> - one\n> - two\n\n\
        Attachments:\n\n- a b.pdf (application/pdf)\n";
    assert_eq!(document.text, expected);
    assert_eq!(document.attrs["author"], "Ann Ä");
    assert_eq!(document.attrs["to"], "Bo <bo@example.org>, cy@example.org");
    assert_eq!(document.attrs["date"], "2024-05-06T07:08:09+02:00");
}

#[test]
fn html_is_read_where_there_is_no_text() {
    let mail = "Subject: s\nContent-Type: text/html\n\n<p>one <b>two</b></p><ul><li>three</ul>";
    assert_eq!(read(&Eml, mail).text, "# s\n\none **two**\n\n- three\n");
}

#[test]
fn text_that_cannot_be_decoded_is_told() {
    let part =
        |body: &str| format!("Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n{body}\r\n--x");
    let mail = |second: &str| {
        let parts = part("V2lsZCBkdWNrcy4=") + "\r\n" + &part(second);
        format!("Subject: s\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n{parts}--\r\n")
    };
    let told = |mail: &str| {
        let read = read_bytes(&Eml, mail.as_bytes()).unwrap();
        assert!(read.value.text.contains("Wild ducks."), "{}", read.value.text);
        read.diagnostics.iter().any(|told| told.code == "damaged-part" && told.incomplete)
    };
    assert!(!told(&mail("R2Vlc2Uu")));
    assert!(told(&mail("R2V*c2U!u%%")));
}

fn alternatives(plain: &str, html: &str) -> String {
    format!(
        "Subject: s\r\nContent-Type: multipart/alternative; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain; \
        charset=utf-8\r\n\r\n{plain}\r\n--x\r\nContent-Type: text/html\r\n\r\n{html}\r\n--x--\r\n"
    )
}

fn codes(mail: &[u8]) -> (String, Vec<(&'static str, bool)>) {
    let read = read_bytes(&Eml, mail).unwrap();
    (read.value.text, read.diagnostics.iter().map(|told| (told.code, told.incomplete)).collect())
}

#[test]
fn html_is_read_where_the_text_beside_it_is_blank() {
    for blank in ["", " \r\n\t", "\u{a0}\r\n\u{200b}"] {
        assert_eq!(
            codes(alternatives(blank, "<p>Wild <b>ducks</b>").as_bytes()),
            ("# s\n\nWild **ducks**\n".into(), vec![])
        );
    }
    assert_eq!(read(&Eml, &alternatives("Ducks.", "<p>Wild ducks")).text, "# s\n\nDucks.\n");
    assert_eq!(read(&Eml, &alternatives("", "")).text, "# s\n");
    // With its pictures, and beside another text.
    let related = alternatives("", "").replace(
        "Content-Type: text/html\r\n\r\n",
        "Content-Type: multipart/related; boundary=y\r\n\r\n--y\r\nContent-Type: text/html\r\n\r\n<p>Ducks\r\n--y--\r\n",
    );
    assert_eq!(read(&Eml, &related).text, "# s\n\nDucks\n");
    let inner = alternatives("", "<p>Ducks").replace("Subject: s\r\n", "");
    let mixed = format!(
        "Subject: s\r\nContent-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\n\r\nFirst.\r\n--m\r\n{inner}--m--\r\n"
    );
    assert_eq!(read(&Eml, &mixed).text, "# s\n\nFirst.\n\nDucks\n");
}

#[test]
fn a_body_without_its_boundary_is_read_as_plain_text() {
    for kind in ["multipart/mixed", "multipart/mixed; boundary=other"] {
        let mail = format!("Subject: s\r\nContent-Type: {kind}\r\n\r\nWild ducks.\r\n\r\nAnd geese.\r\n");
        let expected = "# s\n\nWild ducks.\n\nAnd geese.\n".to_owned();
        assert_eq!(codes(mail.as_bytes()), (expected, vec![("multipart-without-boundary", true)]), "{kind}");
    }
    assert_eq!(codes(b"Subject: s\r\nContent-Type: multipart/mixed\r\n\r\n\r\n").1, []);
}

#[test]
fn encodings_that_are_cut_are_read_as_far_as_they_go() {
    let head = "Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n";
    let alone = |body: &str| format!("Subject: s\r\n{head}{body}");
    let within =
        |body: &str| format!("Subject: s\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n{head}{body}");
    // "Wild ducks." without its last two bytes and a half.
    let cut = "V2lsZCBkdWNr";
    let wild = |text: &str| format!("# s\n\n{text}\n");
    assert_eq!(codes(alone("V2lsZCBkdWNrcy4=").as_bytes()), (wild("Wild ducks."), vec![]));
    assert_eq!(codes(within("V2lsZCBkdWNrcy4=\r\n--x--\r\n").as_bytes()), (wild("Wild ducks."), vec![]));
    let damaged = || vec![("damaged-part", true)];
    assert_eq!(codes(alone("V2lsZCBkdWNrc").as_bytes()), (wild("Wild duck"), damaged()));
    assert_eq!(codes(within(cut).as_bytes()), (wild("Wild duck"), damaged()));
    assert_eq!(codes(within("V2lsZCBkdWNrc\r\n--x--\r\n").as_bytes()), (wild("Wild duck"), damaged()));
    // A character that is cut is not told as one without meaning: "Grü" is 47 72 c3 bc.
    assert_eq!(codes(alone("R3LD").as_bytes()).1, [("undecodable-bytes", false)]);
    assert_eq!(codes(alone("R3LDv").as_bytes()), (wild("Gr"), damaged()));
    // Other text of a mail that ends too early.
    let plain = within("").replace("base64", "7bit") + "Wild ducks.";
    assert_eq!(codes(plain.as_bytes()), (wild("Wild ducks."), damaged()));
}

#[test]
fn bytes_of_another_character_set_are_told() {
    let mail = |charset: &str, body: &[u8]| {
        [format!("Subject: s\r\nContent-Type: text/plain{charset}\r\n\r\n").as_bytes(), body].concat()
    };
    let told = [("undecodable-bytes", false)];
    for charset in ["", "; charset=utf-8"] {
        let (text, diagnostics) = codes(&mail(charset, b"sch\xf6n\r\n"));
        assert_eq!((text.as_str(), &diagnostics[..]), ("# s\n\nsch\u{fffd}n\n", &told[..]), "{charset}");
    }
    assert_eq!(codes(&mail("; charset=iso-8859-1", b"sch\xf6n\r\n")), ("# s\n\nschön\n".into(), vec![]));
    assert_eq!(codes(&mail("", "a \u{fffd} of its own".as_bytes())).1, []);
    let read = read_bytes(&Eml, &mail("", b"\xf6 \xf6")).unwrap();
    assert_eq!(read.diagnostics[0].message, "bytes without meaning in utf-8, replaced by U+FFFD: 2");
}

#[test]
fn pictures_in_the_text_are_named() {
    let mail = "Subject: s\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nDucks.\r\n--x\r\n\
        Content-Type: image/png; name=duck.png\r\nContent-Disposition: inline\r\n\r\nxx\r\n--x--\r\n";
    let expected = "# s\n\nDucks.\n\nAttachments:\n\n- duck.png (image/png)\n".to_owned();
    assert_eq!(codes(mail.as_bytes()), (expected, vec![("attachments", false)]));
}

#[test]
fn damaged_html_is_read_only_where_no_text_stands_beside_it() {
    let damaged = |plain: &str| {
        let head = "Content-Type: text/html\r\n";
        let encoded = head.to_owned() + "Content-Transfer-Encoding: base64\r\n";
        // "<p>Duck" without its last byte.
        alternatives(plain, "PHA+RHVj*").replace(head, &encoded)
    };
    assert_eq!(codes(damaged("").as_bytes()), ("# s\n\nDuc\n".into(), vec![("damaged-part", true)]));
    assert!(codes(damaged("Geese.").as_bytes()).0.starts_with("# s\n\nGeese.\n\nAttachments:"));
}
