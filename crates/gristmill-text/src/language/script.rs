//! Scripts, as far as they tell languages apart.

/// A script. Those of [`Script::has_words`] are used by several languages, which words tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Cyrillic,
    Arabic,
    Hebrew,
    Devanagari,
    Bengali,
    Han,
    Kana,
    Hangul,
    Greek,
    Armenian,
    Georgian,
    Gurmukhi,
    Gujarati,
    Tamil,
    Telugu,
    Kannada,
    Malayalam,
    Sinhala,
    Thai,
    Lao,
    Myanmar,
    Khmer,
}

impl Script {
    pub(super) const COUNT: usize = Self::ALL.len();

    pub(super) const ALL: [Self; 23] = [
        Self::Latin,
        Self::Cyrillic,
        Self::Arabic,
        Self::Hebrew,
        Self::Devanagari,
        Self::Bengali,
        Self::Han,
        Self::Kana,
        Self::Hangul,
        Self::Greek,
        Self::Armenian,
        Self::Georgian,
        Self::Gurmukhi,
        Self::Gujarati,
        Self::Tamil,
        Self::Telugu,
        Self::Kannada,
        Self::Malayalam,
        Self::Sinhala,
        Self::Thai,
        Self::Lao,
        Self::Myanmar,
        Self::Khmer,
    ];

    /// The script of a letter or of a sign that belongs to one; `None` for what divides words.
    pub(super) fn of(c: char) -> Option<Self> {
        let script = match c {
            'a'..='z' | 'A'..='Z' => return Some(Self::Latin),
            '\0'..='\u{bf}' | '×' | '÷' => return None,
            '\u{c0}'..='\u{24f}' | '\u{300}'..='\u{36f}' | '\u{1e00}'..='\u{1eff}' => Self::Latin,
            '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Self::Greek,
            '\u{400}'..='\u{52f}' => Self::Cyrillic,
            '\u{531}'..='\u{587}' => Self::Armenian,
            '\u{5d0}'..='\u{5ea}' => Self::Hebrew,
            '\u{620}'..='\u{65f}' | '\u{66e}'..='\u{6d3}' | '\u{200c}' => Self::Arabic,
            '\u{900}'..='\u{963}' => Self::Devanagari,
            '\u{980}'..='\u{9e3}' => Self::Bengali,
            '\u{a00}'..='\u{a7f}' => Self::Gurmukhi,
            '\u{a80}'..='\u{aff}' => Self::Gujarati,
            '\u{b80}'..='\u{bff}' => Self::Tamil,
            '\u{c00}'..='\u{c7f}' => Self::Telugu,
            '\u{c80}'..='\u{cff}' => Self::Kannada,
            '\u{d00}'..='\u{d7f}' => Self::Malayalam,
            '\u{d80}'..='\u{dff}' => Self::Sinhala,
            '\u{e01}'..='\u{e4e}' => Self::Thai,
            '\u{e81}'..='\u{ece}' => Self::Lao,
            '\u{1000}'..='\u{109f}' => Self::Myanmar,
            '\u{10a0}'..='\u{10ff}' => Self::Georgian,
            '\u{1780}'..='\u{17d3}' => Self::Khmer,
            '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' => Self::Kana,
            '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' => Self::Han,
            '\u{ac00}'..='\u{d7a3}' => Self::Hangul,
            _ => return None,
        };
        Some(script)
    }

    /// True where words lie between spaces and several languages share the script.
    pub(super) fn has_words(self) -> bool {
        self.language().is_none() && self != Self::Kana
    }

    /// The one language of a script.
    pub(super) fn language(self) -> Option<&'static str> {
        Some(match self {
            Self::Latin | Self::Cyrillic | Self::Arabic | Self::Hebrew | Self::Devanagari | Self::Bengali => {
                return None;
            }
            Self::Kana => return None,
            Self::Han => "zh",
            Self::Hangul => "ko",
            Self::Greek => "el",
            Self::Armenian => "hy",
            Self::Georgian => "ka",
            Self::Gurmukhi => "pa",
            Self::Gujarati => "gu",
            Self::Tamil => "ta",
            Self::Telugu => "te",
            Self::Kannada => "kn",
            Self::Malayalam => "ml",
            Self::Sinhala => "si",
            Self::Thai => "th",
            Self::Lao => "lo",
            Self::Myanmar => "my",
            Self::Khmer => "km",
        })
    }
}
