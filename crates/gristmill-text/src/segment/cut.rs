//! Where to cut a sentence that is too large for its place.

use unicode_segmentation::UnicodeSegmentation;

use super::chars::{
    char_at, char_before, floor_char, is_cjk, is_clause_mark, is_closer, is_closing_bracket, is_closing_quote,
    is_opener, is_terminator, leads, trails,
};
use super::grapheme::{floor_from, is_border};
use super::word;

/// How far to look past the limit to see where a word ends.
const WORD_AHEAD: usize = 64;

/// Where to cut a sentence that begins at `start` and is too large: the best `p` with `start < p <= limit`.
///
/// In this order: after a mark that ends a sentence or clause, then after a weaker mark (comma, dash, closing bracket) or before an opening bracket, then
/// after white space, each if one lies in the last half of the range; at a word border (UAX 29); at a grapheme border.
/// White space belongs before the cut; no piece begins with closing punctuation if another place is left. `start` must
/// be a grapheme border. Positions are bytes.
///
/// Always makes progress. When one grapheme cluster alone passes the limit, it is cut at the last character border up
/// to `limit`; when one character does, the result is its end, past the limit.
pub fn best_break(text: &str, start: usize, limit: usize) -> usize {
    let start = floor_char(text, start.min(text.len()));
    if limit >= text.len() {
        return text.len();
    }
    let limit = floor_char(text, limit);
    if limit <= start {
        return start + char_at(text, start).map_or(0, char::len_utf8);
    }
    let range = Range { text, start, half: start + (limit - start) / 2, limit };
    range
        .after_mark()
        .or_else(|| range.after_white())
        .or_else(|| range.at_word())
        .unwrap_or_else(|| range.at_grapheme())
}

/// The part of the text in which to cut.
struct Range<'t> {
    text: &'t str,
    start: usize,
    half: usize,
    limit: usize,
}

/// How good a place after a mark is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Weak,
    Strong,
}

