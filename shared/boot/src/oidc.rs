//! Sign-in with an OpenID Connect provider: the adapter of the port `SignInProvider`, and its settings.
//!
//! Authorization code with PKCE. What the provider says of itself and its keys are read anew for each
//! sign-in: they are few, and a provider that changes its keys locks nobody out. Knows no account.

use std::time::Duration;

use chrono::{DateTime, Utc};
use jiff::{SignedDuration, Timestamp};
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClientAuthMethod, CoreIdTokenClaims, CoreJwsSigningAlgorithm,
    CoreProviderMetadata, CoreTokenResponse, CoreUserInfoClaims,
};
use openidconnect::{
    AuthType, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointMaybeSet, EndpointNotSet,
    EndpointSet, HttpRequest, HttpResponse, IssuerUrl, Nonce, OAuth2TokenResponse as _, PkceCodeChallenge,
    PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope, TokenResponse as _,
};
use serde::{Deserialize, Serialize};
use svc_app::ports::{Attempt, ForeignPerson, ProviderError, SignInProvider};
use svc_domain::account;

use crate::address::{check_address, invalid, trusted};
use crate::config_error::ConfigError;
use crate::mail::Hidden;

/// Bytes of a provider's answer at most.
const MAX_ANSWER: usize = 1024 * 1024;

/// How far the provider's clock may be from ours.
const SKEW: SignedDuration = SignedDuration::from_secs(60);

/// Signatures that are believed: those that only the provider can make.
const SIGNATURES: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

/// Sign-in with an identity provider (`[Oidc]`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct OidcSettings {
    /// Address of the provider, as it names itself; there is none while it is empty.
    pub issuer: String,
    /// Id of this service at the provider.
    pub client_id: String,
    /// Secret of this service at the provider; empty where it has none.
    pub client_secret: Hidden,
    /// Name of the provider, as the sign-in page shows it.
    pub name: String,
    /// Whether whoever the provider knows gets an account; otherwise only who is invited.
    pub create_accounts: bool,
    /// Seconds that the provider may take for an answer.
    pub timeout_seconds: u32,
}

impl Default for OidcSettings {
    fn default() -> Self {
        Self {
            issuer: String::new(),
            client_id: String::new(),
            client_secret: Hidden::default(),
            name: "Single sign-on".into(),
            create_accounts: false,
            timeout_seconds: 10,
        }
    }
}

/// A provider that speaks OpenID Connect.
pub struct OidcProvider {
    settings: OidcSettings,
    issuer: IssuerUrl,
    http: reqwest::Client,
}

/// This service, as the provider knows it.
type Client = openidconnect::core::CoreClient<
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

impl OidcProvider {
    /// The adapter of these settings, for a service that people reach at `base_url`; `None` when there is no
    /// provider.
    ///
    /// # Errors
    /// [`ConfigError`] that names the setting that is wrong or missing.
    pub fn of(settings: &OidcSettings, base_url: &str) -> Result<Option<Self>, ConfigError> {
        if settings.issuer.is_empty() {
            let none = settings.client_id.is_empty() && settings.client_secret.0.is_empty();
            return if none { Ok(None) } else { Err(invalid("Oidc:Issuer is missing".into())) };
        }
        check_address("Oidc:Issuer", &settings.issuer)?;
        check_address("Service:BaseUrl, to which the provider sends people back,", base_url)?;
        let issuer = IssuerUrl::new(settings.issuer.clone())
            .map_err(|error| invalid(format!("Oidc:Issuer must be an address: {error}")))?;
        if settings.client_id.is_empty() {
            return Err(invalid(
                "Oidc:ClientId is missing: give the id of this service at the provider".into(),
            ));
        }
        account::name(&settings.name).map_err(|why| invalid(format!("Oidc:Name {why}")))?;
        if !(1..=60).contains(&settings.timeout_seconds) {
            return Err(invalid("Oidc:TimeoutSeconds must be between 1 and 60".into()));
        }
        let http = reqwest::Client::builder()
            // A provider that sends elsewhere is not followed there.
            .redirect(reqwest::redirect::Policy::none())
            .timeout(Duration::from_secs(settings.timeout_seconds.into()))
            .build()
            .map_err(|error| invalid(format!("Oidc: no HTTP client: {error}")))?;
        Ok(Some(Self { settings: settings.clone(), issuer, http }))
    }

