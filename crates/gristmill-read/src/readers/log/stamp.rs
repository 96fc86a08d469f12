//! Times and levels at the start of a log line.

/// True when an entry of a log begins with this line: it starts with a date, a time, a level, or is a JSON object.
pub(super) fn begins_entry(line: &str) -> bool {
    let line = head(line);
    if line.starts_with([' ', '\t']) {
        return false;
    }
    let inner = line.trim_start_matches(['[', '(', '<', '{', '"', '\'']);
    is_time(inner) || is_level(line) || is_field(inner) || is_access(line) || is_object(line)
}

/// Bytes of a line that are looked at.
const HEAD: usize = 160;

fn head(line: &str) -> &str {
    &line[..line.floor_char_boundary(HEAD)]
}

/// A date, a clock time, seconds since 1970 or since the start.
fn is_time(text: &str) -> bool {
    if text.starts_with(|c: char| c.is_ascii_digit()) || text.starts_with(' ') {
        return is_date(text) || is_clock(text) || is_seconds(text) || is_packed(text);
    }
    is_month_first(text)
}

/// `2024-05-01`, `01/05/2024`, `17.06.09`, `10/Oct/2000`, followed by a time or a level.
fn is_date(text: &str) -> bool {
    let Some((separator, rest)) = number(text, 4) else { return false };
    let Some((second, rest)) = number(rest, 2).or_else(|| month(rest)) else { return false };
    let Some((after, tail)) = number(rest, 4) else { return false };
    let timed = tail.starts_with(|c: char| c.is_ascii_digit()) && tail.contains(':');
    matches!(separator, '-' | '/' | '.') && second == separator && !after.is_alphanumeric() | (after == 'T') && {
        timed || level_within(tail) || is_clock(tail.trim_start_matches([' ', '-', ',']))
    }
}

/// The character after a number of up to `most` digits, and what follows.
fn number(text: &str, most: usize) -> Option<(char, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > most {
        return None;
    }
    let after = text[digits..].chars().next()?;
    Some((after, &text[digits + after.len_utf8()..]))
}

