//! What requests say, read and checked.

use std::time::Duration;

use axum::http::{HeaderMap, StatusCode, header};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::problem::Problem;
use crate::route::Call;

impl Call {
    /// The body as JSON of a shape.
    ///
    /// # Errors
    /// 415 for another kind of body, 400 for what is no JSON, 422 for another shape; it tells where.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        if !is_json(&self.headers) {
            return Err(Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "unsupported-media-type",
                "the body must be of type application/json",
            ));
        }
        read(&self.body)
    }

    /// The same where an object is meant; a list of its values in order is none.
    ///
    /// # Errors
    /// As [`Call::json`].
    pub fn object<T: DeserializeOwned>(&self, inner: &[&str]) -> Result<T, Problem> {
        let value: Value = self.json()?;
        let wrong = |pointer: String| Problem::invalid("an object is needed").pointing(pointer, "no object");
        if !value.is_object() {
            return Err(wrong(String::new()));
        }
        if let Some(name) = inner.iter().find(|name| value.get(name).is_some_and(Value::is_array)) {
            return Err(wrong(format!("/{name}")));
        }
        shaped(value)
    }

    /// A whole number of the query within bounds.
    ///
    /// # Errors
    /// 422 when it is none.
    pub fn number(&self, name: &str, usual: usize, most: usize) -> Result<usize, Problem> {
        let Some(text) = self.query.get(name) else { return Ok(usual) };
        let number = text.parse().ok().filter(|number| (1..=most).contains(number));
        number.ok_or_else(|| {
            let wrong = format!("must be a whole number from 1 to {most}");
            Problem::invalid(format!("`{name}` {wrong}")).pointing(name, wrong)
        })
    }

    /// A time such as `30s` or `30`, as far as it is allowed.
    ///
    /// # Errors
    /// 422 when it is none.
    pub fn time(&self, name: &str, most: Duration) -> Result<Option<Duration>, Problem> {
        let Some(text) = self.query.get(name) else { return Ok(None) };
        let digits = text.strip_suffix('s').unwrap_or(text);
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let seconds = plain.then(|| digits.parse::<u32>().ok()).flatten();
        let wrong = || Problem::invalid(format!("`{name}` must be a time such as 30s")).pointing(name, "not a time");
        Ok(Some(Duration::from_secs(seconds.ok_or_else(wrong)?.into()).min(most)))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json") || kind.to_ascii_lowercase().ends_with("+json")
}

/// JSON of a shape, with a pointer to what is wrong.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let mut value: Value = serde_json::from_slice(bytes).map_err(|error| malformed(&error))?;
    whole(&mut value);
    shaped(value)
}

fn shaped<T: DeserializeOwned>(value: Value) -> Result<T, Problem> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let detail = error.inner().to_string();
        Problem::invalid(format!("the body has another shape: {detail}")).pointing(pointer(error.path()), detail)
    })
}

/// Numbers such as `5.0` are whole numbers in JSON.
fn whole(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let is_whole = |number: &f64| number.fract() == 0.0 && number.abs() < 9e15;
            if let Some(float) = number.as_f64().filter(|float| !number.is_i64() && !number.is_u64() && is_whole(float))
            {
                *value = Value::from(float as i64);
            }
        }
        Value::Array(list) => list.iter_mut().for_each(whole),
        Value::Object(map) => map.values_mut().for_each(whole),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

fn malformed(error: &serde_json::Error) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "malformed", format!("the body is no JSON: {error}"))
}

/// A path as a JSON pointer.
fn pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    path.iter().fold(String::new(), |mut out, segment| {
        out.push('/');
        match segment {
            Segment::Seq { index } => out.push_str(&index.to_string()),
            Segment::Map { key } => out.push_str(&key.replace('~', "~0").replace('/', "~1")),
            Segment::Enum { variant } => out.push_str(variant),
            Segment::Unknown => out.push('?'),
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Sample {
        #[expect(dead_code, reason = "only its shape is looked at")]
        list: Vec<u8>,
    }

    #[test]
    fn what_is_wrong_is_pointed_at() {
        let problem = read::<Sample>(br#"{"list": [1, "x"]}"#).unwrap_err();
        assert_eq!((problem.status, problem.errors[0].pointer.as_str()), (422, "/list/1"));
        assert_eq!(read::<Sample>(b"{").unwrap_err().status, 400);
        assert_eq!(read::<Sample>(b"{\"list\": []} x").unwrap_err().status, 400);
        assert_eq!(read::<Sample>(b"\xff\xfe").unwrap_err().status, 400);
        let deep = [vec![b'['; 100_000], vec![b']'; 100_000]].concat();
        assert!(read::<Value>(&deep).is_err());
        assert!(read::<Sample>(b"{\"list\": [5.0]}").is_ok() && read::<Sample>(b"{\"list\": [5.5]}").is_err());
    }
}
