//! Files that ask for too much, or are broken.

use super::*;

#[test]
fn forms_that_paint_one_another_end() {
    let mut file = File::new();
    let first = file.objects.len() + 1;
    for form in first..first + 30 {
        let entries =
            format!("/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</XObject<</X {} 0 R>>>>", form + 1);
        file.stream(&entries, "/X Do /X Do");
    }
    file.stream("/Type/XObject/Subtype/Form/BBox[0 0 600 800]", "0 0 m");
    file.add_page(&lines(50.0, 700.0, &["Text."]), &format!("/XObject<</X {first} 0 R>>"), "");
    file.add_page("/X Do", &format!("/XObject<</X {first} 0 R>>"), "");
    let outcome = read(file);
    assert_eq!(outcome.value.text, "Text.\n");
    assert_eq!(codes(&outcome), ["pdf-partial-page"]);
}

#[test]
fn no_bytes_break_the_reader() {
    let bytes = File::new().page(&(lines(50.0, 700.0, &["One.", "Two."]) + &rows(600.0))).bytes();
    for at in 0..bytes.len() {
        let mut broken = bytes.clone();
        broken[at] = b'9';
        let _ = try_read(&broken);
        let _ = try_read(&bytes[..at]);
    }
}

/// A chain of references that leads back to its own start.
#[test]
fn pages_that_are_their_own_children_end() {
    let mut file = File::new().page(&lines(50.0, 700.0, &["Text."]));
    file.pages.push(2);
    assert_eq!(read(file).value.text, "Text.\n");
    let looped =
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 1 0 R/Kids[1 0 R]/Count 1>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF";
    assert!(try_read(looped).is_err());
}

/// A length that names itself, a content that names itself, an outline that goes round.
#[test]
fn references_that_go_round_end() {
    let mut file = File::new();
    let own = file.objects.len() + 1;
    file.add(format!("<</Length {own} 0 R>>stream\nBT /F1 10 Tf 50 700 Td (Round.) Tj ET\nendstream"));
    file.add(format!("<</Title(A)/Next {0} 0 R/First {0} 0 R/Parent {0} 0 R>>", own + 1));
    file.objects[0] = format!("<</Type/Catalog/Pages 2 0 R/Outlines {} 0 R>>", own + 1).into_bytes();
    file.add_page(&lines(50.0, 700.0, &["Text."]), "", &format!("/Annots {} 0 R", own + 1));
    assert_eq!(read(file).value.text, "Text.\n");
}

/// A page whose stream is 64 MiB of blanks and operators when it is inflated, from half a MiB.
#[test]
fn streams_that_inflate_to_much_are_cut_off() {
    let mut file = File::new().page(&lines(50.0, 700.0, &["Text."]));
    let bomb = deflated_repeats(b"q Q ", 16 << 20);
    let mut object = format!("<</Length {}/Filter/FlateDecode>>stream\n", bomb.len()).into_bytes();
    object.extend(bomb);
    object.extend(b"\nendstream");
    let bomb = file.add(object);
    let page = format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents {bomb} 0 R>>");
    let page = file.add(page);
    file.pages.push(page);
    let outcome = read(file);
    assert_eq!(outcome.value.text, "Text.\n");
    assert_eq!(codes(&outcome), ["pdf-partial-page"]);
}

/// A zlib stream of `part`, which is four bytes long, `count` times: RFC 1951, fixed codes, each match 256 bytes from 4 back.
fn deflated_repeats(part: &[u8; 4], count: usize) -> Vec<u8> {
    let mut bits = Bits::default();
    bits.low(0b011, 3);
    part.iter().for_each(|byte| bits.literal(*byte));
    for _ in 0..count / 64 {
        // Length 256 is code 284 with 29 more than 227; distance 4 is code 3.
        bits.high(0b1100_0100, 8);
        bits.low(29, 5);
        bits.high(3, 5);
    }
    bits.high(0, 7);
    let mut out = vec![0x78, 0x01];
    out.extend(bits.done());
    out.extend([0; 4]);
    out
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: usize,
}

impl Bits {
    fn bit(&mut self, bit: u32) {
        if self.used.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= (bit as u8) << (self.used % 8);
        }
        self.used += 1;
    }

    /// The lowest bit first: extra bits and heads.
    fn low(&mut self, value: u32, width: u32) {
        (0..width).for_each(|at| self.bit(value >> at & 1));
    }

    /// The highest bit first: codes.
    fn high(&mut self, value: u32, width: u32) {
        (0..width).rev().for_each(|at| self.bit(value >> at & 1));
    }

    fn literal(&mut self, byte: u8) {
        self.high(0x30 + u32::from(byte), 8);
    }

    fn done(self) -> Vec<u8> {
        self.bytes
    }
}
