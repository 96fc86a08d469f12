//! Mails: who wrote what to whom, and what is attached.

mod plain;

use gristmill_core::{Attrs, Diagnostic, Document, Error, Input, Outcome, Reader, Result, Severity};
use mail_parser::{Address, Message, MessageParser, MessagePart, MimeHeaders, PartType};
use serde_json::Value;

use crate::converted::Converted;
use crate::markup::{Inline, Markdown};
use crate::pieces::append;
use crate::readers::html::{HtmlOptions, to_markdown};

/// Reads mails.
#[derive(Clone, Copy, Debug, Default)]
pub struct Eml;

/// Mails in mails are read so deep.
const DEPTH_MAX: u8 = 5;

impl Reader for Eml {
    fn name(&self) -> &'static str {
        "eml"
    }

    fn summary(&self) -> &'static str {
        "mails: heads, text, quoted replies, names of what is attached"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["eml"]
    }

    fn converts(&self) -> bool {
        true
    }

    fn read(&self, input: &Input<'_>) -> Result<Outcome<Document>> {
        let message = MessageParser::default().parse(input.bytes);
        let message = message.filter(|message| !message.headers().is_empty()).ok_or_else(|| {
            Error::input(format!("no mail: `{}`", input.source))
                .hint("a mail begins with lines such as `From: ann@example.org`")
        })?;
        let mut mail = Mail::default();
        mail.add(&message, 1);
        let Mail { out, attached, damaged } = mail;
        let attachments = (attached > 0).then(|| {
            let text = format!("attachments are named and not read: {attached}");
            Diagnostic::new("attachments", Severity::Info, input.source, text)
        });
        let damage = (damaged > 0).then(|| {
            let text = format!("parts whose encoding is damaged, read as far as they go: {damaged}");
            Diagnostic::new("damaged-part", Severity::High, input.source, text).incomplete()
        });
        let diagnostics = damage.into_iter().chain(attachments).collect();
        let converted = Converted { text: out, attrs: attrs(&message), diagnostics, ..Converted::default() };
        Ok(converted.document(input, self.name()))
    }
}

#[derive(Default)]
struct Mail {
    out: String,
    attached: usize,
    /// Bodies that could not be decoded as they should.
    damaged: usize,
}

impl Mail {
    fn add(&mut self, message: &Message<'_>, level: u8) {
        let mut head = Markdown::default();
        head.heading(level, Inline::of(message.subject().unwrap_or_default()));
        head.paragraph(lines(message));
        append(&mut self.out, &head.finish());
        for part in message.text_bodies() {
            self.body(part);
        }
        let mut names = Vec::new();
        for part in message.attachments() {
            match &part.body {
                PartType::Message(inner) if level < DEPTH_MAX => self.add(inner, level + 1),
                _ => {
                    // Text that cannot be decoded comes as something attached.
                    self.damaged += usize::from(part.is_encoding_problem && is_text(part));
                    names.push(described(part));
                }
            }
        }
        self.attached += names.len();
        if !names.is_empty() {
            let mut list = Markdown::default();
            list.paragraph(Inline::of("Attachments:"));
            list.open_list(None);
            for name in names {
                list.open_item();
                list.paragraph(Inline::of(&name));
                list.close();
            }
            append(&mut self.out, &list.finish());
        }
    }

    fn body(&mut self, part: &MessagePart<'_>) {
        self.damaged += usize::from(part.is_encoding_problem);
        match &part.body {
            PartType::Text(text) => append(&mut self.out, &plain::markdown(text)),
            PartType::Html(html) => append(&mut self.out, &to_markdown(html, HtmlOptions { main_content: false }).0),
            _ => {}
        }
    }
}

/// The lines of the head that people read.
fn lines(message: &Message<'_>) -> Inline {
    // In Markdown, an address in angle brackets is a link.
    let of =
        |address: Option<&Address<'_>>| address.map(|all| addresses(all, ["(", ")"])).filter(|text| !text.is_empty());
    let date = message.date().map(mail_parser::DateTime::to_rfc3339);
    let all = [("From", of(message.from())), ("To", of(message.to())), ("Cc", of(message.cc())), ("Date", date)];
    let mut out = Inline::default();
    for (name, value) in all {
        let Some(value) = value else { continue };
        out.line_break();
        out.text(&format!("{name}: {value}"));
    }
    out
}

/// `Ann <ann@example.org>, Bo <bo@example.org>`, with these brackets.
fn addresses(address: &Address<'_>, [open, close]: [&str; 2]) -> String {
    let one = |name: Option<&str>, address: Option<&str>| match (name, address) {
        (Some(name), Some(address)) => Some(format!("{name} {open}{address}{close}")),
        (name, address) => name.or(address).map(str::to_owned),
    };
    address.iter().filter_map(|person| one(person.name(), person.address())).collect::<Vec<_>>().join(", ")
}

fn is_text(part: &MessagePart<'_>) -> bool {
    part.content_type().is_none_or(|kind| kind.ctype().eq_ignore_ascii_case("text"))
}

/// Name and kind of an attachment.
fn described(part: &MessagePart<'_>) -> String {
    let kind = part.content_type().map(|kind| match kind.subtype() {
        Some(sub) => format!("{}/{sub}", kind.ctype()),
        None => kind.ctype().to_owned(),
    });
    let kind = kind.unwrap_or_else(|| "unknown kind".to_owned());
    match part.attachment_name() {
        Some(name) => format!("{name} ({kind})"),
        None => kind,
    }
}

fn attrs(message: &Message<'_>) -> Attrs {
    let of =
        |address: Option<&Address<'_>>| address.map(|all| addresses(all, ["<", ">"])).filter(|text| !text.is_empty());
    let author = message.from().and_then(Address::first).and_then(|person| person.name().or(person.address()));
    let all = [
        ("title", message.subject().map(str::to_owned)),
        ("subject", message.subject().map(str::to_owned)),
        ("author", author.map(str::to_owned)),
        ("from", of(message.from())),
        ("to", of(message.to())),
        ("cc", of(message.cc())),
        ("date", message.date().map(mail_parser::DateTime::to_rfc3339)),
        ("message_id", message.message_id().map(str::to_owned)),
    ];
    all.into_iter().filter_map(|(name, value)| Some((name.to_owned(), Value::String(value?)))).collect()
}

#[cfg(test)]
mod tests {
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
}
