//! Matching one name of a path.

use super::template::{Field, Kind, Piece};

/// The text of each field of the segment, by its index, when `text` matches. The first fields take as little as they can.
///
/// Works from the end: `open[at]` tells whether the pieces from some piece on match the text from `at` on. So the time is
/// the number of pieces times the length of the text, whatever they are.
pub(super) fn match_segment<'t>(pieces: &[Piece], fields: &[Field], text: &'t str) -> Option<Vec<(usize, &'t str)>> {
    let kind_of = |index: usize| fields.get(index).map_or(Kind::Text, |field| field.kind);
    let mut open = vec![vec![false; text.len() + 1]; pieces.len() + 1];
    open[pieces.len()][text.len()] = true;
    for (index, piece) in pieces.iter().enumerate().rev() {
        let (before, after) = open.split_at_mut(index + 1);
        fill(&mut before[index], &after[0], piece, kind_of, text);
    }
    if !open[0][0] {
        return None;
    }
    let mut found = Vec::new();
    let mut at = 0;
    for (piece, after) in pieces.iter().zip(&open[1..]) {
        let end = match piece {
            Piece::Literal(literal) => at + literal.len(),
            Piece::Field(index) => {
                let end = first_end(kind_of(*index), text, at, after)?;
                found.push((*index, &text[at..end]));
                end
            }
        };
        at = end;
    }
    Some(found)
}

/// Works out from which positions `piece` and what follows it match.
fn fill(here: &mut [bool], after: &[bool], piece: &Piece, kind_of: impl Fn(usize) -> Kind, text: &str) {
    match piece {
        Piece::Literal(literal) => {
            for (at, _) in text.char_indices() {
                here[at] = text[at..].starts_with(literal.as_str()) && after[at + literal.len()];
            }
        }
        Piece::Field(index) if kind_of(*index) == Kind::Text => {
            // Text may end anywhere after its first character.
            let last = after.iter().rposition(|open| *open).unwrap_or(0);
            here[..last].fill(true);
        }
        Piece::Field(index) => {
            for (at, _) in text.char_indices() {
                here[at] = first_end(kind_of(*index), text, at, after).is_some();
            }
        }
    }
}

/// The nearest end of a field of this kind that begins at `at`.
fn first_end(kind: Kind, text: &str, at: usize, after: &[bool]) -> Option<usize> {
    let last = text.len().min(at.saturating_add(kind.longest()));
    (at + 1..=last).find(|&end| after[end] && text.get(at..end).is_some_and(|text| kind.takes(text)))
}

#[cfg(test)]
mod tests {
    use super::super::template::Template;
    use super::*;

    fn fields(template: &str, text: &str) -> Option<Vec<String>> {
        let template = Template::parse(template).unwrap();
        let found = match_segment(&template.segments[0], &template.fields, text)?;
        Some(found.into_iter().map(|(index, text)| format!("{}={text}", template.fields[index].name)).collect())
    }

    fn check(template: &str, text: &str, expected: &[&str]) {
        assert_eq!(
            fields(template, text).as_deref(),
            Some(&*expected.iter().map(ToString::to_string).collect::<Vec<_>>())
        );
    }

    #[test]
    fn fields_take_as_little_as_they_can() {
        check("{a}-{b}", "x-y-z", &["a=x", "b=y-z"]);
        check("{a}.md", "a.md.md", &["a=a.md"]);
        check("{n:int}-{slug}.md", "01-first-steps.md", &["n=01", "slug=first-steps"]);
        check("{n:int}-{slug}", "-5--x", &["n=-5", "slug=-x"]);
        check("第{n:int}章{title}", "第12章 開始", &["n=12", "title= 開始"]);
        check("plain", "plain", &[]);
    }

    #[test]
    fn types_decide_where_text_alone_does_not() {
        check("{x}-{n:int}-{y}", "foo-bar-3-z", &["x=foo-bar", "n=3", "y=z"]);
        check("v{v:float}-{x}", "v1.5-beta", &["v=1.5", "x=beta"]);
        check("{draft:bool}_{x}", "true_y", &["draft=true", "x=y"]);
    }

    #[test]
    fn what_does_not_match_gives_nothing() {
        for (template, text) in [
            ("{n:int}-{slug}", "one-two"),
            ("{n:int}-{slug}", "1-"),
            ("{a}-{b}", "-b"),
            ("{a}", ""),
            ("a{n:int}", "a99999999999999999999"),
            ("v{v:float}", "vinf"),
            ("plain", "plains"),
        ] {
            assert_eq!(fields(template, text), None, "{template} {text}");
        }
    }

    /// The meaning, spelt out: the first field takes the shortest text with which the rest still matches.
    fn plainly<'t>(pieces: &[Piece], fields: &[Field], text: &'t str) -> Option<Vec<(usize, &'t str)>> {
        let Some((first, rest)) = pieces.split_first() else { return text.is_empty().then(Vec::new) };
        match first {
            Piece::Literal(literal) => plainly(rest, fields, text.strip_prefix(literal.as_str())?),
            Piece::Field(index) => (1..=text.len()).find_map(|end| {
                let (taken, left) = text.split_at_checked(end).filter(|(taken, _)| fields[*index].kind.takes(taken))?;
                let mut found = plainly(rest, fields, left)?;
                found.insert(0, (*index, taken));
                Some(found)
            }),
        }
    }

    #[test]
    fn the_result_is_what_the_rule_says() {
        let letters = ["a", "1", "-", ".", "é"];
        for template in
            ["{a}-{b}", "{n:int}-{b}", "{a}-{n:int}", "a{b}.{c}", "{f:float}-{a}-", "{a}1{b}1{n:int}", "-{a}"]
        {
            let template = Template::parse(template).unwrap();
            for length in 0..=6 {
                for number in 0..5usize.pow(length) {
                    let text: String = (0..length).map(|place| letters[number / 5usize.pow(place) % 5]).collect();
                    let (pieces, fields) = (&template.segments[0], &template.fields);
                    assert_eq!(
                        match_segment(pieces, fields, &text),
                        plainly(pieces, fields, &text),
                        "{template:?} {text}"
                    );
                }
            }
        }
    }

    #[test]
    fn long_names_take_linear_time() {
        let text = "a-".repeat(50_000);
        assert_eq!(fields("{a}-{b}-{c}-{d:int}-{e}", &text), None);
        assert!(fields("{a}-{b}-{c}", &text).is_some());
    }
}
