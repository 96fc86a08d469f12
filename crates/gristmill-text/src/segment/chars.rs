//! What single characters mean to sentences and cuts.

/// Marks that end a sentence: ASCII, typographic, CJK, Arabic, Indic, Armenian, Ethiopic, Myanmar, Khmer.
pub(crate) fn is_terminator(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '‼' | '⁇' | '⁈' | '⁉') || is_wide_terminator(c)
}

/// Terminators that need no white space after them.
pub(crate) fn is_wide_terminator(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '．' | '।' | '॥' | '؟' | '۔' | '։' | '።' | '፧' | '፨' | '။' | '។' | '៕')
}

/// What may stand between a terminator and the white space after it: closing quotes, brackets and emphasis.
pub(crate) fn is_closer(c: char) -> bool {
    is_closing_bracket(c)
        || matches!(c, '"' | '\'' | '”' | '’' | '“' | '‘' | '»' | '«' | '›' | '‹' | '*' | '_' | '~' | '`')
}

/// Brackets that close, CJK quotes among them.
pub(crate) fn is_closing_bracket(c: char) -> bool {
    matches!(
        c,
        ')' | ']' | '}' | '」' | '』' | '】' | '）' | '》' | '〉' | '］' | '｝' | '〕' | '〗' | '〙' | '〟' | '｣'
    )
}

/// Brackets and quotes that open and nothing else.
pub(crate) fn is_opener(c: char) -> bool {
    matches!(
        c,
        '(' | '['
            | '{'
            | '„'
            | '‚'
            | '「'
            | '『'
            | '【'
            | '（'
            | '《'
            | '〈'
            | '［'
            | '｛'
            | '〔'
            | '〖'
            | '〘'
            | '〝'
            | '｢'
    )
}

/// Marks at which a clause ends.
pub(crate) fn is_clause_mark(c: char) -> bool {
    matches!(c, ',' | ';' | ':' | '—' | '、' | '､' | '，' | '；' | '：' | '،' | '؛' | '՝' | '፣' | '፤' | '၊' | '·')
}

/// Han, kana, bopomofo and full-width forms: scripts written without spaces, whose text needs none after a mark.
pub(crate) fn is_cjk(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{312f}' | '\u{3190}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff10}'..='\u{ff19}' | '\u{ff21}'..='\u{ff3a}'
        | '\u{ff41}'..='\u{ff5a}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{323af}')
}

/// Hangul syllables and jamo.
pub(crate) fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}' | '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}')
}

/// Thai letters, vowels, tone marks, digits and signs.
pub(crate) fn is_thai(c: char) -> bool {
    matches!(c, '\u{0e01}'..='\u{0e5b}')
}

/// Quotes that seldom open.
pub(super) fn is_closing_quote(c: char) -> bool {
    matches!(c, '”' | '’' | '»' | '›')
}

/// Thai and Lao vowels that are written before the consonant they belong to.
pub(crate) fn leads(c: char) -> bool {
    matches!(c, '\u{0e40}'..='\u{0e44}' | '\u{0ec0}'..='\u{0ec4}')
}

/// Signs that may not begin a line: Thai vowels and signs after their consonant, small kana, the long vowel mark.
pub(crate) fn trails(c: char) -> bool {
    matches!(
        c,
        '\u{0e30}'
            | '\u{0e32}'
            | '\u{0e33}'
            | '\u{0e2f}'
            | '\u{0e45}'
            | '\u{0e46}'
            | 'ー'
            | '々'
            | 'ゝ'
            | 'ゞ'
            | 'っ'
            | 'ゃ'
            | 'ゅ'
            | 'ょ'
            | 'ぁ'
            | 'ぃ'
            | 'ぅ'
            | 'ぇ'
            | 'ぉ'
            | 'ッ'
            | 'ャ'
            | 'ュ'
            | 'ョ'
            | 'ァ'
            | 'ィ'
            | 'ゥ'
            | 'ェ'
            | 'ォ'
    )
}

/// The character that begins at byte `at`; none at the end of the text or off a border.
pub(super) fn char_at(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

/// The character that ends at byte `at`.
pub(super) fn char_before(text: &str, at: usize) -> Option<char> {
    text.get(..at)?.chars().next_back()
}

/// The last character border at or before `at`.
pub(super) fn floor_char(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}

/// The first position at or after `at` that is not white space.
pub(super) fn skip_white(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = at;
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\n' | b'\t' | b'\r' | 0x0b | 0x0c) => at += 1,
            Some(b) if *b >= 0x80 => match char_at(text, at) {
                Some(c) if c.is_whitespace() => at += c.len_utf8(),
                _ => return at,
            },
            _ => return at,
        }
    }
}
