//! What the file says of itself.

use gristmill_core::Attrs;
use serde_json::Value;
use unpdf::parser::backend::PdfMetadataRaw;

use super::words::clean;

/// Title, author, subject, keywords and dates, where they are given.
pub(super) fn attrs(info: &PdfMetadataRaw) -> Attrs {
    let mut out = Attrs::new();
    let texts = [
        ("title", &info.title),
        ("author", &info.author),
        ("description", &info.subject),
        ("keywords", &info.keywords),
    ];
    for (name, value) in texts {
        let value = clean(value.as_deref().unwrap_or_default());
        let given = !value.is_empty() && (name != "title" || !is_made_up(&value));
        if given {
            out.insert(name.to_owned(), Value::String(value));
        }
    }
    for (name, value) in [("date", &info.creation_date), ("modified", &info.mod_date)] {
        if let Some(date) = value.as_deref().and_then(date) {
            out.insert(name.to_owned(), Value::String(date));
        }
    }
    out
}

/// True for what programs put in when nobody gave a title.
fn is_made_up(title: &str) -> bool {
    let lower = title.to_lowercase();
    matches!(lower.as_str(), "untitled" | "title" | "document" | "(anonymous)" | "unknown")
        || lower.starts_with("microsoft word - ")
        || [".doc", ".docx", ".indd", ".qxd", ".tex", ".dvi", ".pdf", ".odt"].iter().any(|end| lower.ends_with(end))
}

/// `D:20240131120000+01'00'` as `2024-01-31T12:00:00+01:00`, as far as it goes. ISO 32000-1, 7.9.4.
fn date(text: &str) -> Option<String> {
    let text = text.trim();
    let text = text.strip_prefix("D:").unwrap_or(text);
    let figures: String = text.chars().take_while(char::is_ascii_digit).take(14).collect();
    let part = |from: usize, most: u32| {
        let part = figures.get(from..from + 2)?;
        Some((part, part.parse::<u32>().is_ok_and(|number| number <= most)))
    };
    let parts = [part(4, 12), part(6, 31), part(8, 23), part(10, 59), part(12, 60)];
    if parts.iter().flatten().any(|(_, fits)| !fits) {
        return None;
    }
    let [month, day, hour, minute, second] = parts.map(|part| part.map(|(text, _)| text));
    let mut out = figures.get(..4)?.to_owned();
    for part in [month, day] {
        let Some(part) = part.filter(|part| *part != "00") else { return Some(out) };
        out.push('-');
        out.push_str(part);
    }
    let (Some(hour), Some(minute)) = (hour, minute) else { return Some(out) };
    out.push_str(&format!("T{hour}:{minute}:{}", second.unwrap_or("00")));
    out.push_str(&zone(text.get(figures.len()..).unwrap_or_default()));
    Some(out)
}

fn zone(text: &str) -> String {
    let figures: String = text.chars().filter(char::is_ascii_digit).take(4).collect();
    match (text.chars().next(), figures.get(..2)) {
        (Some('Z'), _) => "Z".to_owned(),
        (Some(sign @ ('+' | '-')), Some(hours)) => format!("{sign}{hours}:{}", figures.get(2..4).unwrap_or("00")),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_as_far_as_they_go() {
        for (given, read) in [
            ("D:20240131120005+01'00'", Some("2024-01-31T12:00:05+01:00")),
            ("D:20240131120005Z", Some("2024-01-31T12:00:05Z")),
            ("D:199812231952-08'00", Some("1998-12-23T19:52:00-08:00")),
            ("D:202402", Some("2024-02")),
            ("2024", Some("2024")),
            ("D:20241301", None),
            ("yesterday", None),
        ] {
            assert_eq!(date(given).as_deref(), read, "{given}");
        }
    }

    #[test]
    fn titles_that_programs_make_are_none() {
        let info = PdfMetadataRaw {
            title: Some("Microsoft Word - a.doc".into()),
            author: Some(" Ann  B. ".into()),
            ..Default::default()
        };
        let attrs = attrs(&info);
        assert_eq!(attrs.keys().collect::<Vec<_>>(), ["author"]);
        assert_eq!(attrs["author"], "Ann B.");
    }
}
