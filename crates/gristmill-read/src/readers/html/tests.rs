use gristmill_core::{Document, DocumentId, Input};
use proptest::prelude::*;

use super::*;

mod corpora;

fn input<'a>(source: &'a str, bytes: &'a [u8]) -> Input<'a> {
    let id = DocumentId::new("default", "", source);
    Input { id, source, bytes, open: &[], first: true }
}

fn page(html: &str) -> Document {
    Html.read(&input("page.html", html.as_bytes())).unwrap().value
}

/// The Markdown of a piece without a frame.
fn piece(html: &str) -> String {
    to_markdown(html, HtmlOptions::default()).0
}

const STORY: &str = "The ferry to the island leaves at six in the morning, and it takes about forty minutes when the sea is calm. \
    Those who miss it wait for the next one, which goes at noon, or walk over the sands when the tide is out.";

#[test]
fn the_frame_of_a_page_is_left_out() {
    let html = format!(
        "<html lang=en><head><title>By ferry | Island News</title></head><body><header class=site-header><a href=/>Island \
         News</a></header><nav><ul><li><a href=/a>Home</a></ul></nav><div id=cookie-banner>We use cookies <button>Accept\
         </button></div><article><h1>By ferry</h1><div class='article-body'><p>{STORY}</p><h2>Back</h2><p>{STORY}</p>\
         <ul><li>Bring water</li></ul><blockquote class=twitter-tweet><p>A quote</p></blockquote>\
         <div class='share-buttons'><a href=/s>Share</a></div></div></article><aside><h3>Most read</h3><a href=/b>B</a>\
         </aside><footer>All rights reserved</footer></body></html>"
    );
    let expected = format!("# By ferry\n\n{STORY}\n\n## Back\n\n{STORY}\n\n- Bring water\n\n> A quote\n");
    let document = page(&html);
    assert_eq!(document.text, expected);
    assert_eq!(document.attrs["title"], "By ferry");
    assert_eq!(document.attrs["language"], "en");
    assert_eq!(document.sections.len(), 3);
}

#[test]
fn the_lead_above_an_article_belongs_to_it() {
    let html = format!(
        "<main><p class=lead>An island without cars, reached by one small boat.</p><p class=more>More on islands in \
         our large shop</p><div class=entry-content><p>{STORY}</p></div></main>"
    );
    assert_eq!(page(&html).text, format!("An island without cars, reached by one small boat.\n\n{STORY}\n"));
}

#[test]
fn a_page_without_a_main_part_is_kept_whole() {
    assert_eq!(page("<div class=menu><h2><a href=/h>Home</a></h2></div>").text, "## [Home](/h)\n");
    assert_eq!(page("<p>One.<div>Two.</div>Three.").text, "One.\n\nTwo.\n\nThree.\n");
    assert_eq!(page("").text, "");
}

#[test]
fn what_is_not_shown_is_no_text() {
    let html = "a<script>b</script><style>c</style><p hidden>d</p><p style='color: red; display : NONE'>e</p>\
        <span aria-hidden=true>f</span><noscript>g</noscript><template>h</template><!-- i --><select><option>j</select>\
        <svg><text>k</text></svg><span class='sr-only'>l</span>m";
    assert_eq!(piece(html), "am\n");
}

#[test]
fn inline_marks() {
    let html = "<p>An <em>old</em> <b>bold </b>word, <code>a`b</code>, <del>gone</del>, <q>said</q>,<br>next \
        <a href='/x y'>to <i>it</i></a> <a href='#top'>up</a><a class=anchor href='#here'>¶</a> \
        <img alt='A cat' src=cat.png><img alt='' src=dot.gif> <ruby>漢<rt>kan</rt></ruby> 2 &lt; 3 &amp;lt; soft&shy;ly</p>";
    let expected = "An *old* **bold** word, ``a`b``, ~~gone~~, “said”,  \nnext [to *it*](/x%20y) up \
        ![A cat](cat.png) 漢(kan) 2 < 3 `&lt;` softly\n";
    assert_eq!(piece(html), expected);
}

#[test]
fn figures_above_and_below_the_line_stay_apart_from_their_base() {
    for (html, expected) in [
        ("10<sup>6</sup> and 10<sup>−12</sup>", "10⁶ and 10⁻¹²\n"),
        ("5 m<sup>2</sup>, H<sub>2</sub>O, x<sub>n+1</sub><sup>(2)</sup>", "5 m², H₂O, xₙ₊₁⁽²⁾\n"),
        ("<i>x</i><sup>2</sup> (x)<sup>n</sup>", "*x*² (x)ⁿ\n"),
        ("the 1<sup>st</sup> of 2<sup>2x</sup>, 1<sup>1234567</sup>", "the 1st of 22x, 11234567\n"),
        ("Said.<sup>1</sup> word <sup>2</sup> a<sup><b>3</b></sup>", "Said.1 word 2 a**3**\n"),
        ("word<sup><a href=/n>1</a></sup> word<a href=/n><sup>2</sup></a>", "word[1](/n) word[2](/n)\n"),
        ("<p>a</p><sup>2</sup>", "a\n\n2\n"),
    ] {
        assert_eq!(piece(html), expected, "{html}");
    }
}

