//! Where a browser gives its token, to be kept in a cookie that no script reads.

use std::collections::HashMap;

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::IntoResponse;

use super::html::Html;
use super::{answer, shown};
use crate::auth::{COOKIE, caller};
use crate::problem::Problem;
use crate::route::{Answer, Call, Right, Route};

pub fn routes() -> Vec<Route> {
    let mut give = Route::page("/login", take).right(Right::Open);
    give.method = Method::POST;
    vec![Route::page("/login", show).right(Right::Open), give]
}

fn form(wrong: bool) -> Html {
    let mut main = Html::new();
    main.push("<h1>Token</h1>");
    if wrong {
        main.push("<p class=\"error\" role=\"alert\">This token is not known.</p>");
    }
    main.push("<form method=\"post\" action=\"/login\"><label>Token <input type=\"password\" name=\"token\" autocomplete=\"current-password\" required></label> <button>Go on</button></form>");
    main
}

fn show(_: Call) -> Answer {
    Box::pin(async { answer("", "Token", &form(false)) })
}

fn take(call: Call) -> Answer {
    Box::pin(async move {
        let fields: HashMap<&str, &str> = std::str::from_utf8(&call.body)
            .unwrap_or_default()
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .collect();
        let token = fields.get("token").copied().unwrap_or_default();
        let value = HeaderValue::from_str(&format!("Bearer {token}")).map_err(|_| Problem::invalid("not a token"))?;
        let headers = HeaderMap::from_iter([(header::AUTHORIZATION, value)]);
        if call.app.is_open() || caller(&call.app, &headers).is_err() {
            return Ok(shown(StatusCode::UNAUTHORIZED, super::page("", "Token", &form(true))));
        }
        // Sent with calls from pages of this server alone.
        let cookie = format!("{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000");
        let cookie = HeaderValue::from_str(&cookie).map_err(|_| Problem::invalid("not a token"))?;
        Ok((StatusCode::SEE_OTHER, [(header::LOCATION, HeaderValue::from_static("/")), (header::SET_COOKIE, cookie)])
            .into_response())
    })
}
