//! Sending.

use std::io::Read;
use std::sync::OnceLock;

use ureq::http::{self, Request};
use ureq::{Agent, Body};

use crate::addresses::NotPublic;
use crate::options::{self, Roots};
use crate::trouble::Place;
use crate::{ClientOptions, Headers, Response, Trouble, TroubleKind};

/// Sends requests and keeps connections open between them. May be shared by threads.
#[derive(Debug)]
pub struct Client {
    options: ClientOptions,
    plain: Agent,
    secure: OnceLock<Agent>,
}

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Reads the headers alone.
    Head,
    /// Hands something in.
    Post,
    /// Puts something in place.
    Put,
    /// Changes a part.
    Patch,
    /// Removes.
    Delete,
}

impl Client {
    /// A client that has not connected yet.
    ///
    /// # Errors
    /// When the proxy is not a URL of the scheme `http` or `https`.
    pub fn new(options: ClientOptions) -> Result<Self, Trouble> {
        let plain = options::agent(&options, Roots::None)?;
        Ok(Self { options, plain, secure: OnceLock::new() })
    }

    /// Sends one request and reads its answer whole, whatever its status. Redirects are not followed. Only `POST`, `PUT`
    /// and `PATCH` have a body; theirs is empty where none is given.
    ///
    /// # Errors
    /// When the request is not well formed, or no whole answer came within the time and size allowed.
    pub fn send(&self, method: Method, url: &str, headers: &Headers, body: Option<&[u8]>) -> Result<Response, Trouble> {
        let place = Place::of(url);
        let answer = self.ask(method, url, headers, body, &place)?;
        read(answer, self.options.body_limit, &place)
    }

    /// Reads a resource as far as it is wanted: `wanted` sees the answer without its body and says how many bytes of it
    /// may come, unpacked; none where the body is to be left alone.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub fn get(
        &self,
        url: &str,
        headers: &Headers,
        wanted: impl FnOnce(&Response) -> Option<usize>,
    ) -> Result<Response, Trouble> {
        let place = Place::of(url);
        let (head, body) = self.ask(Method::Get, url, headers, None, &place)?.into_parts();
        let bare = Response::new(head.status.as_u16(), head.headers.clone(), Vec::new());
        match wanted(&bare) {
            Some(limit) => read(http::Response::from_parts(head, body), limit.min(self.options.body_limit), &place),
            None => Ok(bare),
        }
    }

    fn ask(
        &self,
        method: Method,
        url: &str,
        headers: &Headers,
        body: Option<&[u8]>,
        place: &Place,
    ) -> Result<http::Response<Body>, Trouble> {
        if !self.options.addresses.allow(url) {
            return Err(Trouble::new(TroubleKind::Request, place, NotPublic));
        }
        let agent = self.agent(url)?;
        let answer = if method.has_body() {
            agent.run(request(method, url, headers, body.unwrap_or_default(), place)?)
        } else if body.is_none() {
            agent.run(request(method, url, headers, (), place)?)
        } else {
            return Err(Trouble::new(TroubleKind::Request, place, "a request of this method has no body"));
        };
        answer.map_err(|error| Trouble::of(error, place))
    }

    /// Certificates are only read when something is encrypted.
    fn agent(&self, url: &str) -> Result<&Agent, Trouble> {
        if !url.get(..6).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https:")) {
            return Ok(&self.plain);
        }
        if let Some(agent) = self.secure.get() {
            return Ok(agent);
        }
        let agent = options::agent(&self.options, Roots::OfSystem)?;
        Ok(self.secure.get_or_init(|| agent))
    }
}

fn read(answer: http::Response<Body>, limit: usize, place: &Place) -> Result<Response, Trouble> {
    let (head, body) = answer.into_parts();
    let mut bytes = Vec::new();
    let reader = body.into_with_config().limit(u64::MAX).reader();
    let read = reader.take((limit as u64).saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| Trouble::of(error.into(), place))?;
    if bytes.len() > limit {
        return Err(Trouble::new(TroubleKind::TooLarge, place, format!("the answer is above {limit} bytes")));
    }
    Ok(Response::new(head.status.as_u16(), head.headers, bytes))
}

fn request<B>(method: Method, url: &str, headers: &Headers, body: B, place: &Place) -> Result<Request<B>, Trouble> {
    let mut request = Request::builder().method(method.standard()).uri(url);
    for (name, value) in headers.iter() {
        request = request.header(name, value);
    }
    request.body(body).map_err(|error| Trouble::of(error.into(), place))
}

impl Method {
    fn has_body(self) -> bool {
        matches!(self, Self::Post | Self::Put | Self::Patch)
    }

    fn standard(self) -> http::Method {
        match self {
            Self::Get => http::Method::GET,
            Self::Head => http::Method::HEAD,
            Self::Post => http::Method::POST,
            Self::Put => http::Method::PUT,
            Self::Patch => http::Method::PATCH,
            Self::Delete => http::Method::DELETE,
        }
    }
}
