//! The app's key pair: the service has the private part, the host believes only what it signs.

use aws_lc_rs::encoding::AsDer as _;
use aws_lc_rs::encoding::Pkcs8V1Der;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{KeyPair as _, RSA_PKCS1_2048_8192_SHA256, RsaKeyPair, UnparsedPublicKey};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jiff::Timestamp;
use serde_json::Value;

/// Bytes of PKCS #8 before the key itself, for RSA of 2,048 bits.
const PKCS8_HEAD: usize = 26;

/// Seconds that a token of the app counts at most.
const LONGEST: i64 = 600;

pub(crate) struct AppKey(RsaKeyPair);

impl AppKey {
    pub(crate) fn new() -> Self {
        Self(RsaKeyPair::generate(KeySize::Rsa2048).expect("a key"))
    }

    /// The private key as hosts hand it out: PKCS #1.
    pub(crate) fn pem(&self) -> String {
        let der: Pkcs8V1Der<'_> = self.0.as_der().expect("a key can be written");
        let text = STANDARD.encode(&der.as_ref()[PKCS8_HEAD..]);
        let lines: Vec<&str> =
            text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).expect("ASCII")).collect();
        format!("-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----\n", lines.join("\n"))
    }

    /// Whether a token is this app's, and counts now.
    pub(crate) fn believes(&self, token: &str, app: u64, now: Timestamp) -> bool {
        let Some((message, signature)) = token.rsplit_once('.') else { return false };
        let Some((head, claims)) = message.split_once('.') else { return false };
        let decode = |part: &str| URL_SAFE_NO_PAD.decode(part).ok();
        let read = |part: &str| serde_json::from_slice::<Value>(&decode(part)?).ok();
        let (Some(head), Some(claims), Some(signature)) = (read(head), read(claims), decode(signature))
        else {
            return false;
        };
        let public = self.0.public_key().as_ref();
        let key = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, public);
        let (Some(issued), Some(ends)) = (claims["iat"].as_i64(), claims["exp"].as_i64()) else {
            return false;
        };
        let now = now.as_second();
        head["alg"] == "RS256"
            && key.verify(message.as_bytes(), &signature).is_ok()
            && claims["iss"].as_str().and_then(|issuer| issuer.parse().ok()) == Some(app)
            && (issued..ends).contains(&now)
            && ends <= now + LONGEST
    }
}
