//! Mails: who wrote what to whom, and what is attached.

mod base64;
mod bodies;
mod plain;
#[cfg(test)]
mod tests;

use gristmill_core::{Attrs, Diagnostic, Document, Error, Input, Outcome, Reader, Result, Severity};
use mail_parser::{Address, Message, MessageParser, MessagePart, MimeHeaders, PartType};
use serde_json::Value;

use self::bodies::{Body, bodies};
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
        let diagnostics = mail.told(input.source);
        let converted = Converted { text: mail.out, attrs: attrs(&message), diagnostics, ..Converted::default() };
        Ok(converted.document(input, self.name()))
    }
}

#[derive(Default)]
struct Mail {
    out: String,
    attached: usize,
    /// Bodies that could not be decoded as they should.
    damaged: usize,
    /// Bodies whose parts cannot be told apart.
    unparted: usize,
    /// Bytes without meaning, and the character set that the first of them should be of.
    undecodable: (usize, String),
}

impl Mail {
    fn add(&mut self, message: &Message<'_>, level: u8) {
        let mut head = Markdown::default();
        head.heading(level, Inline::of(message.subject().unwrap_or_default()));
        head.paragraph(lines(message));
        append(&mut self.out, &head.finish());
        let (bodies, attached) = bodies(message);
        bodies.iter().for_each(|body| self.body(body));
        let mut names = Vec::new();
        for part in attached {
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

    fn body(&mut self, body: &Body<'_>) {
        self.damaged += usize::from(body.damaged);
        self.unparted += usize::from(body.unparted);
        let (undecodable, charset) = &body.undecodable;
        if self.undecodable.0 == 0 {
            self.undecodable.1.clone_from(charset);
        }
        self.undecodable.0 += undecodable;
        let markdown = if body.is_html {
            to_markdown(&body.text, HtmlOptions { main_content: false }).0
        } else {
            plain::markdown(&body.text)
        };
        append(&mut self.out, &markdown);
    }

    fn told(&self, source: &str) -> Vec<Diagnostic> {
        let told = |count: usize, code, severity, what: &str| {
            (count > 0).then(|| Diagnostic::new(code, severity, source, format!("{what}: {count}")))
        };
        let (undecodable, charset) = &self.undecodable;
        let without_meaning = format!("bytes without meaning in {charset}, replaced by U+FFFD");
        let damaged = "parts whose encoding is damaged, read as far as they go";
        let unparted = "bodies whose parts cannot be told apart for want of a boundary, read as plain text";
        let all = [
            told(self.damaged, "damaged-part", Severity::High, damaged).map(Diagnostic::incomplete),
            told(self.unparted, "multipart-without-boundary", Severity::High, unparted).map(Diagnostic::incomplete),
            told(*undecodable, "undecodable-bytes", Severity::Medium, &without_meaning),
            told(self.attached, "attachments", Severity::Info, "attachments are named and not read"),
        ];
        all.into_iter().flatten().collect()
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
