//! An answer.

use std::borrow::Cow;
use std::fmt;

use ureq::http::HeaderMap;

/// The answer of a service, of any status.
pub struct Response {
    status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Response {
    pub(crate) fn new(status: u16, headers: HeaderMap, body: Vec<u8>) -> Self {
        Self { status, headers, body }
    }

    /// The status, 100 to 999.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// True when the status is 200 to 299.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The first value of a header, whose name is read without regard to case. `None` also when it is not ASCII text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Names, in lower case, and values of all headers. Length and packing of a body that was unpacked are not among them.
    pub fn headers(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes()))
    }

    /// The body, unpacked.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The body as text; what is no UTF-8 is replaced by U+FFFD.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }
}

impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("status", &self.status)
            .field("bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}
