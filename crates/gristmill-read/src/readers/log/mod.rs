//! Logs: every entry, with its continuation lines such as a stack trace, is a line of its own.

mod stamp;

use gristmill_core::{Attrs, BlockKind, Document, Input, Outcome, Reader, Result};

use crate::document::read_lines;
use crate::lines::Lines;
use crate::outline::Outline;

/// Reads logs.
pub struct Log;

impl Reader for Log {
    fn name(&self) -> &'static str {
        "log"
    }

    fn summary(&self) -> &'static str {
        "logs by entry, each with its continuation lines"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["log"]
    }

    fn read(&self, input: &Input<'_>) -> Result<Outcome<Document>> {
        read_lines(input, self.name(), |lines, outline| {
            entries(lines, outline);
            Attrs::new()
        })
    }
}

/// True when nearly all lines of `text` that stand at the margin begin with a time or a level.
pub(crate) fn fits(text: &str) -> bool {
    let lines = Lines::of(text);
    let Count { margin, stamped } = Count::of(&lines);
    stamped >= 4 && stamped * 10 >= margin * 7 && stamp::begins_entry(lines.get(lines.next_filled(0, lines.len())))
}

fn entries(lines: &Lines<'_>, outline: &mut Outline) {
    let Count { margin, stamped } = Count::of(lines);
    // Without stamps every line at the margin is an entry.
    let by_stamp = stamped >= 2 && stamped * 3 >= margin;
    let begins = |at: usize| {
        if by_stamp { stamp::begins_entry(lines.get(at)) } else { lines.indent(at) == 0 && !lines.is_blank(at) }
    };
    let mut from = lines.next_filled(0, lines.len());
    while from < lines.len() {
        let to = (from + 1..lines.len()).find(|&at| begins(at)).unwrap_or(lines.len());
        outline.block(BlockKind::Line, lines.visible(from, to));
        from = to;
    }
}

/// Lines at the margin, and those of them that begin with a time or a level.
struct Count {
    margin: usize,
    stamped: usize,
}

impl Count {
    fn of(lines: &Lines<'_>) -> Self {
        let mut count = Self { margin: 0, stamped: 0 };
        for at in (0..lines.len()).filter(|&at| lines.indent(at) == 0 && !lines.is_blank(at)) {
            count.margin += 1;
            count.stamped += usize::from(stamp::begins_entry(lines.get(at)));
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{read, shape};

    #[test]
    fn entries_keep_their_stack_traces() {
        let text = "2024-05-01 10:00:00,123 ERROR main - failed\njava.lang.Error: x\n\tat a.b(C.java:1)\n\n\tat a.c\n\
                    2024-05-01 10:00:01,000 INFO main - go on\n2024-05-01T10:00:02Z WARN x\n";
        let shown = shape(&read(&Log, text));
        let expected = "line \"2024-05-01 10:00:00,123 ERROR main - failed\\njava.lang.Error: x\\n\\tat a.b(C.java:1)\\n\\n\\tat a.c\"\n\
                        line \"2024-05-01 10:00:01,000 INFO main - go on\"\nline \"2024-05-01T10:00:02Z WARN x\"\n";
        assert_eq!(shown, expected);
    }

    #[test]
    fn lines_without_stamps_are_entries() {
        assert_eq!(
            shape(&read(&Log, "started\n  with a\nstopped\n")),
            "line \"started\\n  with a\"\nline \"stopped\"\n"
        );
    }

    #[test]
    fn what_comes_before_the_first_stamp_is_kept() {
        let document = read(&Log, "banner\n10:00:00 a\n10:00:01 b\n");
        assert_eq!(document.blocks.len(), 3);
    }

    #[test]
    fn logs_are_told_from_prose() {
        assert!(fits("Jan  1 00:00:00 h a\nJan  1 00:00:01 h b\nJan  1 00:00:02 h c\n  more\nJan  2 00:00:00 h d\n"));
        assert!(!fits(
            "In 2024-05-01 we met.\n1999 was a year.\nERRORS are human.\n10:30 is early.\nMay 5 was late.\n"
        ));
        assert!(!fits(""));
    }
}
