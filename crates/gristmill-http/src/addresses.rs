//! Which addresses may be connected to.
//!
//! The check is made on what a name was found to stand for, and the connection is made to just those addresses, so that a
//! name that stands for something else a moment later leads nowhere.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

/// Which addresses may be connected to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Addresses {
    /// All.
    #[default]
    Any,
    /// Those that anybody can reach: no loopback, no private networks, nothing else that is set apart. What a proxy
    /// connects to is its own affair, but for hosts that are given as an address or as `localhost`.
    Public,
}

/// True for addresses that are reached by anybody: those that the registries of special-purpose addresses (IANA; RFC 6890)
/// do not set apart. An IPv6 address that stands for an IPv4 one is judged as that.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    const SET_APART: &[([u8; 4], u32)] = &[
        ([0, 0, 0, 0], 8),
        ([10, 0, 0, 0], 8),
        ([100, 64, 0, 0], 10),
        ([127, 0, 0, 0], 8),
        ([169, 254, 0, 0], 16),
        ([172, 16, 0, 0], 12),
        ([192, 0, 0, 0], 24),
        ([192, 0, 2, 0], 24),
        ([192, 88, 99, 0], 24),
        ([192, 168, 0, 0], 16),
        ([198, 18, 0, 0], 15),
        ([198, 51, 100, 0], 24),
        ([203, 0, 113, 0], 24),
        // Multicast, and what is reserved, with the broadcast address.
        ([224, 0, 0, 0], 3),
    ];
    let bits = address.to_bits();
    !SET_APART.iter().any(|(start, length)| (bits ^ u32::from_be_bytes(*start)) >> (32 - length) == 0)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // Mapped, translated (RFC 6052) and 6to4 (RFC 3056).
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => {
            is_public_v4(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)))
        }
        // Protocol assignments, Teredo among them; documentation.
        [0x2001, second, ..] => second >= 0x0200 && second != 0x0db8,
        [0x3fff, second, ..] => second >= 0x1000,
        // Of the rest only global unicast addresses are handed out.
        [first, ..] => first >> 13 == 1,
    }
}

/// What was refused.
#[derive(Debug)]
pub(crate) struct NotPublic;

impl fmt::Display for NotPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the host is on this machine or in a private network, which is not allowed")
    }
}

impl std::error::Error for NotPublic {}

impl Addresses {
    /// False when the host of a URL is given in a form that needs no looking up and may not be connected to.
    pub fn allow(self, url: &str) -> bool {
        let uri: Result<Uri, _> = url.parse();
        let host = uri.as_ref().ok().and_then(Uri::host).unwrap_or_default();
        self == Self::Any || allows_host(host)
    }
}

fn allows_host(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.').to_ascii_lowercase();
    let is_local = host == "localhost" || host.ends_with(".localhost");
    !is_local && host.parse().map_or(true, is_public)
}

/// Looks hosts up and keeps of their addresses those that are allowed.
pub(crate) struct Guard {
    inner: DefaultResolver,
    addresses: Addresses,
    /// Host and port of the proxy, which is where whoever set it wants it.
    proxy: Option<(String, u16)>,
}

impl Guard {
    pub(crate) fn new(addresses: Addresses, proxy: Option<(String, u16)>) -> Self {
        Self { inner: DefaultResolver::default(), addresses, proxy }
    }

    fn is_proxy(&self, uri: &Uri) -> bool {
        let (Some((host, port)), Some(authority)) = (&self.proxy, uri.authority()) else { return false };
        authority.host() == host && authority.port_u16().is_none_or(|given| given == *port)
    }
}

impl Resolver for Guard {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.inner.resolve(uri, config, timeout)?;
        if self.addresses == Addresses::Any || self.is_proxy(uri) {
            return Ok(found);
        }
        let mut kept = self.empty();
        found.iter().filter(|address| is_public(SocketAddr::ip(address))).for_each(|address| kept.push(*address));
        if kept.is_empty() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, NotPublic).into());
        }
        Ok(kept)
    }
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard").field("addresses", &self.addresses).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_are_set_apart_are_not_public() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "10.255.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "203.0.113.9",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn neighbours_of_those_are_public() {
        for address in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.1",
            "169.253.255.255",
            "172.15.255.255",
            "172.32.0.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "::ffff:1.1.1.1",
            "64:ff9b::1.1.1.1",
            "2002:101:101::1",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2606:4700:4700::1111",
            "2a00:1450::1",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn hosts_that_need_no_looking_up_are_judged_as_they_stand() {
        for url in [
            "http://localhost/",
            "http://LOCALHOST.:8080/",
            "https://a.localhost",
            "http://[::1]:80/x",
            "http://127.0.0.1",
            "http://[::ffff:10.0.0.1]/",
            "http://me@192.168.0.1/",
        ] {
            assert!(!Addresses::Public.allow(url) && Addresses::Any.allow(url), "{url}");
        }
        for url in ["http://localhost.example/", "https://example.org", "http://1.1.1.1:8080/"] {
            assert!(Addresses::Public.allow(url), "{url}");
        }
    }
}