#[test]
fn lists() {
    let html =
        "<ul><li>a<ol start=3><li>b<li><p>c</p><p>d</p></ol><li>e</ul><ul><li>f</li><ul><li>g</ul></ul><ol><li>h</ol>";
    assert_eq!(piece(html), "- a\n\n  3. b\n  4. c\n\n     d\n\n- e\n\n* f\n  - g\n\n1. h\n");
}

#[test]
fn definitions_and_details() {
    let html = "<dl><dt>Tea</dt><dd>Hot</dd><dd>Or iced</dd><dt>Ale<dt>Mead</dl><details><summary>More</summary><p>x</details>";
    assert_eq!(piece(html), "**Tea**  \nHot\n\nOr iced\n\n**Ale**\n\n**Mead**\n\n**More**\n\nx\n");
}

#[test]
fn cells_that_span_others_are_repeated() {
    let html = "<table><caption>Fares</caption><tr><th>To<th colspan=2>Price<tr><td rowspan=2>Isle<td align=right>4\
        <td>a | b<tr><td>5<td><p>c</p><p>d</p></table>";
    let expected = "Fares\n\n| To | Price | Price |\n| --- | --- | --- |\n| Isle | 4 | a \\| b |\n| Isle | 5 | c d |\n";
    assert_eq!(piece(html), expected);
}

#[test]
fn tables_with_lists_code_and_tables_in_their_cells() {
    let html = "<table><tr><th>A<th>B<tr><td><ul><li>x<li>y</ul><td><pre>p\nq</pre><tr><td><ol><li>i<li>j</ol>\
        <td><table><tr><td>in<td>ner</table></table>";
    let expected = "| A | B |\n| --- | --- |\n| - x - y | `p q` |\n| 1. i 2. j | in ner |\n";
    assert_eq!(piece(html), expected);
}

#[test]
fn a_table_that_only_arranges_the_page_is_no_table() {
    assert_eq!(piece("<table><tr><td><h2>A</h2><p>b</p></table>"), "## A\n\nb\n");
    assert_eq!(piece("<table role=presentation><tr><td>a<td>b</table>"), "a\n\nb\n");
}

#[test]
fn code_keeps_its_lines_and_language() {
    for (html, expected) in [
        (
            "<pre><code class='language-rust'>fn a() {\n    b &amp;&amp; c\n\n}\n</code></pre>",
            "```rust\nfn a() {\n    b && c\n\n}\n```\n",
        ),
        (
            "<div class='highlight-python notranslate'><div class=highlight><pre><span>x</span> = 1\n</pre></div></div>",
            "```python\nx = 1\n```\n",
        ),
        ("<pre data-lang=Go>a<br>b<button>Copy</button></pre>", "```go\na\nb\n```\n"),
        ("<pre><code><div class=line>a</div><div class=line>  b</div></code></pre>", "```\na\n  b\n```\n"),
        (
            "<table class=highlighttable><tr><td class=linenos><pre>1\n2</pre></td><td class=code><pre>a\n```</pre></td></tr></table>",
            "````\na\n```\n````\n",
        ),
        ("<pre class='sourceCode bash'><span class=lineno>1</span>ls\n</pre>", "```bash\nls\n```\n"),
    ] {
        assert_eq!(piece(html), expected, "{html}");
    }
}

#[test]
fn formulas() {
    for (html, expected) in [
        (
            "a <math><semantics><mi>x</mi><annotation encoding='application/x-tex'>{\\displaystyle x^2}</annotation></semantics></math>",
            "a $x^2$\n",
        ),
        ("<math display=block alttext='a+b'><mi>a</mi></math>", "$$\na+b\n$$\n"),
        ("<p><math><mfrac><mn>1</mn><msup><mi>n</mi><mn>2</mn></msup></mfrac></math>", "$\\frac{1}{{n}^{2}}$\n"),
        ("<p>a<script type='math/tex; mode=display'>c_1</script>", "a\n\n$$\nc_1\n$$\n"),
    ] {
        assert_eq!(piece(html), expected, "{html}");
    }
}

