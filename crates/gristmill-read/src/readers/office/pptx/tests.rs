use super::*;
use crate::readers::office::testing::{read_parts, relations};

fn shape(place: &str, paragraphs: &str) -> String {
    format!("<p:sp><p:nvSpPr><p:nvPr>{place}</p:nvPr></p:nvSpPr><p:txBody>{paragraphs}</p:txBody></p:sp>")
}

fn p(properties: &str, text: &str) -> String {
    format!("<a:p>{properties}<a:r><a:t>{text}</a:t></a:r></a:p>")
}

fn slide(shapes: &str, attrs: &str) -> String {
    format!("<p:sld {attrs}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>")
}

#[test]
fn slides_are_pages_under_their_titles() {
    let first = slide(
        &[
            shape("<p:ph type='subTitle'/>", &p("<a:pPr><a:buNone/></a:pPr>", "by Ann")),
            shape("<p:ph type='ctrTitle'/>", &p("", "Ducks")),
        ]
        .concat(),
        "",
    );
    let body = [
        p("", "wild"),
        p("<a:pPr lvl='1'/>", "below"),
        p("<a:pPr><a:buAutoNum type='arabicPeriod'/></a:pPr>", "first"),
    ];
    let table = "<p:graphicFrame><a:graphic><a:graphicData><a:tbl>
        <a:tr><a:tc gridSpan='2'><a:txBody><a:p><a:r><a:t>both</a:t></a:r></a:p></a:txBody></a:tc><a:tc hMerge='1'/></a:tr>
        <a:tr><a:tc><a:txBody><a:p><a:r><a:t>1</a:t></a:r></a:p></a:txBody></a:tc><a:tc/></a:tr>
        </a:tbl></a:graphicData></a:graphic></p:graphicFrame>";
    let second = slide(
        &[
            shape("<p:ph type='title'/>", &p("", "Kinds")),
            shape("<p:ph idx='1'/>", &body.concat()),
            shape("<p:ph type='sldNum'/>", &p("", "2")),
            table.to_owned(),
        ]
        .concat(),
        "",
    );
    let third = slide(&shape("", &p("", "hidden words")), "show='0'");
    let list = "<p:presentation><p:sldIdLst><p:sldId id='256' r:id='b'/><p:sldId id='257' r:id='a'/><p:sldId id='258' r:id='c'/></p:sldIdLst></p:presentation>";
    let related =
        relations(&[("a", "slide", "slides/s2.xml"), ("b", "slide", "slides/s1.xml"), ("c", "slide", "slides/s3.xml")]);
    let of_slide = relations(&[("l", "slideLayout", "../layouts/l.xml"), ("n", "notesSlide", "../notes/n.xml")]);
    let of_layout = relations(&[("m", "slideMaster", "../masters/m.xml")]);
    let master = "<p:sldMaster><p:cSld><p:spTree/></p:cSld><p:txStyles><p:bodyStyle><a:lvl1pPr><a:buChar char='•'/></a:lvl1pPr><a:lvl2pPr><a:buChar char='-'/></a:lvl2pPr></p:bodyStyle></p:txStyles></p:sldMaster>";
    let notes = slide(&shape("<p:ph type='body'/>", &p("", "Speak up.")), "");
    let read = read_parts(
        &Pptx,
        &[
            ("ppt/presentation.xml", list),
            ("ppt/_rels/presentation.xml.rels", &related),
            ("ppt/slides/s1.xml", &first),
            ("ppt/slides/s2.xml", &second),
            ("ppt/slides/s3.xml", &third),
            ("ppt/slides/_rels/s2.xml.rels", &of_slide),
            ("ppt/layouts/l.xml", "<p:sldLayout><p:cSld><p:spTree/></p:cSld></p:sldLayout>"),
            ("ppt/layouts/_rels/l.xml.rels", &of_layout),
            ("ppt/masters/m.xml", master),
            ("ppt/notes/n.xml", &notes),
        ],
    );
    let expected = "# Ducks\n\nby Ann\n\n## Kinds\n\n- wild\n  - below\n\n1. first\n\n| both | both |\n| --- | --- |\n| 1 | |\n\n\
        > Notes: Speak up.\n\n## Slide 3\n\nhidden words\n";
    assert_eq!(read.value.text, expected);
    assert_eq!(read.diagnostics[0].to_string(), "a: hidden slides are read, too: 3 [hidden-slides]");
    let page = |block: &gristmill_core::Block| read.value.page_at(block.span.start);
    let pages: Vec<_> = read.value.blocks.iter().filter_map(page).collect();
    assert_eq!((pages.first(), pages.last()), (Some(&1), Some(&3)));
    assert_eq!(read.value.blocks.iter().filter(|block| page(block) == Some(1)).count(), 2);
}
