//! Pages for people, made by the server; a small script adds what a page cannot do alone.

mod docs;
mod document;
mod documents;
mod evaluation;
mod findings;
mod html;
mod jobs;
mod login;
mod search;
mod settings;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use gristmill::format::html::{OVERLAY_SCRIPT, OVERLAY_STYLE};

use crate::app::App;
use crate::problem::Problem;
use crate::route::{Answer, Call, Right, Route};
use html::{Html, page};

/// All pages and what they load.
pub fn routes() -> Vec<Route> {
    let open = |path, handler| Route::page(path, handler).right(Right::Open);
    let mut routes = vec![
        Route::page("/", documents::show),
        Route::page("/document", document::show),
        Route::page("/try", settings::show),
        Route::page("/findings", findings::show).seconds(Some(300)),
        Route::page("/search", search::show),
        Route::page("/evaluation", evaluation::show).seconds(Some(300)),
        Route::page("/jobs", jobs::list),
        Route::page("/jobs/{id}", jobs::show),
        open("/docs", docs::show),
        open("/openapi.json", docs::openapi),
        open("/assets/overlay.js", |_| asset("text/javascript", OVERLAY_SCRIPT)),
        open("/assets/overlay.css", |_| asset("text/css", OVERLAY_STYLE)),
        open("/assets/app.js", |_| asset("text/javascript", include_str!("assets/app.js"))),
        open("/assets/style.css", |_| asset("text/css", include_str!("assets/style.css"))),
        open("/favicon.svg", |_| asset("image/svg+xml", include_str!("assets/favicon.svg"))),
    ];
    routes.extend(login::routes());
    routes
}

fn asset(kind: &'static str, text: &'static str) -> Answer {
    Box::pin(async move {
        let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")];
        Ok((headers, text).into_response())
    })
}

/// What pages may load and do: only what comes from here, no script or style within them.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// A page as an answer.
fn shown(status: StatusCode, page: Html) -> Response {
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, POLICY)];
    (status, headers, page.into_string()).into_response()
}

/// What is shown in place of a page: where to give a token, or what went wrong.
pub fn sorry(app: &App, problem: &Problem) -> Response {
    if problem.status == StatusCode::UNAUTHORIZED.as_u16() && !app.is_open() {
        let mut response = StatusCode::SEE_OTHER.into_response();
        response.headers_mut().insert(header::LOCATION, HeaderValue::from_static("/login"));
        return response;
    }
    let mut main = Html::new();
    main.push("<h1>")
        .text(&problem.title())
        .push("</h1><p class=\"error\" role=\"alert\">")
        .text(&problem.detail)
        .push("</p>");
    if let Some(hint) = &problem.hint {
        main.push("<p>").text(hint).push("</p>");
    }
    let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = shown(status, page("", &problem.title(), !app.is_open(), &main));
    problem.tell_when(&mut response);
    response
}

/// An address with its query.
fn link(path: &str, query: &[(&str, &str)]) -> String {
    let encode =
        |text: &str| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
    let pairs: Vec<String> = query.iter().map(|(name, value)| format!("{name}={}", encode(value))).collect();
    format!("{path}?{}", pairs.join("&"))
}

/// The whole page of a subject.
fn answer(app: &App, here: &str, title: &str, main: &Html) -> Result<Response, Problem> {
    Ok(shown(StatusCode::OK, page(here, title, !app.is_open(), main)))
}

/// What a page's query says.
fn asked<'c>(call: &'c Call, name: &str) -> &'c str {
    call.query.get(name).map_or("", String::as_str)
}
