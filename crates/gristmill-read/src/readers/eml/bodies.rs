//! Which parts of a mail are read, and their text.

use std::borrow::Cow;
use std::collections::HashSet;

use mail_parser::decoders::charsets::map::charset_decoder;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::{Message, MessagePart, MessagePartId, MimeHeaders, PartType};

use super::base64;

/// A part that is read.
pub(super) struct Body<'m> {
    pub(super) text: Cow<'m, str>,
    pub(super) is_html: bool,
    /// Its encoding is damaged: there is more of it than was read.
    pub(super) damaged: bool,
    /// It consists of parts that nothing tells apart.
    pub(super) unparted: bool,
    /// Bytes without meaning, and the character set they should be of.
    pub(super) undecodable: (usize, String),
    /// Index of the part.
    at: usize,
    /// The alternatives that it is one of, by the index of their part.
    group: Option<usize>,
}

/// The parts that are read, in their order, and the others, which are attached.
pub(super) fn bodies<'m>(message: &'m Message<'m>) -> (Vec<Body<'m>>, Vec<&'m MessagePart<'m>>) {
    let shown = all(&message.text_body);
    let mut found = candidates(message, &shown);
    let said: HashSet<usize> = found.iter().filter(|body| says_something(body)).filter_map(|body| body.group).collect();
    let is_needless = |body: &Body<'_>| body.is_html && body.group.is_some_and(|group| said.contains(&group));
    found.retain(|body| shown.contains(&body.at) || !is_needless(body));
    let read: HashSet<usize> = found.iter().map(|body| body.at).collect();
    let attached = message.attachments.iter().map(|at| *at as usize).filter(|at| !read.contains(at));
    (found, attached.filter_map(|at| message.parts.get(at)).collect())
}

fn all(ids: &[MessagePartId]) -> HashSet<usize> {
    ids.iter().map(|id| *id as usize).collect()
}

/// The bodies that are shown, HTML that may stand in for one of them, and bodies that were lost.
fn candidates<'m>(message: &'m Message<'m>, shown: &HashSet<usize>) -> Vec<Body<'m>> {
    let groups = groups(message);
    let mut places = all(&message.html_body);
    places.extend(shown);
    let attached = message.attachments.iter().map(|at| *at as usize);
    places.extend(attached.filter(|at| message.parts.get(*at).is_some_and(is_lost)));
    let mut places: Vec<usize> = places.into_iter().collect();
    places.sort_unstable();
    places.into_iter().filter_map(|at| body(message, at, groups.get(at).copied().flatten())).collect()
}

/// For each part the outermost alternatives it is one of.
fn groups(message: &Message<'_>) -> Vec<Option<usize>> {
    let mut groups = vec![None; message.parts.len()];
    for (at, part) in message.parts.iter().enumerate() {
        let PartType::Multipart(inner) = &part.body else { continue };
        let group = groups[at].or_else(|| part.is_content_type("multipart", "alternative").then_some(at));
        for below in inner {
            if let Some(place) = groups.get_mut(*below as usize) {
                *place = group;
            }
        }
    }
    groups
}

/// Plain text with anything to be seen; without that, the HTML beside it holds the text.
fn says_something(body: &Body<'_>) -> bool {
    let unseen = |c: char| c.is_whitespace() || matches!(c, '\u{200b}' | '\u{feff}' | '\0');
    !body.is_html && !body.text.chars().all(unseen)
}

/// Text that is listed as attached only because it is damaged, or because its parts cannot be told apart.
fn is_lost(part: &MessagePart<'_>) -> bool {
    let is_file = part.content_disposition().is_some_and(mail_parser::ContentType::is_attachment)
        || part.attachment_name().is_some();
    !is_file && (is_unparted(part) || (part.is_encoding_problem && (is_plain(part) || is_html(part))))
}

fn is_unparted(part: &MessagePart<'_>) -> bool {
    let multipart = part.content_type().is_some_and(|kind| kind.ctype().eq_ignore_ascii_case("multipart"));
    multipart && matches!(part.body, PartType::Text(_) | PartType::Binary(_))
}

fn is_plain(part: &MessagePart<'_>) -> bool {
    part.content_type().is_none() || part.is_content_type("text", "plain")
}

fn is_html(part: &MessagePart<'_>) -> bool {
    part.is_content_type("text", "html")
}

/// `None` for what is no text.
fn body<'m>(message: &'m Message<'m>, at: usize, group: Option<usize>) -> Option<Body<'m>> {
    let part = message.parts.get(at)?;
    let unparted = is_unparted(part);
    let parsed = match &part.body {
        PartType::Text(text) | PartType::Html(text) => Some(text),
        _ if unparted => None,
        _ => return None,
    };
    let raw = message.raw_message.get(part.offset_body as usize..part.offset_end as usize).unwrap_or_default();
    let (bytes, whole) = decoded(part, raw);
    let text = match parsed {
        Some(text) if whole && !part.is_encoding_problem => Cow::Borrowed(text.as_ref()),
        _ => in_charset(part, &bytes, whole),
    };
    let undecodable = (undecodable(part, &text, &bytes), charset(part).unwrap_or("utf-8").to_ascii_lowercase());
    let damaged = !whole || part.is_encoding_problem;
    Some(Body {
        unparted: unparted && !text.trim().is_empty(),
        text,
        is_html: is_html(part),
        damaged,
        undecodable,
        at,
        group,
    })
}

/// The bytes of a part without its transfer encoding, as far as that can be read, and whether that is to its end.
fn decoded<'m>(part: &MessagePart<'_>, raw: &'m [u8]) -> (Cow<'m, [u8]>, bool) {
    match part.content_transfer_encoding() {
        Some(name) if name.eq_ignore_ascii_case("base64") => {
            let (bytes, whole) = base64::decode(raw);
            (bytes.into(), whole)
        }
        Some(name) if name.eq_ignore_ascii_case("quoted-printable") => {
            (quoted_printable_decode(raw).map_or(raw.into(), Cow::Owned), true)
        }
        _ => (raw.into(), true),
    }
}

fn charset<'p>(part: &'p MessagePart<'_>) -> Option<&'p str> {
    part.content_type()?.attribute("charset")
}

/// Bytes as text of the declared character set, else of UTF-8.
fn in_charset(part: &MessagePart<'_>, bytes: &[u8], whole: bool) -> Cow<'static, str> {
    if let Some(decode) = charset(part).and_then(|name| charset_decoder(name.as_bytes())) {
        return decode(bytes).into();
    }
    // What was cut within a character has no meaning, and that it was cut is told.
    let end = match std::str::from_utf8(bytes) {
        Err(error) if !whole && error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    };
    String::from_utf8_lossy(&bytes[..end]).into_owned().into()
}

/// How many replacement characters stand for bytes without meaning. In UTF-8 a mail may hold some of its own.
fn undecodable(part: &MessagePart<'_>, text: &str, bytes: &[u8]) -> usize {
    let all = text.matches(char::REPLACEMENT_CHARACTER).count();
    if all == 0 || charset(part).is_some_and(|name| charset_decoder(name.as_bytes()).is_some()) {
        return all;
    }
    all.saturating_sub(memchr::memmem::find_iter(bytes, "\u{fffd}".as_bytes()).count())
}
