//! Try settings: sliders cut at once, two settings side by side, with the command and the config to get each.

use gristmill::cut_now;

use super::html::Html;
use super::{answer, asked};
use crate::app::quietly;
use crate::route::{Answer, Call};

/// What is cut where no document is named.
const SAMPLE: &str = "# A title\n\nSome text to begin with. Put your own in its place.\n\n## A section\n\nEach section \
                      says one thing. Sliders show what becomes of it.\n\n- a list\n- of things\n";

/// Numbers that sliders set: name, least, most, usual.
const SLIDERS: [(&str, u32, u32, u32); 4] =
    [("max", 20, 2000, 600), ("target", 10, 2000, 400), ("min", 0, 500, 80), ("overlap", 0, 400, 60)];

pub fn show(call: Call) -> Answer {
    Box::pin(async move {
        let source = asked(&call, "source").to_owned();
        let mut text = SAMPLE.to_owned();
        if !source.is_empty() {
            let settings = call.app.settings_of(&call.app.project(&call.caller, None)?);
            let (inputs, threads, wanted) = (call.app.inputs(), call.app.threads, source.clone());
            let now =
                call.app.work(move || quietly(threads, false, |cx| cut_now(&settings, &inputs, &wanted, cx))).await?;
            text = now.map_or(text, |now| now.text);
        }
        let mut main = Html::new();
        main.push("<h1>Try settings</h1><form id=\"try\" class=\"try\">");
        main.push("<p><label>Name <input name=\"name\" maxlength=\"512\"").attribute("value", name(&source));
        main.push("></label></p><label for=\"text\">Text</label><textarea id=\"text\" name=\"text\" rows=\"10\" spellcheck=\"false\">");
        main.text(&text).push("</textarea>");
        main.push("<p id=\"state\" role=\"status\" aria-live=\"polite\"></p><div class=\"sides\">");
        for side in ["a", "b"] {
            main.html(&controls(side));
        }
        main.push("</div></form>");
        answer(&call.app, "/try", "Try settings", &main)
    })
}

/// The name by which the text is read: what is shown of a document is text, whatever it was made of.
fn name(source: &str) -> &str {
    let is_text = [".md", ".txt", ".rst"].iter().any(|end| source.ends_with(end));
    if is_text { source } else { "document.md" }
}

fn controls(side: &'static str) -> Html {
    let mut html = Html::new();
    html.push("<section")
        .attribute("data-side", side)
        .attribute("aria-label", format!("Settings {}", side.to_uppercase()));
    html.push("><h2>Settings ").text(&side.to_uppercase()).push("</h2><div class=\"controls\">");
    for (name, least, most, usual) in SLIDERS {
        let usual = if side == "b" && name != "overlap" { usual / 2 } else { usual };
        html.push("<label>").text(name).push(" <output>").value(usual).push("</output><input type=\"range\"");
        html.attribute("data-name", name).attribute("min", least).attribute("max", most).attribute("value", usual);
        html.push("></label>");
    }
    html.push("<label>strategy <select data-name=\"strategy\">");
    for entry in gristmill::STRATEGIES {
        html.push("<option").attribute("value", entry.name);
        if entry.name == "auto" {
            html.push(" selected");
        }
        html.push(">").text(entry.name).push("</option>");
    }
    html.push("</select></label><label>context <select data-name=\"context\"><option>headings</option><option>none</option></select></label></div>");
    html.push("<details><summary>How to get it</summary><pre class=\"get\" tabindex=\"0\"></pre></details><div class=\"cut\"></div></section>");
    html
}