#[test]
fn links_around_blocks() {
    let html = "<a href=/x><h3>Title</h3><p>Text</p></a><h2>Parts <div>of</div> one</h2><p>a<hr><hr>b<br><br>c";
    let expected = "### [Title](/x)\n\n[Text](/x)\n\n## Parts of one\n\na\n\n***\n\nb\n\nc\n";
    assert_eq!(piece(html), expected);
}

#[test]
fn what_the_page_declares() {
    let html = r#"<html><head><title>Ignored</title><meta property="og:title" content=" A  title ">
        <meta name="Description" content="About it"><meta name=keywords content="a, b;c">
        <link rel=canonical href="https://example.org/a"><meta property="og:site_name" content="Example">
        <script type="application/ld+json">{"@graph": [{"@type": "WebPage"}, {"@type": "NewsArticle",
        "datePublished": "2024-05-06T07:08:09Z", "author": [{"name": "Ann"}, {"name": "Bo"}]}]}</script></head>
        <body lang=de><p>x"#;
    let attrs = page(html).attrs;
    let text = |name: &str| attrs[name].as_str().unwrap().to_owned();
    assert_eq!(text("title"), "A title");
    assert_eq!(text("description"), "About it");
    assert_eq!(text("author"), "Ann, Bo");
    assert_eq!(text("date"), "2024-05-06T07:08:09Z");
    assert_eq!(text("url"), "https://example.org/a");
    assert_eq!(text("site_name"), "Example");
    assert_eq!(attrs["keywords"], serde_json::json!(["a", "b", "c"]));
    assert!(!attrs.contains_key("language"));
}

#[test]
fn encodings() {
    let latin = b"<meta http-equiv=Content-Type content='text/html; charset=ISO-8859-1'><p>sch\xf6n".as_slice();
    let read = |bytes| Html.read(&input("a.html", bytes)).unwrap();
    assert_eq!((read(latin).value.text.as_str(), read(latin).value.encoding), ("schön\n", "windows-1252"));
    assert!(read(latin).diagnostics.is_empty());
    // UTF-8 that is well formed is what it is, whatever the page says.
    assert_eq!(read("<meta charset=latin1><p>schön".as_bytes()).value.text, "schön\n");
    let wide: Vec<u8> = "\u{feff}<p>schön".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(read(&wide).value.text, "schön\n");
}

#[test]
fn hostile_pages_are_read_in_linear_time() {
    let many: String = (0..60_000).map(|n| format!(" a{n}")).collect();
    let fonts: String = (0..2_000).map(|n| format!("<code class=c{n}>")).collect();
    for html in [
        "<div>".repeat(200_000) + "x",
        "<b><p></b>".repeat(50_000) + "x",
        "<b><i><a href=y><p></b></i></a>".repeat(10_000) + "x",
        "<table><tr><td>".repeat(50_000) + "x",
        "<ul><li>".repeat(50_000) + "x",
        format!("<div{many}>x"),
        format!("{fonts}{}", "<p>x".repeat(50_000)),
        format!("<a href='{}'>{}", "u".repeat(50_000), "<p>x".repeat(50_000)),
        format!("<table><tr>{}{}", "<td rowspan=1000 colspan=100>xxxxxxxx".repeat(3), "<tr>".repeat(50_000)),
        "<!--".repeat(100_000),
        "<a title=\"".repeat(50_000),
        "[".repeat(500_000),
    ] {
        let text = page(&html).text;
        assert!(text.len() < html.len() * 8 + 500_000, "{} bytes of {}", text.len(), &html[..20]);
    }
}

#[test]
fn deep_nesting_is_told() {
    let html = "<div>".repeat(1000) + "x";
    let read = Html.read(&input("a.html", html.as_bytes())).unwrap();
    assert_eq!(read.value.text, "x\n");
    assert_eq!(read.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["tangled-markup"]);
}

fn markup() -> impl Strategy<Value = String> {
    let tags = "(</?(p|b|i|a|ul|ol|li|table|tr|td|th|div|h2|pre|code|br|dl|dt|dd|blockquote|span|math|svg|em|q|caption)( class=x)?/?>)";
    prop::collection::vec(prop_oneof![tags, "[a-z #*_`|<&\\[\\]()!-]{0,8}", "w[0-9]{3} "], 0..40)
        .prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Html.read(&input("a.html", &bytes));
    }

    #[test]
    fn no_word_is_lost(html in markup()) {
        let html = html.replace("svg", "b");
        let text = piece(&html);
        let shown = parse(&html).tree;
        for id in shown.within(tree::ROOT) {
            let words = shown.text(id).into_iter().flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric()));
            for word in words {
                prop_assert!(text.contains(word), "{word} of {html} in {text}");
            }
        }
        let document = page(&html);
        for block in &document.blocks {
            prop_assert!(document.text.get(block.span.range()).is_some());
        }
    }
}
