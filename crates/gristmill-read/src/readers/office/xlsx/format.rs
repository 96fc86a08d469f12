//! Number formats of cells, as far as they change what a number means: dates, times and shares.

use std::collections::HashMap;

use crate::readers::office::numbers;
use crate::xml::{Element, Xml};

/// What a number is shown as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Format {
    #[default]
    Plain,
    Percent,
    Date {
        date: bool,
        time: bool,
    },
}

/// The format of each cell style, by its index.
pub(super) fn formats(xml: &Xml) -> Vec<Format> {
    let root = xml.root();
    let own = root.child("numFmts").map(Element::children).into_iter().flatten();
    let own: HashMap<&str, Format> =
        own.filter_map(|format| Some((format.attr("numFmtId")?, by_code(format.attr("formatCode")?)))).collect();
    let styles = root.child("cellXfs").map(Element::children).into_iter().flatten();
    let format = |id: &str| own.get(id).copied().unwrap_or_else(|| built_in(id));
    styles.map(|style| style.attr("numFmtId").map(format).unwrap_or_default()).collect()
}

/// ECMA-376 part 1, 18.8.30.
fn built_in(id: &str) -> Format {
    match id.parse().unwrap_or(0u32) {
        9 | 10 => Format::Percent,
        14..=17 | 27..=31 | 36 | 50..=54 | 57 | 58 => Format::Date { date: true, time: false },
        18..=21 | 32..=35 | 45..=47 | 55 | 56 => Format::Date { date: false, time: true },
        22 => Format::Date { date: true, time: true },
        _ => Format::Plain,
    }
}

/// What the code of a format means. Quoted and escaped text in it means nothing.
fn by_code(code: &str) -> Format {
    let (mut date, mut time, mut minutes, mut percent) = (false, false, false, false);
    let mut chars = code.chars();
    while let Some(c) = chars.next() {
        match c.to_ascii_lowercase() {
            ';' => break,
            '"' => drop(chars.by_ref().find(|c| *c == '"')),
            '\\' | '_' | '*' => drop(chars.next()),
            '[' => {
                // A colour or condition, or time that goes past its unit.
                let inner: String = chars.by_ref().take_while(|c| *c != ']').collect();
                time |= !inner.is_empty() && inner.chars().all(|c| matches!(c.to_ascii_lowercase(), 'h' | 'm' | 's'));
            }
            'y' | 'd' => date = true,
            'h' | 's' => time = true,
            'm' => minutes = true,
            '%' => percent = true,
            'g' if code.to_ascii_lowercase().contains("general") => return Format::Plain,
            _ => {}
        }
    }
    match () {
        () if date || time => Format::Date { date, time },
        () if minutes => Format::Date { date: true, time: false },
        () if percent => Format::Percent,
        () => Format::Plain,
    }
}

/// A number as its format shows it: dates and times as ISO 8601, the rest in plain digits.
pub(super) fn shown(text: &str, format: Format, from_1904: bool) -> String {
    let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
    match (format, value) {
        (Format::Percent, Some(value)) => format!("{}%", numbers::rounded(value * 100.0)),
        (Format::Date { date, time }, Some(value)) => {
            moment(value, date, time, from_1904).unwrap_or_else(|| numbers::shown(text))
        }
        _ => numbers::shown(text),
    }
}

/// The date and time of a serial number of days. `None` out of the calendar.
fn moment(serial: f64, date: bool, time: bool, from_1904: bool) -> Option<String> {
    if !(0.0..2_958_466.0).contains(&serial) {
        return None;
    }
    let seconds = (serial * 86_400.0).round() as i64;
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    if !date {
        // Spans of hours may be longer than a day.
        return Some(format!("{:02}:{:02}:{:02}", seconds / 3600, rest / 60 % 60, rest % 60));
    }
    // Day 60 is the 29th of February 1900, which never was.
    let days = match days {
        _ if from_1904 => days + 1462,
        ..60 => days + 1,
        _ => days,
    };
    let (year, month, day) = civil(days - 25_569);
    let whole = format!("{year:04}-{month:02}-{day:02}");
    let clock = || format!("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
    Some(if rest == 0 && !time { whole } else { format!("{whole} {}", clock()) })
}

/// Year, month and day of a count of days from 1970-01-01, by Howard Hinnant's `civil_from_days`.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_tell_dates_from_numbers() {
        let date = |date, time| Format::Date { date, time };
        for (code, format) in [
            ("General", Format::Plain),
            ("#,##0.00", Format::Plain),
            ("0.0%", Format::Percent),
            ("yyyy-mm-dd", date(true, false)),
            ("dd/mm/yyyy hh:mm", date(true, true)),
            ("[h]:mm:ss", date(false, true)),
            ("mmm", date(true, false)),
            ("\"days\" 0", Format::Plain),
            ("[Red]0.00;[Blue]d", Format::Plain),
            ("_-* #,##0\\ \"kr\"_-", Format::Plain),
        ] {
            assert_eq!(by_code(code), format, "{code}");
        }
    }

    #[test]
    fn serial_numbers_are_days() {
        let day = Format::Date { date: true, time: false };
        let both = Format::Date { date: true, time: true };
        let clock = Format::Date { date: false, time: true };
        assert_eq!(shown("1", day, false), "1900-01-01");
        assert_eq!(shown("61", day, false), "1900-03-01");
        assert_eq!(shown("43831", day, false), "2020-01-01");
        assert_eq!(shown("42369", day, true), "2020-01-01");
        assert_eq!(shown("43831.75", both, false), "2020-01-01 18:00:00");
        assert_eq!(shown("0.5", clock, false), "12:00:00");
        assert_eq!(shown("1.25", clock, false), "30:00:00");
        assert_eq!(shown("0.125", Format::Percent, false), "12.5%");
        assert_eq!(shown("1", Format::Percent, false), "100%");
        assert_eq!(shown("0.07", Format::Percent, false), "7%");
        assert_eq!(shown("-5", day, false), "-5");
        assert_eq!(shown("abc", day, false), "abc");
    }
}
