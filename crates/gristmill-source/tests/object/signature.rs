//! The signature of a request to S3, worked out from what arrived (AWS Signature Version 4, "Create a signed request").

use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::stand_in::Request;

/// The value that the header `authorization` is to have.
pub fn expected(request: &Request, key: &str, secret: &str, region: &str) -> String {
    let given = request.header("authorization").unwrap_or_default();
    let signed = given.split("SignedHeaders=").nth(1).and_then(|rest| rest.split(',').next()).unwrap_or_default();
    let mut canonical = format!("{}\n{}\n{}\n", request.method, request.path, sorted(&request.query));
    for name in signed.split(';') {
        let _ = writeln!(canonical, "{name}:{}", request.header(name).unwrap_or_default());
    }
    let payload = request.header("x-amz-content-sha256").unwrap_or_default();
    let _ = write!(canonical, "\n{signed}\n{payload}");
    let time = request.header("x-amz-date").unwrap_or_default();
    let day = time.get(..8).unwrap_or_default();
    let scope = format!("{day}/{region}/s3/aws4_request");
    let text = format!("AWS4-HMAC-SHA256\n{time}\n{scope}\n{}", hex(&Sha256::digest(canonical)));
    let start = format!("AWS4{secret}").into_bytes();
    let signing = [day, region, "s3", "aws4_request"].iter().fold(start, |key, part| hmac(&key, part));
    let signature = hex(&hmac(&signing, &text));
    format!("AWS4-HMAC-SHA256 Credential={key}/{scope}, SignedHeaders={signed}, Signature={signature}")
}

fn sorted(query: &str) -> String {
    let mut pairs: Vec<&str> = query.split('&').filter(|pair| !pair.is_empty()).collect();
    pairs.sort_unstable();
    pairs.join("&")
}

/// RFC 2104.
fn hmac(key: &[u8], text: &str) -> Vec<u8> {
    let mut block = [0; 64];
    let key = if key.len() > 64 { Sha256::digest(key).to_vec() } else { key.to_vec() };
    block[..key.len()].copy_from_slice(&key);
    let inner = Sha256::new().chain_update(block.map(|byte| byte ^ 0x36)).chain_update(text).finalize();
    Sha256::new().chain_update(block.map(|byte| byte ^ 0x5c)).chain_update(inner).finalize().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_code_is_that_of_its_standard() {
    // RFC 4231, 4.3.
    let code = hmac(b"Jefe", "what do ya want for nothing?");
    assert_eq!(hex(&code), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}
