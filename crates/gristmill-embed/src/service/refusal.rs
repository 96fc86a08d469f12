//! Why a service refuses, by its status and its own words.

use std::time::Duration;

use gristmill_core::Remedy;
use serde_json::Value;

/// A service's refusal.
pub(crate) struct Refusal {
    status: u16,
    /// What the service says, on one line.
    pub words: String,
    /// The same and what it has besides, in lower case.
    evidence: String,
    shortened: bool,
}

/// Characters of a service's words that are shown.
const SHOWN: usize = 300;

/// Bytes of a body that are looked at.
const READ: usize = 16 << 10;

impl Refusal {
    /// `shortened` tells that vectors of a length of their own were asked for.
    pub(crate) fn of(status: u16, body: &[u8], shortened: bool) -> Self {
        let text = String::from_utf8_lossy(body.get(..READ).unwrap_or(body)).into_owned();
        let json = serde_json::from_slice(body).unwrap_or(Value::Null);
        let words = one_line(message(&json).unwrap_or(if text.trim_start().starts_with('<') { "" } else { &text }));
        let words = if words.is_empty() { "no reason given".to_owned() } else { words };
        Self { status, words, evidence: text.to_lowercase(), shortened }
    }

    /// What may help. `pause` is what the service asks for.
    pub(crate) fn remedy(&self, pause: Option<Duration>) -> Remedy {
        match self.status {
            429 if self.is_spent() => Remedy::Nothing,
            429 => Remedy::Again(pause),
            413 => Remedy::Fewer,
            400 | 422 if self.is_settings() => Remedy::Nothing,
            400 | 422 | 500 if self.is_too_much() => Remedy::Fewer,
            400 | 422 => Remedy::Apart,
            501 | 505 => Remedy::Nothing,
            // 424: the model behind the service failed.
            408 | 409 | 423 | 424 | 425 | 500.. => Remedy::Again(pause),
            _ => Remedy::Nothing,
        }
    }

    /// What to do about it.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self.status {
            401 | 403 => Some("is the key named by `[embed] api_key_env` right?"),
            300..=399 | 404 | 405 => Some("are `[embed] base_url` and `model` right?"),
            400 | 422 if self.is_settings() => Some("are `[embed] model` and `dimensions` right?"),
            402 | 429 if self.is_spent() => Some("the account has nothing left to spend"),
            _ => None,
        }
    }

    fn says(&self, any: &[&str]) -> bool {
        any.iter().any(|words| self.evidence.contains(words))
    }

    /// Nothing is left to spend. Some services name their billing page where only their pace is too fast.
    fn is_spent(&self) -> bool {
        self.status == 402
            || self.says(&[
                "insufficient_quota",
                "exceeded your current quota",
                "credit balance",
                "insufficient balance",
            ])
            || self.says(&["billing"]) && !self.says(&["rate limit"])
    }

    /// No text is at fault.
    fn is_settings(&self) -> bool {
        self.says(&["model_not_found", "model not found", "invalid api key", "invalid_api_key", "api key not valid"])
            || self.shortened && self.says(&["dimension"])
    }

    /// Texts are too many or too long.
    fn is_too_much(&self) -> bool {
        const SIGNS: &[&str] = &[
            "too long",
            "too many",
            "too large",
            "max_tokens_per_request",
            "max tokens per request",
            "maximum context length",
            "exceeds the context length",
            "max allowed tokens",
            "batch size",
            "must have less than",
        ];
        self.says(SIGNS)
    }
}

/// What the shapes in use hold for people to read.
fn message(json: &Value) -> Option<&str> {
    let paths = ["/error/message", "/message", "/detail", "/error", "/detail/0/msg", "/errors/0/message"];
    paths.iter().find_map(|path| json.pointer(path).and_then(Value::as_str))
}

fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    let line = words.join(" ");
    let end = line.char_indices().nth(SHOWN).map(|(at, _)| at);
    let shown = end.map_or_else(|| line.clone(), |end| format!("{}…", &line[..end]));
    shown.trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remedy(status: u16, body: &str) -> Remedy {
        Refusal::of(status, body.as_bytes(), false).remedy(None)
    }

    #[test]
    fn pace_is_kept_and_an_empty_purse_is_final() {
        let pause = Some(Duration::from_secs(7));
        let refusal = Refusal::of(429, b"slow down", false);
        assert_eq!(refusal.remedy(pause), Remedy::Again(pause));
        let spent = r#"{"error": {"message": "You exceeded your current quota.", "code": "insufficient_quota"}}"#;
        assert_eq!(Refusal::of(429, spent.as_bytes(), false).remedy(pause), Remedy::Nothing);
        let no_card = "add your payment method in the billing page; until then you have reduced rate limits";
        assert_eq!(remedy(429, no_card), Remedy::Again(None));
        assert_eq!(remedy(402, "pay"), Remedy::Nothing);
    }

    #[test]
    fn what_may_pass_is_tried_again() {
        for status in [408, 409, 424, 500, 502, 503, 504, 529] {
            assert_eq!(remedy(status, "down"), Remedy::Again(None), "{status}");
        }
    }

    #[test]
    fn too_much_is_halved() {
        for (status, body) in [
            (413, ""),
            (
                400,
                r#"{"error": {"message": "Requested 300500 tokens, max 300000 tokens per request", "code": "max_tokens_per_request"}}"#,
            ),
            (400, "This model's maximum context length is 8192 tokens"),
            (422, r#"{"error": "batch size 40 > maximum allowed batch size 32"}"#),
            (400, "too many inputs"),
            (500, r#"{"error": "the input length exceeds the context length"}"#),
        ] {
            assert_eq!(remedy(status, body), Remedy::Fewer, "{status} {body}");
        }
    }

    #[test]
    fn other_refusals_of_input_take_it_apart() {
        for status in [400, 422] {
            assert_eq!(remedy(status, "an input is not acceptable"), Remedy::Apart);
        }
    }

    #[test]
    fn settings_are_final() {
        for status in [301, 401, 403, 404, 405, 410, 415, 501] {
            assert_eq!(remedy(status, "no"), Remedy::Nothing, "{status}");
        }
        assert_eq!(remedy(400, r#"{"error": {"code": "model_not_found"}}"#), Remedy::Nothing);
        let shorter = Refusal::of(400, b"this model does not support `dimensions`", true);
        assert_eq!(shorter.remedy(None), Remedy::Nothing);
    }

    #[test]
    fn words_are_found_in_every_shape_and_bounded() {
        for (body, words) in [
            (r#"{"error": {"message": "Too slow.\n"}}"#, "Too slow"),
            (r#"{"message": "no such model"}"#, "no such model"),
            (r#"{"detail": [{"msg": "empty"}]}"#, "empty"),
            (r#"{"error": "gone"}"#, "gone"),
            ("plain  words", "plain words"),
            ("<html><body>502</body></html>", "no reason given"),
            ("", "no reason given"),
        ] {
            assert_eq!(Refusal::of(400, body.as_bytes(), false).words, words, "{body}");
        }
        let long = Refusal::of(400, "é".repeat(100_000).as_bytes(), false).words;
        assert_eq!(long.chars().count(), SHOWN + 1);
    }
}
