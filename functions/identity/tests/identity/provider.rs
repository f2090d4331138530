//! An identity provider on loopback that speaks OpenID Connect and signs its tokens, and lies when told to.

use std::collections::BTreeMap;
use std::sync::Arc;

use aws_lc_rs::encoding::{AsBigEndian as _, EcPublicKeyUncompressedBin};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _, RSA_PKCS1_SHA256, RsaKeyPair,
};
use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::{HeaderMap, StatusCode, header};
use parking_lot::Mutex;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use svc_app::ports::Clock as _;
use svc_boot::OidcSettings;
use svc_testkit::TestClock;

pub(crate) const CLIENT: &str = "svc";

/// With which key a token is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signs {
    Rs256,
    Es256,
    /// With an RSA key that the provider does not show.
    AnotherKey,
    /// As one who knows only what everybody knows: the public key, as if it were a shared secret.
    PublicKeyAsSecret,
    /// Not at all.
    Nothing,
}

/// What the provider says of whom, and how it lies.
#[derive(Clone)]
pub(crate) struct Says {
    /// Put over the claims of an honest token; null takes a claim away.
    pub(crate) claims: Value,
    /// What `/userinfo` says.
    pub(crate) more: Value,
    pub(crate) signs: Signs,
    /// Put over what it says of itself.
    pub(crate) of_itself: Value,
}

struct Keys {
    rsa: RsaKeyPair,
    other: RsaKeyPair,
    ec: EcdsaKeyPair,
}

pub(crate) struct Provider {
    pub(crate) issuer: String,
    pub(crate) says: Mutex<Says>,
    clock: Arc<TestClock>,
    keys: Mutex<Keys>,
    /// Challenge and nonce of each code that it gave out.
    codes: Mutex<BTreeMap<String, (String, String)>>,
}

impl Keys {
    fn new() -> Self {
        let rsa = || RsaKeyPair::generate(KeySize::Rsa2048).expect("a key");
        let ec = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).expect("a key");
        Self { rsa: rsa(), other: rsa(), ec }
    }

    fn shown(&self) -> Value {
        let encode = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        // PKCS #1: a sequence of the modulus, 257 bytes with its sign, and the exponent, 3 bytes.
        let rsa = self.rsa.public_key().as_ref();
        let (modulus, exponent) = (&rsa[9..265], &rsa[267..270]);
        let point: EcPublicKeyUncompressedBin<'_> = self.ec.public_key().as_be_bytes().expect("a point");
        let (x, y) = point.as_ref()[1..].split_at(32);
        json!({ "keys": [
            {"kty": "RSA", "use": "sig", "kid": "rsa", "n": encode(modulus),
             "e": encode(exponent)},
            {"kty": "EC", "use": "sig", "kid": "ec", "crv": "P-256", "x": encode(x), "y": encode(y)},
        ]})
    }

    fn signed(&self, claims: &Value, signs: Signs) -> String {
        let (algorithm, kid) = match signs {
            Signs::Rs256 | Signs::AnotherKey => ("RS256", "rsa"),
            Signs::Es256 => ("ES256", "ec"),
            Signs::PublicKeyAsSecret => ("HS256", "rsa"),
            Signs::Nothing => ("none", "rsa"),
        };
        let encode = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let head = encode(&json!({ "alg": algorithm, "kid": kid, "typ": "JWT" }));
        let message = format!("{head}.{}", encode(claims));
        let random = SystemRandom::new();
        let rsa = |key: &RsaKeyPair| {
            let mut signature = vec![0; key.public_modulus_len()];
            key.sign(&RSA_PKCS1_SHA256, &random, message.as_bytes(), &mut signature).expect("a signature");
            signature
        };
        let signature = match signs {
            Signs::Rs256 => rsa(&self.rsa),
            Signs::AnotherKey => rsa(&self.other),
            Signs::Es256 => self.ec.sign(&random, message.as_bytes()).expect("a signature").as_ref().to_vec(),
            Signs::PublicKeyAsSecret => {
                let key =
                    aws_lc_rs::hmac::Key::new(aws_lc_rs::hmac::HMAC_SHA256, self.rsa.public_key().as_ref());
                aws_lc_rs::hmac::sign(&key, message.as_bytes()).as_ref().to_vec()
            }
            Signs::Nothing => Vec::new(),
        };
        format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}

