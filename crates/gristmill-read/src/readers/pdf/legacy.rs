//! Text in an old encoding of East Asia whose font says nothing of it: each byte came out as a Latin letter.

use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, SHIFT_JIS};

use super::page::Page;

/// Characters that a guess is made from.
const SAMPLE: usize = 20_000;

/// Decodes the text anew when nearly all of it is upper Latin-1 letters that make sense as an encoding with two bytes a
/// character. Gives the name of that encoding.
pub(super) fn decode(pages: &mut [Page]) -> Option<&'static str> {
    let mut bytes = Vec::new();
    let (mut upper, mut all) = (0usize, 0usize);
    for span in pages.iter().flat_map(|page| &page.spans) {
        for c in span.text.chars().filter(|c| !c.is_whitespace()) {
            all += 1;
            upper += usize::from(('\u{a1}'..='\u{fe}').contains(&c));
        }
        if all < SAMPLE
            && let Some(own) = latin(&span.text)
        {
            bytes.extend(own);
            bytes.push(b'\n');
        }
    }
    if all < 20 || upper * 10 < all * 8 {
        return None;
    }
    let encoding = [GBK, BIG5, EUC_KR, SHIFT_JIS].into_iter().max_by_key(|encoding| score(encoding, &bytes))?;
    if score(encoding, &bytes) < 80 {
        return None;
    }
    for span in pages.iter_mut().flat_map(|page| &mut page.spans) {
        let text = latin(&span.text)
            .and_then(|own| encoding.decode_without_bom_handling_and_without_replacement(&own).map(String::from));
        if let Some(text) = text {
            span.text = text;
            span.links.clear();
        }
    }
    Some(encoding.name())
}

/// The bytes that the letters of a run stood for.
fn latin(text: &str) -> Option<Vec<u8>> {
    text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect()
}

/// Of a hundred characters, how many are common ones of East Asia: those that came first in the standards.
fn score(encoding: &'static Encoding, bytes: &[u8]) -> usize {
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    let is_common = |c: &char| {
        let mut own = [0; 4];
        let (code, _, bad) = encoding.encode(c.encode_utf8(&mut own));
        let first = code.first().copied().unwrap_or(0);
        let level = match encoding.name() {
            "GBK" => (0xa1..=0xd7).contains(&first) && code.get(1).is_some_and(|b| *b >= 0xa1),
            "Big5" => (0xa1..=0xc6).contains(&first),
            "Shift_JIS" => (0x81..=0x98).contains(&first),
            _ => (0xa1..=0xc8).contains(&first) && code.get(1).is_some_and(|b| *b >= 0xa1),
        };
        !bad && code.len() == 2 && level
    };
    let shown = text.chars().filter(|c| !c.is_whitespace());
    shown.clone().filter(is_common).count() * 100 / shown.count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_told_apart() {
        let best = |bytes: &[u8]| {
            let scored = [GBK, BIG5, EUC_KR, SHIFT_JIS].map(|encoding| (score(encoding, bytes), encoding.name()));
            scored.into_iter().max().map(|(score, name)| (score >= 80, name))
        };
        assert_eq!(best(&GBK.encode("关于红军作战的原则，抗日战争").0), Some((true, "GBK")));
        assert_eq!(best("Größe é à ü".as_bytes()).map(|(fits, _)| fits), Some(false));
    }
}
