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
    // Each word is as wide as Helvetica makes it, and a space of 278 thousandths of the size follows.
    let words = [("Every", 50.0), ("lever", 84.0), ("has", 113.4), ("a", 136.0), ("brass", 146.0), ("plate", 178.7)];
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

/// Files that are encrypted so that only an owner may change them open without a password.
#[test]
fn the_empty_password_opens() {
    for bytes in [include_bytes!("empty-password-aes-256.pdf").as_slice(), include_bytes!("empty-password-rc4-128.pdf")]
    {
        assert_eq!(try_read(bytes).expect("the file can be read").value.text, "Open to all who only read.\n");
    }
}

#[test]
fn tables_of_contents_are_lists_and_no_headings() {
    let entry = |y: f32, x: f32, title: &str, page: &str| {
        text(&[("F2", 12.0, x, y, &format!("{title} . . . . . . . . . . . {page}"))])
    };
    let page = text(&[("F1", 18.0, 50.0, 740.0, "Contents")])
        + &entry(700.0, 50.0, "1 Valves", "1")
        + &entry(686.0, 64.0, "1.1 Care of valves", "2")
        + &entry(672.0, 50.0, "2 Pumps", "14")
        + &lines(
            50.0,
            600.0,
            &["Below it stands text that is neither bold nor large, and there is a good deal", "of it."],
        );
    let expected = "# Contents\n\n- 1 Valves … 1\n  - 1.1 Care of valves … 2\n- 2 Pumps … 14\n\n\
        Below it stands text that is neither bold nor large, and there is a good deal of it.\n";
    assert_eq!(read(File::new().page(&page)).value.text, expected);
}

#[test]
fn marks_over_the_line_stay_in_it() {
    let body = lines(50.0, 700.0, &["The valve was closed", "before noon, as they say."])
        + &text(&[("F1", 6.0, 148.0, 704.0, "1")])
        + &text(&[("F1", 5.0, 50.0, 103.0, "1"), ("F1", 8.0, 54.0, 100.0, "Says the log of that day.")]);
    let text = read(File::new().page(&body)).value.text;
    let paragraphs: Vec<&str> = text.trim_end().split("\n\n").collect();
    assert_eq!(paragraphs.len(), 2, "{text}");
    assert!(paragraphs[1].starts_with("1") && paragraphs[1].ends_with("Says the log of that day."), "{text}");
}

#[test]
fn what_is_drawn_twice_is_read_once() {
    let page = text(&[("F1", 20.0, 50.0, 700.0, "Bold by hand"), ("F1", 20.0, 50.3, 700.0, "Bold by hand ")])
        + &lines(50.0, 600.0, &["no no, not these two words"]);
    assert_eq!(read(File::new().page(&page)).value.text, "# Bold by hand\n\nno no, not these two words\n");
}

#[test]
fn stamps_at_the_side_of_every_page_go() {
    let page = |body: &str| {
        "BT /F1 6 Tf 0 1 -1 0 20 50 Tm (printer on JOB7 with RULES) Tj ET\n".to_owned() + &lines(60.0, 700.0, &[body])
    };
    let bodies = [
        "The first page is about pumps alone.",
        "The second one is about valves alone.",
        "The third one is about both of them.",
    ];
    let file = bodies.iter().fold(File::new(), |file, body| file.page(&page(body)));
    let outcome = read(file);
    assert_eq!(outcome.value.text, bodies.join("\n\n") + "\n");
    assert_eq!(codes(&outcome), ["pdf-running-head"]);
}

/// What stands at the top of each page and differs in figures alone says something else each time.
#[test]
fn sentences_with_other_figures_on_every_page_stay() {
    let body = "The text below goes on for long enough to be more than the line above it.";
    let first = |n: usize| format!("Step {n}. Turn the screw by {} turns and wait {} minutes.", 2 * n, 5 * n);
    for pages in [2, 4] {
        let page = |file: File, n: usize| {
            file.page(
                &(lines(50.0, 760.0, &["Acme manual", &first(n)])
                    + &lines(50.0, 500.0, &[format!("{body} {n}").as_str(); 3])),
            )
        };
        let outcome = read((1..=pages).fold(File::new(), page));
        for n in 1..=pages {
            assert!(outcome.value.text.contains(&first(n)), "{}", outcome.value.text);
        }
        assert!(!outcome.value.text.contains("Acme manual"), "{}", outcome.value.text);
        assert!(
            outcome.diagnostics.iter().any(|d| d.message.ends_with("0 page numbers: `Acme manual`")),
            "{:?}",
            outcome.diagnostics
        );
    }
}
