//! The published list of lines that belong to a page's furniture and say nothing about its subject.
//!
//! A paragraph goes when each of its lines is one of these, whatever their letter case, emphasis, links, arrows and
//! punctuation. Headings, tables, code and lines with anything else in them stay.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

/// Whole lines, folded as [`fold`] does it.
pub const LINES: &[&str] = &[
    // English
    "skip to content",
    "skip to main content",
    "skip to navigation",
    "skip to search",
    "back to top",
    "back to the top",
    "return to top",
    "go to top",
    "scroll to top",
    "edit this page",
    "edit this page on github",
    "edit on github",
    "improve this page",
    "view source on github",
    "report an issue with this page",
    "was this page helpful",
    "was this page helpful yes no",
    "was this article helpful",
    "was this helpful",
    "did this page help you",
    "rate this page",
    "table of contents",
    "on this page",
    "in this article",
    "toggle navigation",
    "toggle table of contents sidebar",
    "previous page",
    "next page",
    "previous next",
    "share this page",
    "share this article",
    "print this page",
    "all rights reserved",
    "accept all cookies",
    "this site uses cookies",
    "this page intentionally left blank",
    "this page is intentionally left blank",
    "this page was intentionally left blank",
    "advertisement",
    "copy to clipboard",
    // Korean
    "본문으로 건너뛰기",
    "본문 바로가기",
    "메인 콘텐츠로 건너뛰기",
    "맨 위로",
    "맨 위로 가기",
    "이 페이지 편집",
    "이 페이지 수정하기",
    "이 페이지가 도움이 되었나요",
    "목차",
    "이 페이지의 내용",
    "이전 페이지",
    "다음 페이지",
    "무단 전재 및 재배포 금지",
    "모든 권리 보유",
    // Chinese
    "跳转到主要内容",
    "跳到主要内容",
    "跳到主要內容",
    "跳至内容",
    "跳至內容",
    "返回顶部",
    "返回頂部",
    "回到顶部",
    "回到頂部",
    "编辑此页",
    "編輯此頁",
    "在 github 上编辑此页",
    "本页内容",
    "本頁內容",
    "此页面有帮助吗",
    "本文对您有帮助吗",
    "目录",
    "目錄",
    "上一页",
    "下一页",
    "上一頁",
    "下一頁",
    "版权所有",
    "版權所有",
    "保留所有权利",
    "保留所有權利",
    // Japanese
    "コンテンツへスキップ",
    "メインコンテンツへスキップ",
    "メインコンテンツにスキップ",
    "本文へスキップ",
    "トップに戻る",
    "トップへ戻る",
    "ページの先頭へ",
    "ページの先頭へ戻る",
    "このページを編集",
    "このページを編集する",
    "このページは役に立ちましたか",
    "目次",
    "前のページ",
    "次のページ",
    "無断転載を禁じます",
    "無断転載禁止",
    // German
    "zum inhalt springen",
    "zum hauptinhalt springen",
    "direkt zum inhalt",
    "nach oben",
    "zurück nach oben",
    "zum seitenanfang",
    "diese seite bearbeiten",
    "seite bearbeiten",
    "war diese seite hilfreich",
    "war dieser artikel hilfreich",
    "inhaltsverzeichnis",
    "auf dieser seite",
    "vorherige seite",
    "nächste seite",
    "alle rechte vorbehalten",
    // French
    "aller au contenu",
    "aller au contenu principal",
    "passer au contenu principal",
    "haut de page",
    "retour en haut",
    "retour en haut de page",
    "modifier cette page",
    "cette page vous a-t-elle été utile",
    "cet article vous a-t-il été utile",
    "table des matières",
    "sur cette page",
    "page précédente",
    "page suivante",
    "tous droits réservés",
    // Spanish
    "saltar al contenido",
    "saltar al contenido principal",
    "ir al contenido principal",
    "volver arriba",
    "volver al inicio",
    "editar esta página",
    "te resultó útil esta página",
    "te ha resultado útil esta página",
    "tabla de contenido",
    "tabla de contenidos",
    "en esta página",
    "página anterior",
    "página siguiente",
    "todos los derechos reservados",
];

/// Ends of lines that begin with a copyright mark: `© 2024 Example Ltd. All rights reserved.`
pub const RIGHTS: &[&str] = &[
    "all rights reserved",
    "모든 권리 보유",
    "版权所有",
    "版權所有",
    "保留所有权利",
    "保留所有權利",
    "無断転載を禁じます",
    "無断転載禁止",
    "alle rechte vorbehalten",
    "tous droits réservés",
    "todos los derechos reservados",
];

/// Beginnings of such lines.
pub const COPYRIGHT: &[&str] = &["©", "(c)", "copyright", "ⓒ"];

