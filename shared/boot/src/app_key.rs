//! The private key of an app at the code host, and the tokens that it signs (RFC 7519, RS256).

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeyPair;
use aws_lc_rs::signature::RSA_PKCS1_SHA256;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rustls_pki_types::PrivateKeyDer;
use rustls_pki_types::pem::PemObject as _;
use serde_json::{Value, json};

/// An RSA private key.
pub(crate) struct AppKey(KeyPair);

impl AppKey {
    /// The key of a PEM text, as hosts hand it out (PKCS #1) or as tools convert it (PKCS #8).
    pub(crate) fn from_pem(pem: &str) -> Option<Self> {
        let key = match PrivateKeyDer::from_pem_slice(pem.as_bytes()).ok()? {
            PrivateKeyDer::Pkcs1(der) => KeyPair::from_der(der.secret_pkcs1_der()),
            PrivateKeyDer::Pkcs8(der) => KeyPair::from_pkcs8(der.secret_pkcs8_der()),
            _ => return None,
        };
        key.ok().map(Self)
    }

    /// A token of these claims; `None` where the system has no random numbers to blind the key with.
    pub(crate) fn token(&self, claims: &Value) -> Option<String> {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let message = format!("{}.{}", part(&json!({ "alg": "RS256", "typ": "JWT" })), part(claims));
        let mut signature = vec![0; self.0.public_modulus_len()];
        let random = SystemRandom::new();
        self.0.sign(&RSA_PKCS1_SHA256, &random, message.as_bytes(), &mut signature).ok()?;
        Some(format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature)))
    }
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::encoding::{AsDer as _, Pkcs8V1Der};
    use aws_lc_rs::rsa::{KeyPair, KeySize};
    use base64::engine::general_purpose::STANDARD;
    use serde_json::json;

    use base64::Engine as _;

    use super::AppKey;

    #[test]
    fn a_key_is_read_in_either_form_and_signs() {
        let made = KeyPair::generate(KeySize::Rsa2048).unwrap();
        let der: Pkcs8V1Der<'_> = made.as_der().unwrap();
        let pem = |label: &str, der: &[u8]| {
            format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", STANDARD.encode(der))
        };
        let whole = pem("PRIVATE KEY", der.as_ref());
        // What PKCS #8 wraps, of a key of this size.
        let bare = pem("RSA PRIVATE KEY", &der.as_ref()[26..]);
        let tokens =
            [whole, bare].map(|pem| AppKey::from_pem(&pem).unwrap().token(&json!({ "iss": "7" })).unwrap());
        assert_eq!(tokens[0], tokens[1]);
        assert_eq!(tokens[0].split('.').count(), 3);
        for wrong in ["", "hush", &pem("PRIVATE KEY", b"no key"), &pem("CERTIFICATE", der.as_ref())] {
            assert!(AppKey::from_pem(wrong).is_none());
        }
    }
}