    /// This service at the provider as it describes itself now.
    async fn client(&self, attempt: &Attempt) -> Result<Client, ProviderError> {
        let http = |request| fetch(self.http.clone(), request);
        let metadata =
            CoreProviderMetadata::discover_async(self.issuer.clone(), &http).await.map_err(unavailable)?;
        if !trusted(metadata.authorization_endpoint().url()) {
            return Err(unavailable(FetchError::InTheClear));
        }
        let methods = metadata.token_endpoint_auth_methods_supported().cloned().unwrap_or_default();
        let in_the_body = methods.contains(&CoreClientAuthMethod::ClientSecretPost)
            && !methods.contains(&CoreClientAuthMethod::ClientSecretBasic);
        let secret = &self.settings.client_secret.0;
        let secret = (!secret.is_empty()).then(|| ClientSecret::new(secret.clone()));
        let redirect = RedirectUrl::new(attempt.redirect.clone()).map_err(unavailable)?;
        let id = ClientId::new(self.settings.client_id.clone());
        Ok(openidconnect::core::CoreClient::from_provider_metadata(metadata, id, secret)
            .set_auth_type(if in_the_body { AuthType::RequestBody } else { AuthType::BasicAuth })
            .set_redirect_uri(redirect))
    }

    /// What a code is exchanged for.
    async fn exchange(
        &self,
        client: &Client,
        attempt: &Attempt,
        code: &str,
    ) -> Result<CoreTokenResponse, ProviderError> {
        let http = |request| fetch(self.http.clone(), request);
        let request = client.exchange_code(AuthorizationCode::new(code.to_owned())).map_err(unavailable)?;
        let verifier = PkceCodeVerifier::new(attempt.verifier.clone());
        request.set_pkce_verifier(verifier).request_async(&http).await.map_err(|error| match error {
            RequestTokenError::ServerResponse(_) => refused(&error),
            RequestTokenError::Request(_) | RequestTokenError::Parse(..) | RequestTokenError::Other(_) => {
                unavailable(error)
            }
        })
    }

    /// What the provider says of a person beside the token, where it has an address for that.
    async fn more(
        &self,
        client: &Client,
        answer: &CoreTokenResponse,
        claims: &CoreIdTokenClaims,
    ) -> Result<Option<CoreUserInfoClaims>, ProviderError> {
        if client.user_info_url().is_none() {
            return Ok(None);
        }
        let subject = claims.subject().clone();
        let request = client.user_info(answer.access_token().clone(), Some(subject)).map_err(unavailable)?;
        let http = |request| fetch(self.http.clone(), request);
        request.request_async(&http).await.map(Some).map_err(|error| match error {
            openidconnect::UserInfoError::ClaimsVerification(_) => refused(&error),
            error => unavailable(error),
        })
    }
}

#[async_trait::async_trait]
impl SignInProvider for OidcProvider {
    fn name(&self) -> &str {
        &self.settings.name
    }

    async fn address(&self, attempt: &Attempt) -> Result<String, ProviderError> {
        let client = self.client(attempt).await?;
        let verifier = PkceCodeVerifier::new(attempt.verifier.clone());
        let (state, nonce) = (attempt.state.clone(), attempt.nonce.clone());
        let (address, _, _) = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                move || CsrfToken::new(state),
                move || Nonce::new(nonce),
            )
            .add_scope(Scope::new("email".into()))
            .add_scope(Scope::new("profile".into()))
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier))
            .url();
        Ok(address.into())
    }

    async fn person(
        &self,
        attempt: &Attempt,
        code: &str,
        now: Timestamp,
    ) -> Result<ForeignPerson, ProviderError> {
        let client = self.client(attempt).await?;
        let answer = self.exchange(&client, attempt, code).await?;
        let token = answer.id_token().ok_or_else(|| refused(&"the provider sent no id token"))?;
        let (earliest, latest) = (moment(now - SKEW)?, moment(now + SKEW)?);
        let verifier = client
            .id_token_verifier()
            .set_allowed_algs(SIGNATURES)
            .set_time_fn(move || earliest)
            .set_issue_time_verifier_fn(move |issued| {
                if issued <= latest { Ok(()) } else { Err(format!("issued in the future, at {issued}")) }
            });
        let nonce = Nonce::new(attempt.nonce.clone());
        let claims = token.claims(&verifier, &nonce).map_err(|error| refused(&error))?;
        let mut person = person(claims);
        if person.email.is_none()
            && let Some(more) = self.more(&client, &answer, claims).await?
        {
            person.email = more.email().map(|email| email.as_str().to_owned());
            person.email_verified = more.email_verified().unwrap_or(false);
            let name = more.name().and_then(|name| name.get(None)).map(|name| name.as_str().to_owned());
            person.name = person.name.or(name);
        }
        Ok(person)
    }
}

