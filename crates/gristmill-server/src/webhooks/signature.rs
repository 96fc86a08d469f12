//! Signatures over bodies.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// True when `given` is the signature of a body as hexadecimal digits after `sha256=`. The comparison takes the same time
/// wherever the two differ; what has no such form is compared like a wrong one.
pub fn is_signed(given: Option<&str>, body: &[u8], secret: &[u8]) -> bool {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret) else { return false };
    mac.update(body);
    let given = given.and_then(|given| given.strip_prefix("sha256=")).and_then(bytes);
    let formed = given.is_some();
    let equal = mac.verify_slice(&given.unwrap_or_default()).is_ok();
    formed && equal
}

/// True when two secrets are equal, in a time that does not tell where they differ.
pub fn is_same(given: &[u8], secret: &[u8]) -> bool {
    let code = |text: &[u8]| {
        Hmac::<Sha256>::new_from_slice(b"equal").ok().map(|mut mac| {
            mac.update(text);
            mac
        })
    };
    code(given).zip(code(secret)).is_some_and(|(given, secret)| given.verify(&secret.finalize().into_bytes()).is_ok())
}

/// The 32 bytes that 64 hexadecimal digits stand for.
fn bytes(digits: &str) -> Option<[u8; 32]> {
    if digits.len() != 64 || !digits.is_ascii() {
        return None;
    }
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.as_bytes().chunks(2)) {
        let [high, low] = *pair else { return None };
        let digit = |c: u8| char::from(c).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        *byte = digit(high)? << 4 | digit(low)?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4231, test case 2.
    const KEY: &[u8] = b"Jefe";
    const BODY: &[u8] = b"what do ya want for nothing?";
    const SIGNED: &str = "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";

    #[test]
    fn only_the_right_signature_is_taken() {
        assert!(is_signed(Some(SIGNED), BODY, KEY));
        assert!(is_signed(Some(&SIGNED.to_uppercase().replace("SHA", "sha")), BODY, KEY));
        let overlong = format!("{SIGNED}00");
        let flipped = SIGNED.replace("843", "844");
        for wrong in
            [None, Some(""), Some("sha256="), Some("sha1=5bdc"), Some(&*overlong), Some(&*flipped), Some(&SIGNED[7..])]
        {
            assert!(!is_signed(wrong, BODY, KEY), "{wrong:?}");
        }
        assert!(!is_signed(Some(SIGNED), b"another body", KEY));
        assert!(!is_signed(Some(SIGNED), BODY, b"another"));
        assert!(!is_signed(Some(&format!("sha256={}", "é".repeat(32))), BODY, KEY));
    }

    #[test]
    fn equal_secrets_are_the_same() {
        assert!(is_same(b"abc", b"abc"));
        assert!(!is_same(b"abd", b"abc") && !is_same(b"", b"abc") && !is_same(b"abcabc", b"abc"));
    }
}
