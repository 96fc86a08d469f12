//! Search: hits with what stands around them, and why each ranked.

use gristmill::{Hit, Retriever, SearchOptions, search_passages};
use serde_json::Value;

use super::html::Html;
use super::{answer, asked, link};
use crate::route::{Answer, Call};

pub fn show(call: Call) -> Answer {
    Box::pin(async move {
        let (question, by) = (asked(&call, "q").to_owned(), asked(&call, "by").to_owned());
        let mut main = Html::new();
        main.push("<h1>Search</h1><form role=\"search\" action=\"/search\" class=\"row\"><label>Question <input type=\"search\" name=\"q\" size=\"40\" maxlength=\"1000\"");
        main.attribute("value", &question).push("></label><label>By <select name=\"by\">");
        for (name, about) in [("hybrid", "vectors and words"), ("dense", "vectors"), ("bm25", "words")] {
            main.push("<option").attribute("value", name);
            if name == by {
                main.push(" selected");
            }
            main.push(">").text(about).push("</option>");
        }
        main.push("</select></label><button>Search</button></form>");
        if !question.trim().is_empty() {
            let settings = call.app.settings_of(&call.app.project(&call.caller, None)?);
            let retriever = match by.as_str() {
                "dense" => Retriever::Dense,
                "bm25" => Retriever::Bm25,
                _ => Retriever::Hybrid,
            };
            let options = SearchOptions { retriever, limit: 10, expand: 1, ..SearchOptions::default() };
            let asked = question.clone();
            let found = call.app.work(move || search_passages(&settings, &asked, &options)).await?;
            main.html(&hits(&found.hits, &question));
        }
        answer(&call.app, "/search", "Search", &main)
    })
}

fn hits(hits: &[Hit], question: &str) -> Html {
    let mut html = Html::new();
    if hits.is_empty() {
        html.push("<p role=\"status\">Nothing was found.</p>");
    }
    html.push("<ol class=\"hits\">");
    for hit in hits {
        let record: Value = serde_json::from_str(&hit.payload).unwrap_or_default();
        let place = link("/document", &[("source", &hit.source)]);
        html.push("<li><h3><a href=\"").text(&format!("{place}#c{}", hit.order)).push("\">").text(&hit.source);
        html.push("</a> <small>chunk ")
            .value(hit.order + 1)
            .push("</small></h3><p class=\"why\">")
            .text(&why(hit))
            .push("</p><pre tabindex=\"0\">");
        marked(&mut html, record["content"].as_str().unwrap_or(&hit.text), question);
        html.push("</pre></li>");
    }
    html.push("</ol>");
    html
}

/// Why a hit ranked where it did.
fn why(hit: &Hit) -> String {
    let dense = hit.dense.map_or("no vector compared".to_owned(), |dense| format!("cosine {dense:.3}"));
    let words = hit.bm25.map_or("no word shared".to_owned(), |bm25| format!("words {bm25:.2}"));
    format!("score {:.3}: {dense}, {words}", hit.score)
}

/// The text with the words of the question marked.
fn marked(html: &mut Html, text: &str, question: &str) {
    let words: Vec<String> = question.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect();
    let is_asked = |word: &str| word.chars().count() > 2 && words.contains(&word.to_lowercase());
    for piece in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let word = piece.trim_end_matches(|c: char| !c.is_alphanumeric());
        if is_asked(word) {
            html.push("<mark>").text(word).push("</mark>").text(&piece[word.len()..]);
        } else {
            html.text(piece);
        }
    }
}
