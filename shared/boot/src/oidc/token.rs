//! Which signed tokens are believed (OpenID Connect Core 1.0, section 3.1.3.7): signed with a key that the provider
//! shows, issued by it, for this service alone, for this attempt, and in time.

use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::jwk::{Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// How far the provider's clock may be from ours.
const SKEW: SignedDuration = SignedDuration::from_secs(60);

/// Signatures that are believed: those that only the provider can make.
const SIGNATURES: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// The keys that a provider shows. Keys of kinds that are unknown here are passed over.
#[derive(Debug, Deserialize)]
pub(super) struct Keys {
    #[serde(deserialize_with = "known")]
    keys: Vec<Jwk>,
}

fn known<'de, D: Deserializer<'de>>(keys: D) -> Result<Vec<Jwk>, D::Error> {
    let keys = Vec::<Value>::deserialize(keys)?;
    Ok(keys.into_iter().filter_map(|key| serde_json::from_value(key).ok()).collect())
}

/// What a token says.
#[derive(Debug, Deserialize)]
pub(super) struct Claims {
    pub(super) sub: String,
    pub(super) email: Option<String>,
    pub(super) email_verified: Option<bool>,
    pub(super) name: Option<String>,
    iss: Option<String>,
    aud: Option<Audience>,
    azp: Option<String>,
    exp: Option<f64>,
    iat: Option<f64>,
    nbf: Option<f64>,
    nonce: Option<String>,
    /// All else, such as groups.
    #[serde(flatten)]
    pub(super) rest: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

impl Keys {
    /// What a token says that one of these keys signed.
    ///
    /// # Errors
    /// Why it is not believed.
    pub(super) fn signed(&self, token: &str) -> Result<Claims, Error> {
        let header = decode_header(token)?;
        if !SIGNATURES.contains(&header.alg) {
            return Err(ErrorKind::InvalidAlgorithm.into());
        }
        let mut validation = Validation::new(header.alg);
        // These need our clock and more of the attempt than the library knows: see `Claims`.
        validation.validate_exp = false;
        validation.validate_aud = false;
        validation.required_spec_claims.clear();
        let named = |key: &&Jwk| header.kid.is_none() || key.common.key_id == header.kid;
        let mut last = Error::from(ErrorKind::InvalidSignature);
        for key in self.keys.iter().filter(named).filter(|key| may_sign(key, header.alg)) {
            let checked = DecodingKey::from_jwk(key).and_then(|key| decode(token, &key, &validation));
            match checked {
                Ok(data) => return Ok(data.claims),
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}

/// Whether a key is for signatures, and for this algorithm where it names one.
fn may_sign(key: &Jwk, algorithm: Algorithm) -> bool {
    let signs = matches!(key.common.public_key_use, None | Some(PublicKeyUse::Signature));
    let named = key.common.key_algorithm.map(|named| named.to_string());
    signs && named.is_none_or(|named| named.parse() == Ok(algorithm))
}

impl Claims {
    /// Refuses what another provider says, or says to another service too.
    pub(super) fn check_parties(&self, issuer: &str, client: &str) -> Result<(), &'static str> {
        if self.iss.as_deref() != Some(issuer) {
            return Err("another provider issued the token");
        }
        let for_us = match &self.aud {
            Some(Audience::One(audience)) => audience == client,
            Some(Audience::Many(audiences)) => audiences == &[client],
            None => false,
        };
        if !for_us || self.azp.as_deref().is_some_and(|party| party != client) {
            return Err("the token is not for this service alone");
        }
        Ok(())
    }

    /// Refuses a token of another attempt or another time.
    pub(super) fn check_attempt(&self, nonce: &str, now: Timestamp) -> Result<(), &'static str> {
        if self.nonce.as_deref() != Some(nonce) {
            return Err("the token is of another attempt");
        }
        #[expect(clippy::cast_precision_loss, reason = "seconds of this millennium are exact in 53 bits")]
        let (earliest, latest) = ((now - SKEW).as_second() as f64, (now + SKEW).as_second() as f64);
        if self.exp.is_none_or(|end| end <= earliest) {
            return Err("the token has expired, or never does");
        }
        if self.iat.is_none_or(|issued| issued > latest) || self.nbf.is_some_and(|begin| begin > latest) {
            return Err("the token is of the future");
        }
        Ok(())
    }
}
