//! Random text: sentences in many scripts, and blocks of Markdown.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Sentences; `{}` becomes a word that hardly occurs twice.
const SENTENCES: &[&str] = &[
    "The pump of line {} runs at 3.5 bar, Dr. Smith said, and stops after 40% of the time.",
    "Install it with `npm i {}` and read the guide, which e.g. names all options (see below).",
    "Das Gerät {} wird vom 1. Januar an, z. B. im Werk, nur noch mit Prüfsiegel ausgeliefert.",
    "Nach dem Start von {} und",
    "退款 {} 将在3个工作日内，退回到原来的支付方式。",
    "请先阅读第{}章的说明；否则设备可能损坏！",
    "환불 {} 은 3일 이내에 처리되며 고객에게 안내됩니다.",
    "製品{}は、2024年の三月に発売される予定です。",
    "การคืนเงิน {} จะดำเนินการภายในสามวัน",
    "يتم استرداد المبلغ {} خلال ثلاثة أيام، ثم يصل إشعار.",
    "धनवापसी {} तीन दिनों में पूरी होती है।",
    "Возврат {} занимает три дня, после чего клиент получает письмо.",
    "We sent 👩‍👩‍👧‍👦 {} and 🏳️‍🌈 to the cafe\u{301} in Malmö",
    "is what {} does, of course, when nobody looks",
    "See https://example.org/a_({}) and [the docs](b.md) for more.",
    "Ask {}: why? \"Because,\" he said, \"it works.\"",
    "$5 for {}; 3. Results, v2.0.1 and 10,000 others...",
];

/// Lines of code.
const CODE: &[&str] = &[
    "let {} = f(a, b);",
    "    return {}(",
    "        x.y, \"{}\",",
    "    )",
    "make {} && \\",
    "# {}",
    "| {} | b |",
    "",
    "fn {}() {",
    "}",
    "- {}",
    "text {} that runs on as a sentence does.",
    "\t.map({})",
];

const WORDS: &[&str] = &["alpha", "port", "timeout", "größe", "值", "설정", "номер", "x1", "kilo", "वर्ग"];

/// Odd bits that splitters leave behind.
const BITS: &[&str] = &[
    "",
    " ",
    "\n",
    "\n\n",
    "\r\n",
    "\u{200b}",
    "\u{feff}",
    "\t",
    "\u{c}",
    "-",
    "|",
    "| a |",
    "|---|---|",
    "```",
    "~~~~",
    "````md",
    "---",
    "===",
    "#",
    "# ",
    "## Notes",
    "> ",
    "1.",
    "* ",
    "[x]",
    "[Guide > Install]",
    "</div>",
    "<!-- x -->",
    "e\u{301}",
    "\u{301}",
    "\u{200d}",
    "👩",
    "Page 3",
    "3",
    "and",
    "The",
    "的",
    "은",
    "…",
    "。",
    ".",
    ",",
    "(",
    ")",
    "**",
    "`",
    "Ã©tÃ©",
    "\u{fffd}",
    "{{< x >}}",
    ":::note",
    "infor-",
    "mation",
    "   \n   ",
    "    x = 1",
    "\\",
    "N/A",
    "TODO",
];

fn named(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    (select(texts), select(WORDS), any::<u16>()).prop_map(|(text, word, number)| {
        let name = format!("{word}{number}");
        text.replace("{}", &name)
    })
}

/// A few sentences, now and then over several lines.
pub fn paragraph() -> impl Strategy<Value = String> {
    (vec(named(SENTENCES), 1..5), select(&[" ", " ", "", "\n", "  \n"][..]), any::<bool>()).prop_map(
        |(sentences, between, wraps)| {
            let text = sentences.join(between);
            if wraps { text.replacen(" the ", " the\n", 3).replacen(", ", ",\n", 1) } else { text }
        },
    )
}

fn heading() -> impl Strategy<Value = String> {
    (1..5_usize, select(WORDS), any::<u8>(), any::<u8>()).prop_map(|(level, word, number, style)| match style % 5 {
        0 => format!("{word} {number}\n==="),
        1 => format!("{word} {number}\n-----"),
        2 => format!("{} {word} {number} ##", "#".repeat(level)),
        _ => format!("{} {word} {number}", "#".repeat(level)),
    })
}

