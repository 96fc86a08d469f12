//! What values are apart by.

use super::records::records;

/// Delimiters, first those that are the least often something else.
const ALL: [u8; 4] = *b"\t;|,";

/// Bytes of the text that are looked at.
const SAMPLE: usize = 32 * 1024;

/// The delimiter by which most lines have the same number of values; with `tabs`, a tab where there is any.
pub(super) fn delimiter(text: &str, tabs: bool) -> u8 {
    let sample = sample(text);
    if tabs && sample.contains('\t') {
        return b'\t';
    }
    let mut best = (0.0, b',');
    for delimiter in ALL {
        let share = agreement(sample, delimiter);
        if share > best.0 + 0.01 {
            best = (share, delimiter);
        }
    }
    best.1
}

/// Whole lines from the start of the text.
fn sample(text: &str) -> &str {
    let Some(head) = text.as_bytes().get(..SAMPLE) else { return text };
    let end = memchr::memrchr(b'\n', head).or_else(|| memchr::memchr(b'\n', text.as_bytes()));
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// The share of records that have the most common number of values, if that is more than one.
fn agreement(sample: &str, delimiter: u8) -> f64 {
    let rows = records(sample, delimiter).rows;
    let mut lengths: Vec<usize> = rows.iter().map(Vec::len).collect();
    lengths.sort_unstable();
    let runs = lengths.chunk_by(|a, b| a == b).filter(|run| run[0] > 1);
    let most = runs.map(<[usize]>::len).max().unwrap_or(0);
    most as f64 / rows.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delimiter_makes_rows_of_one_length() {
        for (text, found) in [
            ("a,b\n1,2\n", b','),
            ("a;b\n1,5;2,5\n", b';'),
            ("1,5;2,5\n3,5;4,5\n", b';'),
            ("a\tb\n1, 2\t3\n", b'\t'),
            ("a|b|c\n1|2|3\n", b'|'),
            ("name,note\nAnn,\"a; b\"\nBo,\"c; d\"\n", b','),
            ("a,b,c\n1,2,3,4\n1,2,3,4\n", b','),
            ("words\nonly\n", b','),
            ("", b','),
        ] {
            assert_eq!(delimiter(text, false), found, "{text}");
        }
        assert_eq!(delimiter("a,b\tc\n", true), b'\t');
    }
}
