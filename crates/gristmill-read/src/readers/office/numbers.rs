//! Numbers as documents write them.

/// A number of a list in one of the formats of numberings; in digits where the format is not known.
pub(super) fn written(number: u64, format: &str) -> String {
    match format {
        "lowerLetter" | "alphaLc" => letters(number, b'a'),
        "upperLetter" | "alphaUc" => letters(number, b'A'),
        "lowerRoman" | "romanLc" => roman(number).to_lowercase(),
        "upperRoman" | "romanUc" => roman(number),
        "decimalZero" => format!("{number:02}"),
        "none" => String::new(),
        _ => number.to_string(),
    }
}

/// a, b, …, z, aa, bb, …
fn letters(number: u64, first: u8) -> String {
    let Some(index) = number.checked_sub(1) else { return "0".into() };
    let times = usize::try_from(index / 26 + 1).unwrap_or(1).min(30);
    let letter = char::from(first + u8::try_from(index % 26).unwrap_or(0));
    std::iter::repeat_n(letter, times).collect()
}

fn roman(number: u64) -> String {
    const SIGNS: [(u64, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    if number == 0 || number > 9999 {
        return number.to_string();
    }
    let (mut rest, mut out) = (number, String::new());
    for (value, sign) in SIGNS {
        while rest >= value {
            out.push_str(sign);
            rest -= value;
        }
    }
    out
}

/// A stored number as people write it: rounded to 15 digits, which hides the noise of its storage.
pub(super) fn shown(text: &str) -> String {
    let long = text.len() > 15 && text.contains(['.', 'e', 'E']);
    let Some(value) = text.parse::<f64>().ok().filter(|value| long && value.is_finite()) else {
        return text.to_owned();
    };
    rounded(value)
}

/// A number rounded to 15 digits.
pub(super) fn rounded(value: f64) -> String {
    let rounded: f64 = format!("{value:.14e}").parse().unwrap_or(value);
    let size = rounded.abs();
    if size != 0.0 && !(1e-6..1e15).contains(&size) { format!("{rounded:e}") } else { rounded.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_many_ways() {
        assert_eq!(written(1994, "upperRoman"), "MCMXCIV");
        assert_eq!(written(4, "lowerRoman"), "iv");
        assert_eq!([1, 26, 27, 28].map(|n| written(n, "lowerLetter")), ["a", "z", "aa", "bb"]);
        assert_eq!(written(7, "decimalZero"), "07");
        assert_eq!(written(0, "upperLetter"), "0");
    }

    #[test]
    fn numbers_lose_the_noise_of_their_storage() {
        assert_eq!(shown("0.30000000000000004"), "0.3");
        assert_eq!(shown("123456.789"), "123456.789");
        assert_eq!(shown("12345678901234567890"), "12345678901234567890");
        assert_eq!(shown("1.2345678901234567E-20"), "1.23456789012346e-20");
    }
}