fn list() -> impl Strategy<Value = String> {
    let mark = select(&["- ", "* ", "1. ", "2) ", "+ ", "- [ ] ", "• "][..]);
    let entry = (0..3_usize, named(SENTENCES), any::<bool>());
    (mark, vec(entry, 1..6), select(&["\n", "\n\n"][..])).prop_map(|(mark, entries, between)| {
        let line = |(depth, text, wraps): (usize, String, bool)| {
            let indent = "  ".repeat(depth);
            let text = if wraps { text.replacen(' ', &format!("\n{indent}  "), 1) } else { text };
            format!("{indent}{mark}{text}")
        };
        entries.into_iter().map(line).collect::<Vec<_>>().join(between)
    })
}

fn table() -> impl Strategy<Value = String> {
    (1..4_usize, 0..6_usize, any::<bool>(), any::<u16>()).prop_map(|(columns, rows, bars, seed)| {
        let row = |row: usize| {
            let cells: Vec<String> = (0..columns)
                .map(|column| format!("{}{}", WORDS[(row + column) % WORDS.len()], usize::from(seed) + row))
                .collect();
            if bars { format!("| {} |", cells.join(" | ")) } else { cells.join(" | ") }
        };
        let dashes = vec!["---"; columns].join("|");
        let dashes = if bars { format!("|{dashes}|") } else { dashes };
        let mut lines = vec![row(0), dashes];
        lines.extend((1..=rows).map(row));
        lines.join("\n")
    })
}

fn fence() -> impl Strategy<Value = String> {
    let mark = select(&["```", "````", "~~~", "~~~~~"][..]);
    let info = select(&["", "sh", "rust title=\"a b\"", "text", "md"][..]);
    let front = select(&["", "", "  ", "> "][..]);
    (mark, info, front, vec(named(CODE), 0..9), any::<u8>()).prop_map(|(mark, info, front, lines, ends)| {
        let mut all = vec![format!("{mark}{info}")];
        all.extend(lines);
        if ends % 8 > 0 {
            all.push(mark.to_owned());
        }
        all.iter().map(|line| format!("{front}{line}")).collect::<Vec<_>>().join("\n")
    })
}

fn quoted() -> impl Strategy<Value = String> {
    (paragraph(), select(&["> ", ">", "> > "][..]))
        .prop_map(|(text, mark)| text.lines().map(|line| format!("{mark}{line}")).collect::<Vec<_>>().join("\n"))
}

fn indented() -> impl Strategy<Value = String> {
    vec(named(CODE), 1..5)
        .prop_map(|lines| lines.iter().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n"))
}

/// One block.
pub fn block() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => paragraph(),
        2 => heading(),
        2 => list(),
        2 => table(),
        2 => fence(),
        1 => quoted(),
        1 => indented(),
        1 => select(&[
            "<div class=\"x\">\n<p>Words in a tag.</p>\n</div>",
            "***",
            "---\ntitle: x\n---",
            ":::note\nMind the gap.\n:::",
            "The infor-\nmation is   spread   over col-\numns.",
            "Page 3 of 9",
            "- [One](a.md)\n- [Two](b.md)\n- [Three](c.md)\n- [Four](d.md)\n- [Five](e.md)",
            "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23",
        ][..]).prop_map(str::to_owned),
    ]
}

/// Any text: blocks, bits and characters.
pub fn text() -> impl Strategy<Value = String> {
    let bit = prop_oneof![
        3 => select(BITS).prop_map(str::to_owned),
        2 => block(),
        1 => named(CODE),
        1 => "\\PC{0,8}",
    ];
    vec((bit, select(&["", " ", "\n", "\n\n", "\r\n"][..])), 0..5)
        .prop_map(|bits| bits.iter().flat_map(|(bit, after)| [bit.as_str(), after]).collect())
}

/// A document, with the line ends of one system.
pub fn document() -> impl Strategy<Value = String> {
    (vec((block(), select(&["\n\n", "\n\n", "\n", "\n\n\n"][..])), 1..9), 0..8_u8).prop_map(|(blocks, ends)| {
        let text: String = blocks.iter().flat_map(|(block, after)| [block.as_str(), after]).collect();
        if ends == 0 { text.replace('\n', "\r\n") } else { text }
    })
}
