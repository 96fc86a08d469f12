//! What a client is told, and the agent made of it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::unversioned::transport::DefaultConnector;
use ureq::{Agent, Proxy};

use crate::addresses::Guard;
use crate::trouble::Place;
use crate::{Addresses, Trouble, TroubleKind};

/// What a client is told.
#[derive(Clone, Debug)]
pub struct ClientOptions {
    /// Time to find the host, connect to it and agree on encryption.
    pub connect_timeout: Duration,
    /// Time from the first step to the last byte of the answer.
    pub timeout: Duration,
    /// Bytes of an answer, unpacked.
    pub body_limit: usize,
    /// Connections to one host that are kept open between requests.
    pub idle_connections: usize,
    /// What to go through. The environment is not asked.
    pub proxy: Option<ProxyOptions>,
    /// Which addresses may be connected to.
    pub addresses: Addresses,
}

/// A proxy.
#[derive(Clone, PartialEq, Eq)]
pub struct ProxyOptions {
    /// `http://host:port` or `https://host:port`, with name and password in front of the host where it asks for them.
    pub url: String,
    /// Hosts that are reached without it, as in `NO_PROXY`: names, `.suffixes`, `*`.
    pub except: Vec<String>,
}

impl Default for ClientOptions {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            timeout: Duration::from_secs(60),
            body_limit: 256 << 20,
            idle_connections: 16,
            proxy: None,
            addresses: Addresses::Any,
        }
    }
}

impl fmt::Debug for ProxyOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProxyOptions").field("host", &Place::of(&self.url)).field("except", &self.except).finish()
    }
}

/// Whom to believe that a host is who it says.
#[derive(Clone, Copy)]
pub(crate) enum Roots {
    /// Nobody.
    None,
    /// Whom the system believes; where `SSL_CERT_FILE` or `SSL_CERT_DIR` is set, who stands there.
    OfSystem,
}

pub(crate) fn agent(options: &ClientOptions, roots: Roots) -> Result<Agent, Trouble> {
    let tls = TlsConfig::builder()
        .root_certs(certificates(roots))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build();
    let proxy = options.proxy.as_ref().map(proxy).transpose()?;
    let guard = Guard::new(options.addresses, proxy.as_ref().map(|proxy| (proxy.host().to_owned(), proxy.port())));
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .user_agent(concat!("gristmill/", env!("CARGO_PKG_VERSION")))
        .proxy(proxy)
        .timeout_connect(Some(options.connect_timeout))
        .timeout_global(Some(options.timeout))
        .max_idle_connections(4 * options.idle_connections)
        .max_idle_connections_per_host(options.idle_connections)
        .tls_config(tls)
        .build();
    Ok(Agent::with_parts(config, DefaultConnector::new(), guard))
}

fn certificates(roots: Roots) -> RootCerts {
    match roots {
        Roots::None => RootCerts::Specific(Arc::default()),
        Roots::OfSystem => {
            let found = rustls_native_certs::load_native_certs().certs;
            found.iter().map(|der| Certificate::from_der(der).to_owned()).collect::<Vec<_>>().into()
        }
    }
}

fn proxy(options: &ProxyOptions) -> Result<Proxy, Trouble> {
    let wrong =
        |_| Trouble::new(TroubleKind::Request, &Place::of(&options.url), "the proxy is not a URL of `http` or `https`");
    let named = Proxy::new(&options.url).map_err(wrong)?;
    let mut built = Proxy::builder(named.protocol()).host(named.host()).port(named.port());
    if let Some(name) = named.username() {
        built = built.username(name);
    }
    if let Some(password) = named.password() {
        built = built.password(password);
    }
    for host in &options.except {
        built = built.no_proxy(host);
    }
    built.build().map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_of_a_proxy_is_not_shown() {
        let proxy = ProxyOptions { url: "http://me:s3cret@proxy.example:3128".into(), except: vec![".local".into()] };
        let shown = format!("{proxy:?}");
        assert!(shown.contains("proxy.example:3128") && !shown.contains("s3cret"), "{shown}");
    }

    #[test]
    fn a_proxy_of_another_scheme_is_refused() {
        let proxy = Some(ProxyOptions { url: "ftp://proxy.example".into(), except: Vec::new() });
        let trouble = agent(&ClientOptions { proxy, ..ClientOptions::default() }, Roots::None).unwrap_err();
        assert_eq!(trouble.kind(), TroubleKind::Request);
    }
}
