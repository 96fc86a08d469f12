//! Who calls, and what they may do.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use gristmill::config::{TokenScope, TokenSettings};

use crate::app::App;
use crate::problem::Problem;
use crate::token::hash;

/// The cookie by which a browser shows its token.
pub const COOKIE: &str = "gristmill_token";

/// Who calls.
#[derive(Clone, Debug)]
pub struct Caller {
    scope: TokenScope,
    /// `None` for all.
    projects: Option<Vec<String>>,
}

impl Caller {
    /// Somebody on this machine, where no token is asked for.
    pub fn local() -> Self {
        Self { scope: TokenScope::Admin, projects: None }
    }

    fn of(token: &TokenSettings) -> Self {
        Self { scope: token.scope, projects: token.projects.clone() }
    }

    pub fn may(&self, scope: TokenScope) -> bool {
        self.scope >= scope
    }

    pub fn may_see(&self, project: &str) -> bool {
        self.projects.as_ref().is_none_or(|projects| projects.iter().any(|own| own == project))
    }

    /// The projects of the caller; `None` for all.
    pub fn projects(&self) -> Option<&[String]> {
        self.projects.as_deref()
    }
}

/// Finds out who calls.
///
/// # Errors
/// Without a token that is known, where one is needed.
pub fn caller(app: &App, headers: &HeaderMap) -> Result<Caller, Problem> {
    if app.is_open() {
        return ensure_here(headers).map(|()| Caller::local());
    }
    let token = match bearer(headers) {
        Some(token) => token,
        None => {
            let token = cookie(headers).ok_or_else(unknown)?;
            // A browser sends the cookie by itself, also for a page of the same machine that listens on another port.
            ensure_own_page(headers)?;
            token
        }
    };
    // Hashes are compared: how long that takes tells nothing of a token.
    let hashed = hash(token);
    let known = app.settings.server.token.iter().find(|known| known.hash == hashed);
    known.map(Caller::of).ok_or_else(unknown)
}

/// Lets a caller do what needs this scope.
///
/// # Errors
/// When the token does not reach so far.
pub fn ensure(caller: &Caller, scope: TokenScope) -> Result<(), Problem> {
    if caller.may(scope) {
        return Ok(());
    }
    let needed = match scope {
        TokenScope::Read => "read",
        TokenScope::Write => "write",
        TokenScope::Admin => "admin",
    };
    Err(Problem::new(StatusCode::FORBIDDEN, "forbidden", format!("the token does not have the scope `{needed}`")))
}

fn unknown() -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", "a known token is needed")
        .hint("send `Authorization: Bearer TOKEN`")
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|value| value.split(';')).find_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='))
}

/// Without tokens, only pages of this server may call it: a page of another site that has its name stand for this machine
/// comes with its own name in `Host`, and one that just calls comes with its own name in `Origin`.
pub fn ensure_here(headers: &HeaderMap) -> Result<(), Problem> {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let foreign =
        || Problem::new(StatusCode::FORBIDDEN, "foreign-host", "calls are taken for this machine's own names only");
    if !host.is_none_or(is_here) {
        return Err(foreign());
    }
    ensure_own_page(headers)
}

/// A page that calls must be one of this server: its `Origin` has the name of `Host`.
pub fn ensure_own_page(headers: &HeaderMap) -> Result<(), Problem> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
    let name = origin.to_str().ok().and_then(|origin| Some(origin.split_once("://")?.1));
    if name.is_some() && name == text(header::HOST) {
        return Ok(());
    }
    Err(Problem::new(StatusCode::FORBIDDEN, "foreign-origin", "the call comes from a page of another site")
        .hint("a proxy before the server must pass the header `Host` on as it came"))
}

/// True for names and addresses of this machine alone.
pub fn is_here(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[') {
        Some(v6) => v6.split_once(']').map_or((host, ""), |(name, rest)| (name, rest)),
        None => host.find(':').map_or((host, ""), |at| host.split_at(at)),
    };
    if !(port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok())) {
        return false;
    }
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_here() {
        for here in ["localhost", "LOCALHOST:7717", "127.0.0.1:80", "[::1]:7717", "127.8.0.1"] {
            assert!(is_here(here), "{here}");
        }
        for elsewhere in [
            "example.com",
            "localhost.example.com:80",
            "10.0.0.1",
            "[2001:db8::1]:80",
            "",
            "127.0.0.1.example",
            "localhost:80.example",
            "127.0.0.1:7717:7717",
            "[::1].example",
            "[::1",
            "localhost:",
        ] {
            assert!(!is_here(elsewhere), "{elsewhere}");
        }
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let headers = |pairs: &[(&'static str, &'static str)]| {
            pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect::<HeaderMap>()
        };
        assert!(ensure_here(&headers(&[("host", "127.0.0.1:7717")])).is_ok());
        assert!(ensure_here(&headers(&[("host", "localhost:7717"), ("origin", "http://localhost:7717")])).is_ok());
        for foreign in ["http://evil.example", "http://localhost:8080", "null"] {
            let pairs = [("host", "localhost:7717"), ("origin", foreign)];
            assert!(ensure_here(&headers(&pairs)).is_err(), "{foreign}");
        }
        assert!(ensure_here(&headers(&[("host", "rebound.example:7717")])).is_err());
    }

    #[test]
    fn a_token_is_found_in_header_or_cookie() {
        let mut headers = HeaderMap::new();
        headers.insert(header::AUTHORIZATION, "bearer  abc ".parse().unwrap());
        assert_eq!(bearer(&headers), Some("abc"));
        headers.insert(header::COOKIE, "a=b; gristmill_token=x-1; gristmill_token2=y".parse().unwrap());
        assert_eq!(cookie(&headers), Some("x-1"));
    }
}
