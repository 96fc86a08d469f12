//! Where a browser gives its token, to be kept in a cookie that no script reads.

use std::collections::HashMap;

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::html::Html;
use super::{answer, shown};
use crate::auth::{COOKIE, caller, ensure_own_page};
use crate::problem::Problem;
use crate::route::{Answer, Call, Right, Route};

pub fn routes() -> Vec<Route> {
    let sent = |path, handler| Route { method: Method::POST, ..Route::page(path, handler).right(Right::Open) };
    vec![Route::page("/login", show).right(Right::Open), sent("/login", take), sent("/logout", forget)]
}

fn form(wrong: bool) -> Html {
    let mut main = Html::new();
    main.push("<h1>Log in</h1>");
    if wrong {
        main.push("<p class=\"error\" role=\"alert\">This token is not known.</p>");
    }
    main.push("<form method=\"post\" action=\"/login\"><label>Token <input type=\"password\" name=\"token\" autocomplete=\"current-password\" required></label> <button>Log in</button></form>");
    main
}

fn show(call: Call) -> Answer {
    Box::pin(async move { answer(&call.app, "/login", "Log in", &form(false)) })
}

fn take(call: Call) -> Answer {
    Box::pin(async move {
        ensure_own_page(&call.headers)?;
        let fields: HashMap<&str, &str> = std::str::from_utf8(&call.body)
            .unwrap_or_default()
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .collect();
        let token = fields.get("token").copied().unwrap_or_default();
        let value = HeaderValue::from_str(&format!("Bearer {token}")).map_err(|_| Problem::invalid("not a token"))?;
        let headers = HeaderMap::from_iter([(header::AUTHORIZATION, value)]);
        if call.app.is_open() || caller(&call.app, &headers).is_err() {
            return Ok(shown(StatusCode::UNAUTHORIZED, super::page("/login", "Log in", true, &form(true))));
        }
        keep(&call, token, MONTH, "/")
    })
}

/// Leaves the browser without a token.
fn forget(call: Call) -> Answer {
    Box::pin(async move {
        ensure_own_page(&call.headers)?;
        keep(&call, "", 0, "/login")
    })
}

/// Seconds for which a browser keeps its token.
const MONTH: u32 = 30 * 24 * 60 * 60;

/// Has the browser keep a token, which it sends with calls of pages of this site alone, and leads it on.
fn keep(call: &Call, token: &str, seconds: u32, to: &'static str) -> Result<Response, Problem> {
    // A proxy before the server may speak TLS; the browser says so of its page.
    let secure =
        if call.header("origin").is_some_and(|origin| origin.starts_with("https://")) { "; Secure" } else { "" };
    let cookie = format!("{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/; Max-Age={seconds}{secure}");
    let cookie = HeaderValue::from_str(&cookie).map_err(|_| Problem::invalid("not a token"))?;
    let headers = [(header::LOCATION, HeaderValue::from_static(to)), (header::SET_COOKIE, cookie)];
    Ok((StatusCode::SEE_OTHER, headers).into_response())
}
