//! How long a service asks to be left alone.

use std::time::{Duration, SystemTime};

use crate::Response;

/// The pause that a service asks for: `Retry-After` (RFC 9110, 10.2.3) as seconds or as a date in any of its three
/// forms, or the finer `retry-after-ms` that some services send. A date is compared with the service's own `Date` where
/// the answer has one, since clocks differ, else with `now`; one that has passed asks for no pause.
pub fn retry_after(response: &Response, now: SystemTime) -> Option<Duration> {
    if let Some(pause) = response.header("retry-after-ms").and_then(digits) {
        return Some(Duration::from_millis(pause));
    }
    let asked = response.header("retry-after")?.trim();
    if let Some(seconds) = digits(asked) {
        return Some(Duration::from_secs(seconds));
    }
    let until = httpdate::parse_http_date(asked).ok()?;
    let sent = response.header("date").and_then(|date| httpdate::parse_http_date(date).ok()).unwrap_or(now);
    Some(until.duration_since(sent).unwrap_or_default())
}

/// A number of digits only; one that is too large is the largest.
fn digits(text: &str) -> Option<u64> {
    let text = text.trim();
    let valid = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    valid.then(|| text.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use ureq::http::HeaderMap;

    use super::*;

    /// Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110, 5.6.7.
    const EXAMPLE: u64 = 784_111_777;

    fn pause(headers: &[(&'static str, &str)], now: u64) -> Option<Duration> {
        let headers: HeaderMap =
            headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        retry_after(&Response::new(429, headers, Vec::new()), SystemTime::UNIX_EPOCH + Duration::from_secs(now))
    }

    #[test]
    fn seconds() {
        assert_eq!(pause(&[("Retry-After", "120")], 0), Some(Duration::from_secs(120)));
        assert_eq!(pause(&[("retry-after", " 0 ")], 0), Some(Duration::ZERO));
        let huge = "99999999999999999999999";
        assert_eq!(pause(&[("retry-after", huge)], 0), Some(Duration::from_secs(u64::MAX)));
    }

    #[test]
    fn dates_of_all_three_forms() {
        for date in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            assert_eq!(pause(&[("retry-after", date)], EXAMPLE - 30), Some(Duration::from_secs(30)), "{date}");
            assert_eq!(pause(&[("retry-after", date)], EXAMPLE + 30), Some(Duration::ZERO), "{date}");
        }
    }

    #[test]
    fn the_clock_of_the_service_counts() {
        let headers = [("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT"), ("date", "Sun, 06 Nov 1994 08:49:30 GMT")];
        assert_eq!(pause(&headers, EXAMPLE + 3600), Some(Duration::from_secs(7)));
    }

    #[test]
    fn milliseconds_are_finer() {
        assert_eq!(pause(&[("retry-after-ms", "250"), ("retry-after", "1")], 0), Some(Duration::from_millis(250)));
    }

    #[test]
    fn what_is_no_pause() {
        for value in ["", "soon", "-1", "1.5", "+3"] {
            assert_eq!(pause(&[("retry-after", value)], 0), None, "{value}");
        }
        assert_eq!(pause(&[], 0), None);
    }
}
