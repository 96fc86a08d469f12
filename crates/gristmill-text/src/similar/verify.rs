//! The exact relation of two texts.

use std::ops::Range;

use super::shingles::shingles;

/// How one text is like another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Relation {
    /// The same up to white space.
    Equal,
    /// Much the same: the share of common shingles, 1 where only case, marks or spacing differ.
    Near {
        /// From the asked-for ratio to 1.
        ratio: f64,
    },
    /// One holds most of the other and much besides.
    Contained {
        /// The id of the text that is inside the other.
        inner: u64,
        /// The share of its shingles that the other holds, from 0.9 to 1.
        share: f64,
    },
}

/// The share of the inner text's shingles that makes it contained.
pub(super) const CONTAINED: f64 = 0.9;
/// Texts with fewer shingles are inside others by chance.
pub(super) const LEAST_INNER: usize = 16;

/// The bytes of two texts that a splitter put into both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// Of the first text.
    pub first: Range<usize>,
    /// Of the second text.
    pub second: Range<usize>,
}

/// What two texts are to each other, by shingles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Verdict {
    Near(f64),
    FirstInside(f64),
    SecondInside(f64),
}

/// The shingles of a text, each as often as it occurs, in rising order.
#[derive(Debug)]
pub(super) struct Bag {
    plain: Vec<u64>,
    masked: Vec<u64>,
}

impl Bag {
    pub(super) fn of(text: &str) -> Self {
        let mut bag = Self { plain: Vec::new(), masked: Vec::new() };
        bag.add(text);
        bag.sort();
        bag
    }

    /// The shingles of what is left of `text` without the bytes `range`.
    pub(super) fn without(text: &str, range: &Range<usize>) -> Self {
        let start = text.floor_char_boundary(range.start);
        let end = text.ceil_char_boundary(range.end).max(start);
        let mut bag = Self { plain: Vec::new(), masked: Vec::new() };
        bag.add(text.get(..start).unwrap_or_default());
        bag.add(text.get(end..).unwrap_or_default());
        bag.sort();
        bag
    }

    fn add(&mut self, text: &str) {
        shingles(text, |plain, masked| {
            self.plain.push(plain);
            self.masked.push(masked);
        });
    }

    fn sort(&mut self) {
        self.plain.sort_unstable();
        self.masked.sort_unstable();
    }

    pub(super) fn len(&self) -> usize {
        self.plain.len()
    }

    /// Compares. Nothing if the texts are neither alike nor one inside the other, or if they differ in numbers only.
    pub(super) fn verdict(&self, other: &Self, ratio: f64) -> Option<Verdict> {
        let (first, second) = (self.len(), other.len());
        let common = common(&self.plain, &other.plain);
        let smaller = first.min(second);
        if smaller == 0 {
            return None;
        }
        let similarity = share(common, first + second - common);
        let is_inside = share(common, smaller) >= CONTAINED && share(common, first.max(second)) < CONTAINED;
        let is_found = similarity >= ratio || (is_inside && smaller >= LEAST_INNER);
        if !is_found || self.differs_in_numbers_only(other, common, is_inside) {
            return None;
        }
        Some(match is_inside {
            false => Verdict::Near(similarity),
            true if first < second => Verdict::FirstInside(share(common, first)),
            true => Verdict::SecondInside(share(common, second)),
        })
    }

