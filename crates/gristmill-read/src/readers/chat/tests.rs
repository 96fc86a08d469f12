use super::{Chat, fits};
use crate::fixture::{paths, read, shape};

#[test]
fn irc_lines_and_events() {
    let text = "[10:00] <ann> hello\n[10:00] <bo> hi\n  and more\n=== cy has joined #x\n[10:01] <ann> look:\nfirst\n\n\
                [10:02] * bo waves\n[10:03] <bo> bye\n";
    assert!(fits(text));
    let expected = "turn \"[10:00] <ann> hello\"\nturn \"[10:00] <bo> hi\\n  and more\"\nline \"=== cy has joined #x\"\n\
                    turn \"[10:01] <ann> look:\\nfirst\"\nline \"[10:02] * bo waves\"\nturn \"[10:03] <bo> bye\"\n";
    assert_eq!(shape(&read(&Chat, text)), expected);
}

#[test]
fn exports_of_messengers() {
    let texts = [
        "12/31/20, 10:15 PM - Ann: hi\n12/31/20, 10:16 PM - Bo B.: hello\n12/31/20, 10:17 PM - Ann: so\n12/31/20, 10:18 PM - Bo B.: bye\n",
        "[31.12.20, 22:15:03] Ann: hi\n[31.12.20, 22:15:04] Bo: hello\n[31.12.20, 22:15:05] Ann: so\n[31.12.20, 22:15:06] Bo: bye\n",
        "12:34 - ann: a\n12:34 - bo: b\n12:35 - ann: c\n12:36 - bo: d\n",
        "[민수] [오전 10:15] 안녕\n[지영] [오전 10:16] 응\n[민수] [오전 10:17] 가자\n[지영] [오전 10:18] 그래\n",
        "Ann  10:23 AM\nhi there\nall\n\nBo  10:24 AM\nhello\n\nAnn  10:25 AM\nso\n\nBo  10:26 AM\nbye\n",
        "小明 2021-03-04 10:22:33\n你好\n\n小红 2021-03-04 10:22:40\n你好\n\n小明 2021-03-04 10:23:33\n走吧\n\n小红 2021-03-04 10:24:33\n好\n",
        "**Ann:** a\n**Bo:** b\n**Ann:** c\n**Bo:** d\n",
        "**Ann**: a\n\n**Bo**: b\n\n**Ann**: c\n\n**Bo**: d\n",
        "<ann> a\n<bo> b\n<ann> c\n<bo> d\n",
    ];
    for text in texts {
        assert!(fits(text), "{text}");
        let document = read(&Chat, text);
        assert_eq!(document.blocks.len(), 4, "{}", shape(&document));
    }
}

#[test]
fn transcripts_with_wrapped_turns() {
    let text = "Board meeting\n\nDr. Hall: We begin\nwith the minutes.\n\nMs Ito (00:01:10): I have\na question. Why\nnow?\n\n\
                Dr. Hall: Good question.\n\nIt was late.\n\nMs Ito: Thank you.\n";
    assert!(fits(text));
    let expected = "paragraph \"Board meeting\"\nturn \"Dr. Hall: We begin\\nwith the minutes.\"\n\
                    turn \"Ms Ito (00:01:10): I have\\na question. Why\\nnow?\"\n\
                    turn \"Dr. Hall: Good question.\\n\\nIt was late.\"\nturn \"Ms Ito: Thank you.\"\n";
    assert_eq!(shape(&read(&Chat, text)), expected);
    assert!(fits("王先生：你好吗？\n李小姐：很好。\n王先生：去哪里？\n李小姐：回家。\n"));
}

#[test]
fn headings_between_turns() {
    let text = "ANN: So it is.\nBO: Yes.\n\nScene 2\n\nANN: And now?\nBO: Wait.\n";
    let document = read(&Chat, text);
    assert_eq!(paths(&document), ["Scene 2"]);
    assert_eq!(document.blocks.len(), 5);
}

#[test]
fn other_texts_are_no_conversation() {
    for text in [
        "",
        "Title: One\nAuthor: A B\n\nTitle: Two\nAuthor: C D\n\nTitle: Three\nAuthor: E\n",
        "Note: mind the gap.\nWarning: mind it.\nNote: again.\nWarning: still.\n",
        "Plain words. He said: no.\n\nMore words follow here: and here.\n",
        "Q: Why?\nA: So.\nQ: How?\nA: Thus.\n",
        "17/06/09 20:10:40 INFO a.b.C: x\n17/06/09 20:10:41 INFO a.b.D: y\n17/06/09 20:10:40 INFO a.b.C: x\n17/06/09 20:10:41 INFO a.b.D: y\n",
        "INFO: started\nERROR: failed\nINFO: started\nERROR: failed\n",
        "One: a.\nTwo: b.\nThree: c.\nFour: d.\nFive: e.\n",
    ] {
        assert!(!fits(text), "{text}");
    }
}
