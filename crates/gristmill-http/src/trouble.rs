//! What kept an answer from coming.

use std::fmt;
use std::io::ErrorKind as Io;

use gristmill_core::{Error, ErrorKind, Retry};

use crate::addresses::NotPublic;

/// Why no whole answer came. The message names the host and nothing else of the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    kind: TroubleKind,
    message: String,
}

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TroubleKind {
    /// The request cannot be sent as it is: its URL, a header, the proxy, an address that is not allowed.
    Request,
    /// The host is unknown or takes no connection.
    Connect,
    /// It took too long.
    TimedOut,
    /// No encryption could be agreed on, or the host cannot be believed.
    Tls,
    /// The connection ended, or what came is not HTTP.
    CutOff,
    /// The answer is larger than allowed.
    TooLarge,
}

impl Trouble {
    pub(crate) fn new(kind: TroubleKind, place: &Place, message: impl fmt::Display) -> Self {
        Self { kind, message: format!("{place}: {message}") }
    }

    pub(crate) fn of(error: ureq::Error, place: &Place) -> Self {
        use ureq::Error as E;
        let (kind, message) = match error {
            E::BadUri(_) | E::Http(_) | E::RequireHttpsOnly(_) | E::InvalidProxyUrl => {
                (TroubleKind::Request, "the URL or a header is not well formed".into())
            }
            E::HostNotFound => (TroubleKind::Connect, "no such host".into()),
            E::ConnectionFailed => (TroubleKind::Connect, "no connection".into()),
            E::ConnectProxyFailed(_) => (TroubleKind::Connect, "the proxy makes no connection".into()),
            E::Timeout(which) => (TroubleKind::TimedOut, format!("no whole answer in time: {which}")),
            E::Tls(why) => (TroubleKind::Tls, why.into()),
            E::Rustls(why) => (TroubleKind::Tls, why.to_string()),
            E::TlsRequired => (TroubleKind::Tls, "the connection is not encrypted".into()),
            E::Io(why) if is::<NotPublic>(&why) => (TroubleKind::Request, why.to_string()),
            E::Io(why) => (kind_of_io(&why), why.to_string()),
            E::LargeResponseHeader(..) => (TroubleKind::TooLarge, "the headers of the answer are too large".into()),
            other => (TroubleKind::CutOff, other.to_string()),
        };
        Self::new(kind, place, message)
    }

    /// What went wrong.
    pub fn kind(&self) -> TroubleKind {
        self.kind
    }

    /// True when the same request may succeed later.
    pub fn may_pass(&self) -> bool {
        matches!(self.kind, TroubleKind::Connect | TroubleKind::TimedOut | TroubleKind::CutOff)
    }
}

fn is<E: std::error::Error + 'static>(error: &std::io::Error) -> bool {
    error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<E>)
}

fn kind_of_io(error: &std::io::Error) -> TroubleKind {
    if is::<rustls::Error>(error) {
        return TroubleKind::Tls;
    }
    match error.kind() {
        Io::TimedOut | Io::WouldBlock => TroubleKind::TimedOut,
        Io::ConnectionRefused | Io::HostUnreachable | Io::NetworkUnreachable | Io::AddrNotAvailable | Io::NotFound => {
            TroubleKind::Connect
        }
        _ => TroubleKind::CutOff,
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Trouble {}

impl From<Trouble> for Error {
    fn from(trouble: Trouble) -> Self {
        let kind = if trouble.kind == TroubleKind::Request { ErrorKind::Config } else { ErrorKind::Remote };
        let retry = if trouble.may_pass() { Retry::Backoff } else { Retry::Never };
        Self::new(kind, trouble.message).retry(retry)
    }
}

/// The host and port of a URL: all of it that may be shown.
pub(crate) struct Place(String);

impl Place {
    pub(crate) fn of(url: &str) -> Self {
        let after = url.split_once("://").map_or(url, |(_, after)| after);
        let authority = after.split(['/', '?', '#', '\\']).next().unwrap_or_default();
        let host = authority.rsplit('@').next().unwrap_or_default();
        Self(host.chars().filter(|c| !c.is_control()).take(255).collect())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.0)
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_host_of_a_url_is_shown() {
        for (url, host) in [
            ("https://me:pw@api.example:8443/v1?key=s3cret#x", "`api.example:8443`"),
            ("http://[::1]:6333/collections", "`[::1]:6333`"),
            ("localhost:11434/v1", "`localhost:11434`"),
            ("", "``"),
        ] {
            assert_eq!(Place::of(url).to_string(), host, "{url}");
        }
    }
}
