//! Tokens: made at random, kept as hashes.

use std::fmt::Write;
use std::fs::File;
use std::io::Read;

use gristmill::{Error, Result};
use sha2::{Digest, Sha256};

/// A token that was just made. It is shown once and kept nowhere.
pub struct NewToken {
    /// What its bearer sends.
    pub token: String,
    /// What the settings hold.
    pub hash: String,
}

/// Makes a token of 256 random bits.
///
/// # Errors
/// When the system gives no random numbers.
pub fn new_token() -> Result<NewToken> {
    let mut bytes = [0; 32];
    let filled = File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut bytes));
    filled.map_err(|cause| Error::config("the system gives no random numbers").because(cause))?;
    let token = format!("gm_{}", hexadecimal(&bytes));
    let hash = format!("sha256:{}", hash(&token));
    Ok(NewToken { token, hash })
}

/// The hash of a token. A token has 256 random bits, so that nothing is gained by a slow hash.
pub fn hash(token: &str) -> String {
    hexadecimal(&Sha256::digest(token.as_bytes()))
}

pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut out, byte| {
        // Writing to a string cannot fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_the_standard() {
        // FIPS 180-2, appendix B.1.
        assert_eq!(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn tokens_differ() {
        let (one, other) = (new_token().unwrap(), new_token().unwrap());
        assert_ne!(one.token, other.token);
        assert_eq!(one.hash, format!("sha256:{}", hash(&one.token)));
    }
}
