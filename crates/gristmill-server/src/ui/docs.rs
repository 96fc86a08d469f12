//! The interface, for people and for programs.

use axum::http::StatusCode;

use super::answer;
use super::html::Html;
use crate::openapi::describe;
use crate::route::{Answer, Call, Right, json};
use crate::routes;

pub fn openapi(_: Call) -> Answer {
    Box::pin(async { json(StatusCode::OK, &describe(&routes::all())) })
}

pub fn show(call: Call) -> Answer {
    Box::pin(async move {
        let mut main = Html::new();
        main.push("<h1>API</h1><p>For programs: <a href=\"/openapi.json\">openapi.json</a>. Errors are of type <code>application/problem+json</code>.</p>");
        main.push("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Calls\"><table><thead><tr><th>Call</th><th>Purpose</th><th>Needs</th></tr></thead><tbody>");
        for route in routes::all().iter().filter(|route| !route.is_page) {
            main.push("<tr><td><code>")
                .value(&route.method)
                .push(" ")
                .text(route.path)
                .push("</code></td><td>")
                .text(route.summary);
            main.push("</td><td>").text(&needs(route.right)).push("</td></tr>");
        }
        main.push("</tbody></table></div>");
        answer(&call.app, "/docs", "API", &main)
    })
}

fn needs(right: Right) -> String {
    match right {
        Right::Open => "nothing".to_owned(),
        Right::Signature => "a signature".to_owned(),
        Right::Token(scope) => format!("a token with `{}`", format!("{scope:?}").to_lowercase()),
    }
}