    /// Whether the texts, or the inner one and its place in the outer one, are the same once numbers are masked, and not
    /// before.
    fn differs_in_numbers_only(&self, other: &Self, plain: usize, is_inside: bool) -> bool {
        let all = if is_inside { self.len().min(other.len()) } else { self.len().max(other.len()) };
        plain < all && common(&self.masked, &other.masked) == all
    }
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

/// How many values two rising lists have in common, counting repeats.
fn common(left: &[u64], right: &[u64]) -> usize {
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    let mut count = 0;
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        match a.cmp(b) {
            std::cmp::Ordering::Less => drop(left.next()),
            std::cmp::Ordering::Greater => drop(right.next()),
            std::cmp::Ordering::Equal => {
                count += 1;
                left.next();
                right.next();
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(first: &str, second: &str) -> Option<Verdict> {
        let verdict = Bag::of(first).verdict(&Bag::of(second), 0.72);
        let turned = Bag::of(second).verdict(&Bag::of(first), 0.72).map(|verdict| match verdict {
            Verdict::Near(ratio) => Verdict::Near(ratio),
            Verdict::FirstInside(share) => Verdict::SecondInside(share),
            Verdict::SecondInside(share) => Verdict::FirstInside(share),
        });
        assert_eq!(verdict, turned, "{first} / {second}");
        verdict
    }

    #[test]
    fn the_ratio_is_common_shingles_by_all_shingles() {
        // 24 words, one of them different: 22 shingles each, 19 in common, 25 in all.
        let text = "open the inlet valve by hand before the pump is started again and wait until the green lamp of the panel has gone out";
        assert_eq!(text.split(' ').count(), 24);
        let other = text.replace("green", "yellow");
        assert_eq!(verdict(text, &other), Some(Verdict::Near(19.0 / 25.0)));
        let short = "open the inlet valve by hand before the pump is started";
        assert_eq!(verdict(short, &short.replace("inlet", "outlet")), None);
    }

    #[test]
    fn opposite_short_sentences_are_not_near_and_copies_are() {
        for (left, right) in [
            ("管理员可以允许访问该目录中的所有文件。", "管理员可以禁止访问该目录中的所有文件。"),
            (
                "系统允许访客在登录之前查看公开的项目列表和相关的说明文档。",
                "系统禁止访客在登录之前查看公开的项目列表和相关的说明文档。",
            ),
            ("このファイルへのアクセスは許可されています。", "このファイルへのアクセスは禁止されています。"),
            ("관리자는 이 폴더에 대한 접근을 허용합니다.", "관리자는 이 폴더에 대한 접근을 금지합니다."),
            ("อนุญาตให้เข้าถึงไฟล์ทั้งหมดในโฟลเดอร์นี้", "ห้ามเข้าถึงไฟล์ทั้งหมดในโฟลเดอร์นี้"),
            (
                "Guests may open the files in this folder at any time.",
                "Guests may not open the files in this folder at any time.",
            ),
        ] {
            assert_eq!(verdict(left, right), None, "{left}");
        }
        assert_eq!(verdict("管理员可以允许访问，该目录。", "管理员 可以允许访问该目录"), Some(Verdict::Near(1.0)));
        assert_eq!(verdict("كَتَبَ الوَلَدُ الدَّرْسَ", "كتب الولد الدرس"), Some(Verdict::Near(1.0)));
        assert_eq!(verdict("관리자는 이 폴더에", "관리자는이 폴더에!"), Some(Verdict::Near(1.0)));
    }

    #[test]
    fn reordered_words_are_not_the_same() {
        let left = "the dog bit the man and the man hit the dog with a stick";
        let right = "the man bit the dog and the dog hit the man with a stick";
        assert_eq!(verdict(left, right), None);
    }

    #[test]
    fn a_text_inside_another_is_contained() {
        let inner: String = (0..20).map(|n| format!("inner{n} ")).collect();
        let outer = format!("{inner} {}", (0..80).map(|n| format!("outer{n} ")).collect::<String>());
        assert_eq!(verdict(&inner, &outer), Some(Verdict::FirstInside(1.0)));
        assert_eq!(verdict(&inner.repeat(4), &inner), Some(Verdict::SecondInside(1.0)));
        assert_eq!(verdict("see the guide of the store", &format!("{outer} see the guide of the store")), None);
    }

    #[test]
    fn texts_that_differ_in_numbers_only_are_no_duplicates() {
        let entry = |day: u32, count: u32| {
            format!(
                "On {day} May the plant ran without a fault and the shift filled {count} bottles of the large kind, all of which went into the store by the evening of the same day"
            )
        };
        assert_eq!(verdict(&entry(3, 1200), &entry(17, 9)), None);
        let page =
            |day, count| format!("{} {}", entry(day, count), (0..50).map(|n| format!("other{n} ")).collect::<String>());
        assert_eq!(verdict(&entry(3, 1200), &page(3, 1200)), Some(Verdict::FirstInside(1.0)));
        assert_eq!(verdict(&entry(3, 1200), &page(17, 1200)), None);
    }

    #[test]
    fn what_a_splitter_repeated_is_left_out() {
        let (first, second) = ("a1 a2 a3 a4 b1 b2 b3", "b1 b2 b3 c1 c2 c3 c4");
        let (first, second) = (Bag::without(first, &(12..20)), Bag::without(second, &(0..8)));
        assert_eq!((first.len(), second.len()), (2, 2));
        assert_eq!(first.verdict(&second, 0.72), None);
        assert_eq!(Bag::without("é", &(1..9)).len(), 0);
    }
}