const MONTHS: &[&str] = &["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAYS: &[&str] = &["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// `Oct/`, `Oct-`: a month inside a date.
fn month(text: &str) -> Option<(char, &str)> {
    let name = MONTHS.iter().find(|name| text.starts_with(**name))?;
    let after = text[name.len()..].chars().next()?;
    Some((after, &text[name.len() + after.len_utf8()..]))
}

/// `Dec 10 06:55:46`, `Sun Dec 04 04:47:44 2005`, with or without the year before the time.
fn is_month_first(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace().peekable();
    if words.peek().is_some_and(|word| DAYS.contains(&word.trim_end_matches(','))) {
        words.next();
    }
    if !words.next().is_some_and(|word| MONTHS.contains(&word)) {
        return false;
    }
    let day = words.next().unwrap_or_default().trim_end_matches(',');
    let is_day = (1..=2).contains(&day.len()) && day.bytes().all(|byte| byte.is_ascii_digit());
    is_day && words.take(2).any(is_clock)
}

/// `10:00`, `10:00:00`, `10:00:00.123`, followed by no letter.
fn is_clock(text: &str) -> bool {
    let bytes = text.as_bytes();
    let hour = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let minute = |at: usize| {
        bytes.get(at) == Some(&b':')
            && bytes.get(at + 1..at + 3).is_some_and(|two| two.iter().all(u8::is_ascii_digit))
            && !bytes.get(at + 3).is_some_and(u8::is_ascii_digit)
    };
    if !(1..=2).contains(&hour) || !minute(hour) {
        return false;
    }
    // Hours and minutes alone also stand in prose: seconds, a bracket or a level must follow.
    minute(hour + 3)
        || bytes.get(hour + 3).is_some_and(|byte| matches!(byte, b']' | b')' | b'|'))
        || level_within(&text[hour + 3..])
}

/// `1700000000.123`, and `    0.000000]` of a kernel.
fn is_seconds(text: &str) -> bool {
    let text = text.trim_start_matches(' ');
    let whole = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &text[whole..];
    let fraction = rest.strip_prefix('.').map(|rest| rest.bytes().take_while(u8::is_ascii_digit).count());
    match fraction {
        Some(digits) => digits >= 3 && whole > 0 && rest[1 + digits..].starts_with([']', ' ', ':']),
        None => (10..=13).contains(&whole) && rest.starts_with([' ', ']', ',', '\t']),
    }
}

/// `081109 203615 148 INFO`.
fn is_packed(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace();
    let six = |word: Option<&str>| word.is_some_and(|w| w.len() == 6 && w.bytes().all(|byte| byte.is_ascii_digit()));
    six(words.next()) && six(words.next())
}

const LEVELS: &[&str] =
    &["TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "ERR", "FATAL", "CRITICAL", "SEVERE", "PANIC"];

/// A level as a word of its own: in capitals, or in brackets or before a colon in any letter case.
fn is_level(line: &str) -> bool {
    let bracketed = line.starts_with(['[', '<']);
    let inner = line.trim_start_matches(['[', '<']);
    let word = &inner[..inner.bytes().take_while(u8::is_ascii_alphabetic).count()];
    let after = inner[word.len()..].chars().next();
    let marked = bracketed || after == Some(':');
    let named = LEVELS.iter().any(|level| if marked { level.eq_ignore_ascii_case(word) } else { *level == word });
    (named && after.is_some_and(|c| !c.is_alphanumeric())) || is_glog(line)
}

/// `I0102 15:04:05.678901`.
fn is_glog(line: &str) -> bool {
    let bytes = line.as_bytes();
    bytes.len() > 6
        && matches!(bytes[0], b'I' | b'W' | b'E' | b'F')
        && bytes[1..5].iter().all(u8::is_ascii_digit)
        && bytes[5] == b' '
        && is_clock(&line[6..])
}

fn level_within(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphabetic()).take(6).any(|word| LEVELS.contains(&word))
}

/// `time=`, `level=` and the like.
fn is_field(text: &str) -> bool {
    ["time=", "ts=", "timestamp=", "level=", "lvl=", "date="].iter().any(|name| text.starts_with(name))
}

/// `127.0.0.1 - - [10/Oct/2000:13:55:36 -0700]` of a web server.
fn is_access(line: &str) -> bool {
    line.find('[').is_some_and(|at| {
        let before = line[..at].split_ascii_whitespace().count();
        (3..=4).contains(&before) && number(&line[at + 1..], 2).is_some_and(|(slash, _)| slash == '/')
    })
}

/// A line of JSON with a time or a level.
fn is_object(line: &str) -> bool {
    line.starts_with("{\"") && ["time", "ts", "level", "msg", "message", "date"].iter().any(|name| line.contains(name))
}

#[cfg(test)]
mod tests {
    use super::begins_entry;

    #[test]
    fn entries_of_many_programs() {
        for line in [
            "2024-05-01 10:00:00,123 ERROR x",
            "2024-05-01T10:00:00.000Z x",
            "2024/05/01 10:00:00 [error] 123#0: x",
            "17/06/09 20:10:40 INFO executor: x",
            "[2024-05-01 10:00:00] x",
            "[01.05.2024 10:00:00] x",
            "081109 203615 148 INFO dfs: x",
            "Dec 10 06:55:46 LabSZ sshd[24200]: x",
            "[Sun Dec 04 04:47:44 2005] [notice] x",
            "10:00:00.123 [main] INFO x",
            "10:00 INFO x",
            "[10:00] x",
            "[   12.345678] usb 1-1: x",
            "1700000000.123 x",
            "INFO: x",
            "[warn] x",
            "ERROR x",
            "I0102 15:04:05.678901 1 main.go:1] x",
            "127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.0\" 200 5",
            "time=2024 level=info msg=x",
            "{\"ts\":1,\"level\":\"info\"}",
        ] {
            assert!(begins_entry(line), "{line}");
        }
    }

    #[test]
    fn lines_that_go_on() {
        for line in [
            "",
            "\tat a.b.C(D.java:1)",
            "Caused by: x",
            "Traceback (most recent call last):",
            "10 apples",
            "10:30 is early",
            "3.5 percent",
            "May 5 was late.",
            "Information is free",
            "error in line 3",
            "1. item",
            "12/24 is a fraction",
            "(see above)",
            "{\"a\":1}",
        ] {
            assert!(!begins_entry(line), "{line}");
        }
    }
}
