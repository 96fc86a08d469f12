//! What other tools that check chunks get wrong, each with its right answer.

mod set;

use gristmill_lint::{LintCx, RULES, Safety};
use serde_json::{Value, json};
use set::{groups, run};

/// The findings of some rules, as `CHUNK RULE`.
fn found(chunks: &Value, rules: &[&str]) -> Vec<String> {
    let outcome = run(&groups(chunks), RULES, &LintCx::default(), Safety::Lossless);
    let name = |index: usize| chunks[index]["id"].as_str().map_or_else(|| index.to_string(), str::to_owned);
    let chosen = outcome.found.iter().filter(|(_, finding)| rules.is_empty() || rules.contains(&finding.rule));
    chosen.map(|(index, finding)| format!("{} {}", name(*index), finding.rule)).collect()
}

/// The texts after repair.
fn fixed(chunks: &Value) -> Vec<String> {
    let outcome = run(&groups(chunks), RULES, &LintCx::default(), Safety::Lossless);
    assert!(outcome.repaired.iter().all(|(_, group)| group.faults.is_empty()));
    assert!(outcome.left.iter().all(|finding| finding.repair.is_none()), "{:?}", outcome.left);
    outcome.pieces().iter().map(|piece| piece.text.clone()).collect()
}

/// Chunks of one source, named `a`, `b`, …
fn chunks(texts: &[&str]) -> Value {
    let names = "abcdefghij".chars();
    texts.iter().zip(names).map(|(text, id)| json!({ "id": id.to_string(), "text": text, "source": "s.md" })).collect()
}

const CUTS: &[&str] = &["mid-sentence-start", "mid-sentence-end", "split-word"];

#[test]
fn a_chunk_that_ends_with_an_ideographic_full_stop_is_finished() {
    let texts = ["公司第三季度的营业收入同比增长了百分之四十。", "成本在同一时期有所下降，低于去年的水平。"];
    assert!(found(&chunks(&texts), CUTS).is_empty());
}

#[test]
fn cut_starts_are_seen_in_chinese_korean_and_arabic() {
    for texts in [
        ["公司第三季度的营业收入同比增长了", "40%，超出了市场的预期。"],
        ["退款将在收到退货之后的", "3 个工作日内退回原来的支付账户。"],
        ["이번 분기의 매출은 지난해 같은 기간과 비교하여 40% 증가", "했으며 시장의 기대를 넘어섰습니다."],
        ["ارتفعت إيرادات الشركة في الربع الثالث من هذا العام بنسبة أربعين في المئة", "، متجاوزة بذلك توقعات السوق."],
    ] {
        assert_eq!(found(&chunks(&texts), &["mid-sentence-start"]), ["b mid-sentence-start"], "{texts:?}");
    }
}

#[test]
fn chinese_is_not_counted_in_words() {
    let texts =
        ["# 退款\n\n退款将在三个工作日内退回原来的支付账户。", "# 运费\n\n订单满一百元可以免除运费，偏远地区除外。"];
    assert!(found(&chunks(&texts), &["tiny-chunk"]).is_empty());
}

#[test]
fn tildes_and_halves_of_fences_are_seen() {
    let tildes = chunks(&[
        "Run this command first:\n\n~~~sh\ncd /srv/app && ls",
        "make all\n~~~\n\nThen log out of the machine.",
    ]);
    assert_eq!(found(&tildes, &["unclosed-fence"]), ["a unclosed-fence", "b unclosed-fence"]);
    let halves = chunks(&[
        "Run this command first:\n\n```sh\ncd /srv/app && ls",
        "make all\n```\n\nThen log out of the machine.",
    ]);
    assert_eq!(found(&halves, &["unclosed-fence"]), ["a unclosed-fence", "b unclosed-fence"]);
    let balanced = |text: &String| text.lines().filter(|line| line.starts_with("```")).count() % 2 == 0;
    assert!(fixed(&halves).iter().all(balanced));
}

#[test]
fn backticks_within_a_line_of_prose_open_nothing() {
    let texts =
        ["Three backticks (```) begin a code block in Markdown.", "Write ``` on a line of its own to end the block."];
    assert!(found(&chunks(&texts), &["unclosed-fence"]).is_empty());
}

#[test]
fn bars_in_code_and_prose_and_tables_without_outer_bars_are_no_broken_tables() {
    let texts = [
        "```js\nconst port = env.PORT || 8080\nif (a || b) start(port)\n```",
        "Choose yes | no | later in the dialogue, and press the key.",
        "The keys are these:\n\nKey | Value\n-|-\na | 1\nb | 2",
        "a || b is true when one of the two is true.",
    ];
    assert!(found(&chunks(&texts), &["orphan-table"]).is_empty());
}

#[test]
fn one_row_without_its_header_is_seen_also_beside_a_whole_table() {
    let head = "The limits are these:\n\n| Plan | Requests |\n|---|---|\n| small | 100 |";
    let one = chunks(&[head, "| large | 900 |"]);
    assert_eq!(found(&one, &["orphan-table"]), ["b orphan-table"]);
    let beside = "| large | 900 |\n\nAnd the prices:\n\n| Plan | Price |\n|---|---|\n| small | 1 |";
    let beside = chunks(&[head, beside]);
    assert_eq!(found(&beside, &["orphan-table"]), ["b orphan-table"]);
}