impl Provider {
    /// A provider whose clock is this one.
    pub(crate) async fn start(clock: Arc<TestClock>) -> Arc<Self> {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("loopback has ports");
        let issuer = format!("http://{}", listener.local_addr().expect("it has an address"));
        let claims = json!({
            "sub": "ada-1", "email": "ada@example.com", "email_verified": true, "name": "Ada Lovelace",
        });
        let says = Says { claims, more: Value::Null, signs: Signs::Rs256, of_itself: json!({}) };
        let provider = Arc::new(Self {
            issuer,
            says: Mutex::new(says),
            clock,
            keys: Mutex::new(Keys::new()),
            codes: Mutex::default(),
        });
        let app = Router::new()
            .route("/.well-known/openid-configuration", get(configuration))
            .route("/keys", get(keys))
            .route("/token", post(token))
            .route("/userinfo", get(userinfo))
            .with_state(provider.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        provider
    }

    pub(crate) fn settings(&self) -> OidcSettings {
        OidcSettings { issuer: self.issuer.clone(), client_id: CLIENT.into(), ..OidcSettings::default() }
    }

    /// What the person does at the provider: signs in, and is sent back with a code.
    pub(crate) fn authorize(&self, address: &str) -> String {
        let query = |name: &str| parameter(address, name).unwrap_or_default();
        assert!(address.starts_with(&format!("{}/authorize?", self.issuer)), "{address}");
        assert_eq!((query("client_id").as_str(), query("code_challenge_method").as_str()), (CLIENT, "S256"));
        assert_eq!(
            (query("response_type").as_str(), query("scope").as_str()),
            ("code", "openid+email+profile")
        );
        assert!(query("redirect_uri").ends_with("%2Fapi%2Fv1%2Fauth%2Foidc%2Fcallback"), "{address}");
        // Another for each attempt, also while others are under way.
        let code = format!("code-{}", query("nonce"));
        self.codes.lock().insert(code.clone(), (query("code_challenge"), query("nonce")));
        format!("/auth/oidc/callback?state={}&code={code}", query("state"))
    }

    /// Signs with other keys from now on.
    pub(crate) fn change_keys(&self) {
        *self.keys.lock() = Keys::new();
    }
}

async fn configuration(State(provider): State<Arc<Provider>>) -> Json<Value> {
    let at = |path: &str| format!("{}{path}", provider.issuer);
    let mut said = json!({
        "issuer": provider.issuer, "authorization_endpoint": at("/authorize"), "token_endpoint": at("/token"),
        "jwks_uri": at("/keys"), "userinfo_endpoint": at("/userinfo"), "response_types_supported": ["code"],
        "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256", "ES256"],
    });
    put_over(&mut said, &provider.says.lock().of_itself);
    Json(said)
}

fn put_over(claims: &mut Value, others: &Value) {
    for (name, value) in others.as_object().expect("an object") {
        match value {
            Value::Null => drop(claims.as_object_mut().expect("an object").remove(name)),
            value => claims[name] = value.clone(),
        }
    }
}

async fn keys(State(provider): State<Arc<Provider>>) -> Json<Value> {
    Json(provider.keys.lock().shown())
}

async fn token(State(provider): State<Arc<Provider>>, form: String) -> (StatusCode, Json<Value>) {
    let refused = (StatusCode::BAD_REQUEST, Json(json!({ "error": "invalid_grant" })));
    let sent = |name: &str| parameter(&format!("?{form}"), name).unwrap_or_default();
    // A code is worth something once.
    let Some((challenge, nonce)) = provider.codes.lock().remove(&sent("code")) else { return refused };
    if URL_SAFE_NO_PAD.encode(Sha256::digest(sent("code_verifier"))) != challenge {
        return refused;
    }
    let now = provider.clock.now().as_second();
    let mut claims =
        json!({ "iss": provider.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce });
    let says = provider.says.lock().clone();
    put_over(&mut claims, &says.claims);
    let id_token = provider.keys.lock().signed(&claims, says.signs);
    let body = json!({ "access_token": "opens-userinfo", "token_type": "Bearer", "id_token": id_token });
    (StatusCode::OK, Json(body))
}

async fn userinfo(
    State(provider): State<Arc<Provider>>,
    headers: HeaderMap,
) -> Result<Json<Value>, StatusCode> {
    let shown = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let more = provider.says.lock().more.clone();
    if shown == Some("Bearer opens-userinfo") { Ok(Json(more)) } else { Err(StatusCode::UNAUTHORIZED) }
}

/// A parameter of an address, as it stands there.
pub(crate) fn parameter(address: &str, name: &str) -> Option<String> {
    let (_, query) = address.split_once('?')?;
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value.to_owned())
}
