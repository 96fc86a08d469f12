//! Faults that users of other tools have met, as small files.

use super::*;

#[test]
fn ligatures_by_the_names_of_glyphs_are_letters() {
    let mut file = File::new();
    let encoding = "<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[1/fi/fl/ffi]>>";
    let face = file.add(format!("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding{encoding}>>"));
    file.faces = format!("/F4 {face} 0 R");
    let page = text(&[("F4", 10.0, 50.0, 700.0, "The \\001elds re\\002ect the o\\003ce.")]);
    assert_eq!(read(file.page(&page)).value.text, "The fields reflect the office.\n");
}

#[test]
fn words_set_by_position_have_spaces_between() {
    let words = [("Every", 50.0), ("lever", 82.0), ("has", 112.0), ("a", 134.0), ("brass", 144.0), ("plate", 176.0)];
    let page: String = words.iter().map(|(word, x)| text(&[("F1", 12.0, *x, 700.0, word)])).collect();
    assert_eq!(read(File::new().page(&page)).value.text, "Every lever has a brass plate\n");
}

#[test]
fn letters_set_one_by_one_are_words() {
    // Helvetica: widths 667, 222, 556, 500 thousandths for `A`, `l`, `o`, `c`; a space is 278.
    let letters = [("A", 50.0), ("l", 56.67), ("l", 58.89), ("o", 63.89), ("c", 69.45)];
    let page: String = letters.iter().map(|(letter, x)| text(&[("F1", 10.0, *x, 700.0, letter)])).collect();
    assert_eq!(read(File::new().page(&page)).value.text, "All oc\n");
}

#[test]
fn a_wrong_table_of_objects_is_made_anew_and_said() {
    let bytes = File::new().page(&lines(50.0, 700.0, &["Still readable text."])).bytes();
    let whole = String::from_utf8(bytes).expect("the file is text");
    let at = whole.rfind("startxref").expect("the file has a trailer");
    let broken = format!("junk\n{}startxref\n7\n%%EOF\nmore junk", &whole[..at]);
    let outcome = try_read(broken.as_bytes()).expect("the file can be read");
    assert_eq!(outcome.value.text, "Still readable text.\n");
    assert_eq!(codes(&outcome), ["pdf-damaged"]);
}

#[test]
fn hyphens_at_line_ends_go_and_those_of_words_stay() {
    let page = lines(50.0, 700.0, &["The docu-", "mentation of state-of-the-", "art valves in-", "creases each year."]);
    let expected = "The documentation of state-of-the-art valves increases each year.\n";
    assert_eq!(read(File::new().page(&page)).value.text, expected);
}

#[test]
fn short_columns_are_columns_too() {
    let left = ["Left one starts here and", "goes on down the page", "until the left side ends."];
    let right = ["Right one starts at the", "top of its own column", "and ends the page."];
    let page = lines(72.0, 700.0, &left) + &lines(330.0, 700.0, &right);
    let expected = "Left one starts here and goes on down the page until the left side ends.\n\n\
        Right one starts at the top of its own column and ends the page.\n";
    assert_eq!(read(File::new().page(&page)).value.text, expected);
}
