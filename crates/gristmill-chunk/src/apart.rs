//! Texts that are to be kept apart: pages, topics.

use gristmill_core::Measured;

use crate::border::{Border, Borders, Level};

/// Cuts at all `starts`, where nothing is merged over, and leaves the borders within a text that is larger than `max`.
/// `end` is that of the document's text.
pub fn apart(all: Borders, starts: &[u32], measured: &dyn Measured, end: usize, max: usize) -> Borders {
    let mut list = Vec::new();
    let mut inner = all.list.iter().copied().peekable();
    while let Some(before) = inner.next_if(|border| starts.first().is_none_or(|first| border.at < *first)) {
        list.push(before);
    }
    for (index, &start) in starts.iter().enumerate() {
        let next = starts.get(index + 1).map_or(end, |next| *next as usize);
        let own = inner.next_if(|border| border.at == start);
        let first = own.unwrap_or_else(|| Border::new(start as usize, Level::Apart));
        list.push(Border { level: Level::Apart, ..first });
        let opened = measured.size(start as usize..next) > max;
        while let Some(border) = inner.next_if(|border| (border.at as usize) < next) {
            if opened {
                list.push(border);
            }
        }
    }
    Borders { list, ..all }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use gristmill_core::Part;
    use std::ops::Range;

    /// A text in which every byte has the size 1.
    pub(crate) struct Bytes;

    impl Measured for Bytes {
        fn size(&self, range: Range<usize>) -> usize {
            range.len()
        }
        fn reach(&self, start: usize, max: usize) -> usize {
            start + max
        }
        fn content_size(&self, content: &str, _: &[Part]) -> usize {
            content.len()
        }
        fn is_exact(&self) -> bool {
            true
        }
    }

    fn borders(at: &[usize]) -> Borders {
        Borders { list: at.iter().map(|at| Border::new(*at, Level::Block)).collect(), ..Borders::default() }
    }

    #[test]
    fn only_large_texts_are_opened() {
        let found = apart(borders(&[0, 10, 20, 45, 60]), &[0, 30, 60], &Bytes, 70, 29);
        let shown: Vec<_> = found.list.iter().map(|border| (border.at, border.level == Level::Apart)).collect();
        // The first has 30 bytes and so has the second, which begins where no border was.
        assert_eq!(shown, [(0, true), (10, false), (20, false), (30, true), (45, false), (60, true)]);
        let found = apart(borders(&[0, 10, 20, 45, 60]), &[0, 30, 60], &Bytes, 70, 30);
        assert_eq!(found.list.iter().map(|border| border.at).collect::<Vec<_>>(), [0, 30, 60]);
    }

    #[test]
    fn what_stands_before_the_first_stays() {
        let found = apart(borders(&[0, 10]), &[10], &Bytes, 20, 100);
        assert_eq!(found.list.iter().map(|border| border.at).collect::<Vec<_>>(), [0, 10]);
    }
}