impl Range<'_> {
    /// The last place after a strong mark in the last half, else after a weak one.
    fn after_mark(&self) -> Option<usize> {
        let from = floor_char(self.text, self.half.saturating_sub(1).max(self.start));
        let mut weak = None;
        for (i, c) in self.text.get(from..self.limit)?.char_indices().rev() {
            let at = from + i;
            let Some(rank) = self.mark_rank(at, c) else { continue };
            if rank == Rank::Weak && weak.is_some() {
                continue;
            }
            let place = if is_opener(c) { self.before_opener(at) } else { self.settle(at + c.len_utf8()) };
            let Some(place) = place else { continue };
            match rank {
                Rank::Strong => return Some(place),
                Rank::Weak => weak = Some(place),
            }
        }
        weak
    }

    /// What the mark `c` at `at` is worth, judged by its neighbours.
    fn mark_rank(&self, at: usize, c: char) -> Option<Rank> {
        if is_opener(c) {
            return Some(Rank::Weak);
        }
        if !(is_clause_mark(c) || is_terminator(c) || is_closing_bracket(c) || c == '–' || c == '-') {
            return None;
        }
        let before = char_before(self.text, at)?;
        let after = char_at(self.text, at + c.len_utf8())?;
        let open = after.is_whitespace() || is_closer(after);
        match c {
            '.' if open && before.is_alphabetic() => Some(self.period_rank(at)),
            '!' | '?' | ';' | ':' if open => Some(Rank::Strong),
            '.' | '!' | '?' | ';' | ':' => None,
            ',' | '，' => (!(before.is_numeric() && after.is_numeric())).then_some(Rank::Weak),
            '–' | '-' => (before.is_whitespace() && after.is_whitespace()).then_some(Rank::Weak),
            '；' | '؛' | '：' => Some(Rank::Strong),
            '．' | '…' => (!after.is_numeric()).then_some(Rank::Strong),
            _ if is_terminator(c) => Some(Rank::Strong),
            _ if is_closing_bracket(c) => (open || is_cjk(after)).then_some(Rank::Weak),
            _ => Some(Rank::Weak),
        }
    }

    /// The place for a cut before a bracket that opens at `at`, unless it is part of a word or link.
    fn before_opener(&self, at: usize) -> Option<usize> {
        let before = char_before(self.text, at)?;
        let free = before.is_whitespace() || is_cjk(before);
        (free && self.fits(at)).then_some(at)
    }

    /// A full stop after an ordinary word and before a capital most likely ends a sentence in a quotation.
    fn period_rank(&self, at: usize) -> Rank {
        let ordinary = word::kind(word::word_before(self.text, at)) == word::Kind::Plain;
        let rest = self.text.get(at + 1..).unwrap_or("").trim_start_matches([' ', '\n', '"', '”', '’', '\'']);
        if ordinary && rest.starts_with(|c: char| !c.is_lowercase()) { Rank::Strong } else { Rank::Weak }
    }

    /// The place for a cut after a mark that ends at `at`: past the closers and white space that follow.
    fn settle(&self, at: usize) -> Option<usize> {
        let mut place = at;
        while let Some(c) = char_at(self.text, place) {
            if !(is_terminator(c) || self.closes(place, c) || is_clause_mark(c)) {
                break;
            }
            place += c.len_utf8();
            if place > self.limit {
                return None;
            }
        }
        let white = self.text.get(place..self.limit)?;
        let place = self.limit - white.trim_start().len();
        self.fits(place).then_some(place)
    }

    /// Whether `c` at `at` closes what stands before it. Signs that may open as well close only at a word's end.
    fn closes(&self, at: usize, c: char) -> bool {
        is_closing_bracket(c)
            || is_closing_quote(c)
            || is_closer(c) && char_at(self.text, at + c.len_utf8()).is_none_or(|next| !next.is_alphanumeric())
    }

    /// After the last white space in the last half.
    fn after_white(&self) -> Option<usize> {
        let from = floor_char(self.text, self.half);
        let piece = self.text.get(from..self.limit)?;
        let (i, c) = piece.char_indices().rev().find(|(_, c)| c.is_whitespace())?;
        let place = from + i + c.len_utf8();
        self.fits(place).then_some(place)
    }

    /// At the last word border, kept clear of brackets and marks that would be torn off.
    fn at_word(&self) -> Option<usize> {
        let ahead = floor_char(self.text, (self.limit + WORD_AHEAD).min(self.text.len()));
        let piece = self.text.get(self.start..ahead)?;
        let borders = piece.split_word_bound_indices().map(|(i, _)| self.start + i);
        let place = borders.take_while(|&place| place <= self.limit).filter(|&place| self.is_clean(place)).last()?;
        self.fits(place).then_some(place)
    }

    /// Whether nothing that belongs together is torn apart at `place`.
    fn is_clean(&self, place: usize) -> bool {
        let (Some(before), Some(after)) = (char_before(self.text, place), char_at(self.text, place)) else {
            return false;
        };
        let torn = is_opener(before)
            || is_closing_bracket(after)
            || is_closing_quote(after)
            || is_clause_mark(after)
            || is_terminator(after)
            || after.is_whitespace()
            || matches!(before, '“' | '‘' | '«' | '¿' | '¡')
            || leads(before)
            || trails(after);
        !torn
    }

    /// The last grapheme border, or the last character border when there is none.
    fn at_grapheme(&self) -> usize {
        let place = floor_from(self.text, self.start, self.limit);
        if place > self.start { place } else { self.limit }
    }

    /// Whether a piece up to `place` has text and ends on a grapheme border.
    fn fits(&self, place: usize) -> bool {
        place > self.start
            && is_border(self.text, self.start, place)
            && self.text.get(self.start..place).is_some_and(|piece| !piece.trim_start().is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The piece before the cut, with the limit given in bytes.
    fn first(text: &str, limit: usize) -> &str {
        &text[..best_break(text, 0, limit)]
    }

    #[test]
    fn clause_mark_in_last_half_wins() {
        assert_eq!(first("one two three, four five six seven", 22), "one two three, ");
        assert_eq!(first("one, two three four five six seven", 22), "one, two three four ");
    }

    #[test]
    fn strong_mark_beats_a_later_comma() {
        assert_eq!(first("wait for the pump; then open, then close", 33), "wait for the pump; ");
    }

    #[test]
    fn comma_without_space_but_not_in_numbers() {
        assert_eq!(first("item1,item2,item3,item4", 16), "item1,item2,");
        assert_eq!(first("costs about 1,200,300 in all", 16), "costs about ");
    }

    #[test]
    fn before_an_opening_bracket() {
        assert_eq!(first("open the valve slowly (see below) and wait", 28), "open the valve slowly ");
        assert_eq!(first("please call reset(now) or", 20), "please call ");
        assert_eq!(first("打开阀门然后等待（看下面的图）", 33), "打开阀门然后等待");
    }

    #[test]
    fn chinese_clause() {
        let text = "先停止服务；然后复制文件然后接着检查";
        assert_eq!(first(text, 33), "先停止服务；");
        assert_eq!(first("他说：“先停止服务，”然后走了", 36), "他说：“先停止服务，”");
        assert_eq!(first("他说：“先停止服务，”然后走了", 30), "他说：“先停止服");
    }

    #[test]
    fn no_piece_begins_with_closing_marks() {
        let text = "共计一千二百条记录）。然后";
        for limit in 3..text.len() {
            let p = best_break(text, 0, limit);
            assert!(!text[p..].starts_with(['）', '。']), "limit {limit} cuts at {p}");
        }
    }

    #[test]
    fn word_is_not_split() {
        assert_eq!(first("foo_bar42-bazqux", 14), "foo_bar42-");
        assert_eq!(first("verylongword", 5), "veryl");
    }

    #[test]
    fn graphemes_stay_whole() {
        let text = "👨‍👩‍👧‍👦👨‍👩‍👧‍👦";
        assert_eq!(best_break(text, 0, 30), 25);
        assert_eq!(best_break(text, 0, 10), 7, "one cluster alone passes the limit");
    }

    #[test]
    fn flags_are_paired_from_the_start() {
        let text = "🇩🇪".repeat(10_000);
        assert_eq!(best_break(&text, 0, 79_996), 79_992);
    }

    #[test]
    fn always_makes_progress() {
        for text in
            ["", " ", "    ", "a", "é", "a\u{301}\u{301}\u{301}", "。。。。", "((((", ",,,,", "a b c d", "\r\n\r\n"]
        {
            for start in (0..text.len()).filter(|&i| text.is_char_boundary(i)) {
                for limit in 0..text.len() + 2 {
                    let p = best_break(text, start, limit);
                    assert!(p > start && text.is_char_boundary(p), "{text:?} {start} {limit} -> {p}");
                }
            }
        }
    }
}
