//! One document: its text on the left, its chunks on the right.

use gristmill::format::html::overlay;
use gristmill::{CutNow, cut_now};

use super::html::Html;
use super::{answer, asked, link};
use crate::app::quietly;
use crate::problem::Problem;
use crate::route::{Answer, Call};

pub fn show(call: Call) -> Answer {
    Box::pin(async move {
        let source = asked(&call, "source").to_owned();
        let settings = call.app.settings_of(&call.app.project(&call.caller, None)?);
        let (inputs, threads, wanted) = (call.app.inputs(), call.app.threads, source.clone());
        let now = call.app.work(move || quietly(threads, true, |cx| cut_now(&settings, &inputs, &wanted, cx))).await?;
        let now = now.ok_or_else(|| Problem::not_found("document", &source))?;
        answer(&call.app, "/", &source, &whole(&now))
    })
}

fn whole(now: &CutNow) -> Html {
    let found = overlay::found(&now.report);
    let mut main = Html::new();
    main.push("<h1>").text(&now.source).push("</h1><div class=\"row\"><p>");
    main.text(&counted(now.records.len(), "chunk")).push(" · ").text(&counted(found.len(), "finding"));
    main.push(" · <kbd>j</kbd> next, <kbd>k</kbd> previous</p>");
    main.push("<p><a href=\"");
    main.text(&link("/try", &[("source", &now.source)]));
    main.push("\">Try other settings</a></p></div>");
    main.html(&overlay::legend()).html(&overlay::overlay("", &now.text, &now.records, &found));
    main
}

/// A number with its noun.
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
