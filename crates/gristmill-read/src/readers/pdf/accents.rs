//! Letters that a file draws as an accent and a letter under it: TeX's older fonts have no others.

/// Accents as characters of their own, each with letters and what they are with it.
const TABLE: &[(char, &str)] = &[
    ('¨', "aäeëiïıïoöuüyÿAÄEËIÏOÖUÜ"),
    ('´', "aáeéiíıíoóuúyýcćnńsśzźAÁEÉIÍOÓUÚYÝCĆNŃSŚZŹ"),
    ('˘', "aăgğuŭAĂGĞUŬ"),
    ('ˇ', "cčdďeěnňrřsštťzžCČDĎEĚNŇRŘSŠTŤZŽ"),
    ('˚', "aåuůAÅUŮ"),
    ('˝', "oőuűOŐUŰ"),
    ('¸', "cçsşCÇSŞ"),
];

/// The letter with the accent that stands before it.
pub(super) fn accented(accent: char, letter: char) -> Option<char> {
    let (_, pairs) = TABLE.iter().find(|(own, _)| *own == accent)?;
    let mut pairs = pairs.chars();
    while let (Some(plain), Some(whole)) = (pairs.next(), pairs.next()) {
        if plain == letter {
            return Some(whole);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_go_on_their_letters() {
        assert_eq!(accented('¨', 'ı'), Some('ï'));
        assert_eq!(accented('˘', 'g'), Some('ğ'));
        assert_eq!(accented('¨', 'x'), None);
        assert_eq!(accented('a', 'a'), None);
        // Every entry is a pair.
        assert!(TABLE.iter().all(|(_, pairs)| pairs.chars().count() % 2 == 0));
    }
}
