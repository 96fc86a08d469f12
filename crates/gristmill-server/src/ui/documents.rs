//! All documents that are stored, and the state of the store.

use gristmill::service::{StoredDocument, stored_documents};
use gristmill::{Status, status};

use super::html::Html;
use super::{answer, asked, link};
use crate::route::{Answer, Call};

/// Documents on a page.
const SHOWN: usize = 500;

pub fn show(call: Call) -> Answer {
    Box::pin(async move {
        let settings = call.app.settings_of(&call.app.project(&call.caller, None)?);
        let wanted = asked(&call, "q").to_lowercase();
        let (status, mut all) = call.app.work(move || Ok((status(&settings)?, stored_documents(&settings)?))).await?;
        all.retain(|document| document.source.to_lowercase().contains(&wanted));
        let mut main = Html::new();
        main.push("<h1>Documents</h1>").html(&state(&status));
        main.push("<div class=\"row\"><form role=\"search\" action=\"/\"><label>Find a document <input type=\"search\" name=\"q\"");
        main.attribute("value", asked(&call, "q")).push("></label> <button>Find</button></form>");
        main.push(
            "<button data-post=\"/v1/jobs\" data-body=\"{}\" data-go=\"/jobs/\">Ingest what has changed</button></div>",
        );
        main.html(&table(&all));
        answer(&call.app, "/", "Documents", &main)
    })
}

fn state(status: &Status) -> Html {
    let mut html = Html::new();
    html.push("<dl class=\"figures\">");
    let model = status.model.as_ref().map_or("none yet", |model| model.name.as_str());
    for (name, value) in [
        ("documents", status.documents.to_string()),
        ("chunks", status.chunks.to_string()),
        ("project", status.project.clone()),
        ("model", model.to_owned()),
        ("not complete", status.incomplete.len().to_string()),
    ] {
        html.push("<div><dt>").text(name).push("</dt><dd>").text(&value).push("</dd></div>");
    }
    html.push("</dl>");
    html
}

fn table(all: &[StoredDocument]) -> Html {
    let mut html = Html::new();
    if all.is_empty() {
        html.push("<p>No document here. An ingest brings in what the sources hold.</p>");
        return html;
    }
    html.push("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Documents\"><table><thead><tr><th>Document</th><th class=\"n\">Chunks</th><th>State</th></tr></thead><tbody>");
    for document in all.iter().take(SHOWN) {
        html.push("<tr><td><a href=\"");
        html.text(&link("/document", &[("source", &document.source)]));
        html.push("\">").text(&document.source).push("</a></td><td class=\"n\">").value(document.chunks);
        html.push("</td><td>").text(if document.complete { "complete" } else { "not complete" }).push("</td></tr>");
    }
    html.push("</tbody></table></div>");
    if all.len() > SHOWN {
        html.push("<p>").value(all.len() - SHOWN).push(" more: narrow the search to see them.</p>");
    }
    html
}