#[test]
fn bullets_references_years_and_hanging_hyphens_are_no_noise_of_pdf() {
    let texts = [
        "- first point of the list\n- second point of the list\n- third point",
        "See page 12 for the table of limits and the prices of the plans.",
        "2024\n\nThe year began with a storm that lasted for a week.",
        "The pre- and post-war buildings stand side by side in the old town.",
    ];
    let mut paged = chunks(&texts);
    for chunk in paged.as_array_mut().unwrap() {
        chunk["source"] = "scan.pdf".into();
        chunk["metadata"] = json!({ "page": 3 });
    }
    assert!(found(&paged, &["pdf-noise"]).is_empty());
}

#[test]
fn nothing_is_found_across_sources() {
    let one = json!([
        { "id": "a", "text": "After the third quarter of the year revenue grew by", "source": "a.md" },
        { "id": "b", "text": "40% year over year, beating all the forecasts.", "source": "b.md" }
    ]);
    assert!(found(&one, &["mid-sentence-start", "split-word", "orphan-table"]).is_empty());
    assert_eq!(fixed(&one).len(), 2);
}

#[test]
fn cuts_in_decimals_and_after_titles_are_seen() {
    let decimal = json!([
        { "id": "a", "text": "The value of pi is about 3.", "source": "s.md", "metadata": { "char_start": 0, "char_end": 27 } },
        { "id": "b", "text": "14 in all the tables of the book.", "source": "s.md", "metadata": { "char_start": 27, "char_end": 60 } }
    ]);
    assert_eq!(found(&decimal, CUTS), ["b split-word"]);
    let unknown = chunks(&["The value of pi in the first table of the book is about 3.", "14 in all the tables."]);
    assert_eq!(found(&unknown, CUTS), ["b mid-sentence-start"]);
    let title = chunks(&["The patient was examined in the morning by Dr.", "Smith, who found nothing unusual."]);
    assert_eq!(found(&title, CUTS), ["b mid-sentence-start"]);
    assert_eq!(fixed(&title), ["The patient was examined in the morning by Dr. Smith, who found nothing unusual."]);
}

#[test]
fn the_name_of_a_file_is_no_heading() {
    let one = json!([
        { "id": "a", "text": "The first chunk of a text that has no heading at all.", "metadata": { "file_name": "guide.md" } },
        { "id": "b", "text": "The second chunk of the text, which has none either.", "metadata": { "file_name": "guide.md" } }
    ]);
    let outcome = run(&groups(&one), RULES, &LintCx::default(), Safety::Lossless);
    assert!(outcome.found.iter().all(|(_, f)| f.rule != "missing-heading" || f.severity.name() == "info"));
    assert_eq!(
        fixed(&one),
        [
            "The first chunk of a text that has no heading at all.",
            "The second chunk of the text, which has none either."
        ]
    );
}

#[test]
fn containment_and_another_order_are_not_called_equal() {
    let inner =
        "The pump is cleaned twice a year by the technician, who takes out the filter and rinses it in warm water.";
    let outer = format!(
        "{inner} {}",
        "Afterwards the valve is opened a little and the pressure is read from the gauge at the side of the tank. "
            .repeat(3)
    );
    let held = json!([
        { "id": "a", "text": inner, "source": "a.md" },
        { "id": "b", "text": outer.trim(), "source": "b.md" }
    ]);
    let outcome = run(&groups(&held), RULES, &LintCx::default(), Safety::Lossless);
    let message = outcome.found.iter().find(|(_, f)| f.rule == "near-duplicate").map(|(_, f)| f.message.clone());
    assert!(message.is_some_and(|message| message.starts_with("stands within chunk `b`")));
    let order = json!([
        { "id": "a", "text": "The buyer pays the seller before the goods leave the harbour of the seller.", "source": "a.md" },
        { "id": "b", "text": "The seller pays the buyer before the harbour of the seller leaves the goods.", "source": "b.md" }
    ]);
    assert!(found(&order, &["near-duplicate", "exact-duplicate"]).is_empty());
}

#[test]
fn opposite_phrases_in_chinese_are_not_nearly_equal() {
    let opposite = json!([
        { "id": "a", "text": "系统管理员允许访问所有客户的数据。", "source": "a.md" },
        { "id": "b", "text": "系统管理员禁止访问所有客户的数据。", "source": "b.md" }
    ]);
    assert!(found(&opposite, &["near-duplicate", "exact-duplicate"]).is_empty());
}

#[test]
fn ten_thousand_alike_chunks_are_compared_without_comparing_all_pairs() {
    // 50 million pairs: all of them would take minutes, and the test would be noticed.
    let text = |n: usize| {
        format!("Restart gateway {n} after each change of the store of certificates, then wait for lamp {}.", n % 7)
    };
    let all: Value =
        (0..10_000).map(|n| json!({ "id": n.to_string(), "text": text(n), "source": format!("{n}.md") })).collect();
    let rules: Vec<_> = RULES.iter().copied().filter(|rule| rule.name.ends_with("-duplicate")).collect();
    let outcome = run(&groups(&all), &rules, &LintCx::default(), Safety::Lossless);
    assert!(outcome.found.is_empty(), "they differ in numbers only");
}