fn person(claims: &CoreIdTokenClaims) -> ForeignPerson {
    let name = claims.name().and_then(|name| name.get(None)).map(|name| name.as_str().to_owned());
    ForeignPerson {
        issuer: claims.issuer().as_str().to_owned(),
        subject: claims.subject().as_str().to_owned(),
        email: claims.email().map(|email| email.as_str().to_owned()),
        email_verified: claims.email_verified().unwrap_or(false),
        name,
    }
}

fn moment(time: Timestamp) -> Result<DateTime<Utc>, ProviderError> {
    DateTime::from_timestamp(time.as_second(), 0).ok_or_else(|| refused(&"the time is none"))
}

fn refused(error: &dyn std::fmt::Display) -> ProviderError {
    ProviderError::Refused(error.to_string())
}

fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> ProviderError {
    ProviderError::Unavailable(Box::new(error))
}

/// Why a provider's answer was not got.
#[derive(Debug, thiserror::Error)]
enum FetchError {
    #[error(transparent)]
    Http(#[from] reqwest::Error),
    #[error("the answer cannot be passed on")]
    Answer(#[from] openidconnect::http::Error),
    #[error("the answer is larger than {MAX_ANSWER} bytes")]
    TooLarge,
    #[error("the provider names an address without encryption")]
    InTheClear,
}

async fn fetch(client: reqwest::Client, request: HttpRequest) -> Result<HttpResponse, FetchError> {
    let request: reqwest::Request = request.try_into()?;
    if !trusted(request.url()) {
        return Err(FetchError::InTheClear);
    }
    let mut answer = client.execute(request).await?;
    let mut built = openidconnect::http::Response::builder().status(answer.status());
    for (name, value) in answer.headers() {
        built = built.header(name, value);
    }
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await? {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_ANSWER {
            return Err(FetchError::TooLarge);
        }
    }
    Ok(built.body(body)?)
}

#[cfg(test)]
mod tests {
    use super::{Hidden, OidcProvider, OidcSettings};

    const HERE: &str = "https://work.example.com";

    #[test]
    fn without_an_issuer_there_is_no_provider_and_wrong_settings_are_named() {
        assert!(OidcProvider::of(&OidcSettings::default(), "").unwrap().is_none());
        let good = OidcSettings {
            issuer: "https://id.example.com/realms/a".into(),
            client_id: "svc".into(),
            ..OidcSettings::default()
        };
        assert!(OidcProvider::of(&good, HERE).unwrap().is_some());
        let mut said = String::new();
        for (settings, base) in [
            (OidcSettings { issuer: String::new(), ..good.clone() }, HERE),
            (OidcSettings { issuer: "no address".into(), ..good.clone() }, HERE),
            (OidcSettings { issuer: "http://id.example.com".into(), ..good.clone() }, HERE),
            (OidcSettings { issuer: "https://id.example.com?a=b".into(), ..good.clone() }, HERE),
            (OidcSettings { client_id: String::new(), ..good.clone() }, HERE),
            (OidcSettings { name: "  ".into(), ..good.clone() }, HERE),
            (OidcSettings { timeout_seconds: 0, ..good.clone() }, HERE),
            (good.clone(), ""),
            (good.clone(), "http://work.example.com"),
        ] {
            let error = OidcProvider::of(&settings, base).err().unwrap();
            said += &format!("{error}\n");
        }
        insta::assert_snapshot!(said);
    }

    #[test]
    fn the_secret_is_not_printed() {
        let settings = OidcSettings { client_secret: Hidden("hush".into()), ..OidcSettings::default() };
        assert!(!format!("{settings:?}").contains("hush"));
    }
}