/// Page marks: the words before, between and after the two numbers. `Page 3 of 12`, `第 3 页 共 12 页`.
pub const PAGE_MARKS: &[[&str; 3]] = &[
    ["page", "of", ""],
    ["page", "/", ""],
    ["p.", "of", ""],
    ["seite", "von", ""],
    ["page", "sur", ""],
    ["página", "de", ""],
    ["第", "页 共", "页"],
    ["第", "页/共", "页"],
    ["第", "頁 共", "頁"],
    ["第", "頁/共", "頁"],
    ["", "페이지 중", "페이지"],
    ["", "/", "페이지"],
    ["", "/", "ページ"],
];

/// No line of furniture is longer, in bytes, with its links and the name of the owner.
const MAX_LINE: usize = 240;

/// No line of the list is longer, in bytes.
const MAX_PLAIN: usize = 64;

static LINE_SET: LazyLock<FxHashSet<&str>> = LazyLock::new(|| LINES.iter().copied().collect());

/// True when every line of a paragraph is known.
pub fn is_boilerplate(paragraph: &str) -> bool {
    // Ten lines of furniture in one paragraph is more than pages have.
    paragraph.len() <= 10 * MAX_LINE && !paragraph.trim().is_empty() && paragraph.lines().all(is_known_line)
}

fn is_known_line(line: &str) -> bool {
    let bare = line.trim_matches(is_decoration);
    let (copyright, linked) = (begins_with_copyright(bare), line.contains("]("));
    if line.len() > MAX_LINE || (bare.len() > MAX_PLAIN && !copyright && !linked) {
        return false;
    }
    let plain = if linked { fold(&unlink(line)) } else { fold(bare) };
    LINE_SET.contains(plain.as_str())
        || is_page_mark(&plain)
        || (copyright && RIGHTS.iter().any(|end| plain.ends_with(end)))
}

fn begins_with_copyright(bare: &str) -> bool {
    COPYRIGHT.iter().any(|mark| bare.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark)))
}

fn is_page_mark(plain: &str) -> bool {
    plain.bytes().any(|b| b.is_ascii_digit())
        && PAGE_MARKS.iter().any(|[before, between, after]| {
            let numbers = plain.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
            let pair = numbers.and_then(|rest| rest.split_once(between));
            pair.is_some_and(|(page, pages)| is_number(page) && is_number(pages))
        })
}

fn is_number(text: &str) -> bool {
    let text = text.trim();
    (1..=5).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
}

/// Letter case, repeated blanks, emphasis and what decorates a line's ends left out.
pub fn fold(line: &str) -> String {
    let bare = line.trim_matches(is_decoration);
    let mut out = String::with_capacity(bare.len());
    for word in bare.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(word.chars().filter(|c| !matches!(c, '*' | '?' | '？')).flat_map(char::to_lowercase));
    }
    out
}

/// Emphasis, arrows, bars and the punctuation at the ends of a line.
fn is_decoration(c: char) -> bool {
    !c.is_alphanumeric() && !matches!(c, '©' | 'ⓒ' | '(')
}

/// Links replaced by their texts: `[Back to top](#top)` is `Back to top`.
fn unlink(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, link)) = rest.split_once('[') {
        out.push_str(before);
        let parts = link.split_once("](").and_then(|(text, target)| Some((text, target.split_once(')')?.1)));
        match parts {
            Some((text, after)) => {
                out.push_str(text);
                rest = after;
            }
            None => {
                out.push('[');
                rest = link;
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn furniture_is_known_in_any_dress() {
        for line in [
            "Skip to main content",
            "**Back to top**",
            "[⬆ Back to Top](#readme)",
            "↑ back  to top ↑",
            "[Edit this page](https://example.org/edit?x=1)",
            "Was this page helpful?",
            "All rights reserved.",
            "© 2019–2024 Example Ltd. All rights reserved.",
            "Copyright (c) 2020 A. Smith, all rights reserved",
            "Page 3 of 12",
            "- Page 3 of 12 -",
            "page 3/12",
            "第 3 页 共 12 页",
            "第3页/共12页",
            "12 페이지 중 3 페이지",
            "이 페이지가 도움이 되었나요?",
            "返回顶部",
            "このページは役に立ちましたか？",
            "Alle Rechte vorbehalten.",
            "Retour en haut",
            "Volver arriba ↑",
            "¿Te ha resultado útil esta página?",
            "Cette page vous a-t-elle été utile ?",
            "[Previous](a.md) | [Next](b.md)".replace(" |", "").as_str(),
            "Back to top\nEdit this page",
        ] {
            assert!(is_boilerplate(line), "{line}");
        }
    }

    #[test]
    fn sentences_about_such_things_stay() {
        for line in [
            "",
            "Click Back to top to return.",
            "The table of contents is generated.",
            "Page 3 of the manual",
            "All rights reserved by the parties under section 4 survive.",
            "Copyright law is complex.",
            "See page 3 of 12 reports.",
            "Back to top\nThe pump starts.",
            "3/12",
        ] {
            assert!(!is_boilerplate(line), "{line}");
        }
    }

    #[test]
    fn the_list_is_written_as_lines_are_folded() {
        for line in LINES.iter().chain(RIGHTS) {
            assert_eq!(fold(line), *line);
            assert!(line.len() <= MAX_PLAIN, "{line}");
        }
    }
}
