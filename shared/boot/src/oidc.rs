//! Sign-in with an OpenID Connect provider: the adapter of the port `SignInProvider`, and its settings.
//!
//! Authorization code with PKCE. What the provider says of itself and its keys are read anew for each
//! sign-in: they are few, and a provider that changes its keys locks nobody out. Knows no account.

mod fetch;
mod groups;
mod token;

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{RequestBuilder, StatusCode};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use svc_app::ports::{Attempt, ForeignPerson, ProviderError, SignInProvider};
use svc_domain::account;
use svc_domain::ids::OrgSlug;
use url::Url;
use url::form_urlencoded::{Serializer, byte_serialize};

use self::fetch::{Answer, FetchError, json, send};
use self::token::{Claims, Keys};
use crate::address::{check_address, invalid, trusted};
use crate::config_error::ConfigError;
use crate::mail::Hidden;

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
    /// Whether all people that the provider knows get an account; otherwise only invited people.
    pub create_accounts: bool,
    /// Seconds that the provider may take for an answer.
    pub timeout_seconds: u32,
    /// What to ask the provider for, apart by spaces: `openid`, and what its claims need.
    pub scopes: String,
    /// The claim that names a person's groups.
    pub groups_claim: String,
    /// Slugs of the organizations in which these groups give roles, apart by commas.
    pub group_organizations: String,
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
            scopes: "openid email profile".into(),
            groups_claim: "groups".into(),
            group_organizations: String::new(),
        }
    }
}

impl OidcSettings {
    /// The organizations in which groups give roles.
    ///
    /// # Errors
    /// [`ConfigError`] that names the setting.
    pub fn group_organizations(&self) -> Result<Vec<OrgSlug>, ConfigError> {
        let named = self.group_organizations.split(',').map(str::trim).filter(|slug| !slug.is_empty());
        named
            .map(|slug| {
                let wrong =
                    |_| invalid(format!("Oidc:GroupOrganizations: {slug} is no slug of an organization"));
                slug.parse().map_err(wrong)
            })
            .collect()
    }

    /// Whether groups give roles anywhere.
    fn follows_groups(&self) -> bool {
        !self.group_organizations.trim().is_empty()
    }
}

/// A provider that speaks OpenID Connect.
pub struct OidcProvider {
    settings: OidcSettings,
    http: reqwest::Client,
}

/// What a provider says of itself (OpenID Connect Discovery 1.0, section 3).
#[derive(Debug, Deserialize)]
struct Description {
    issuer: String,
    authorization_endpoint: Url,
    token_endpoint: Url,
    jwks_uri: Url,
    userinfo_endpoint: Option<Url>,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Vec<String>,
}

/// What a code is exchanged for.
#[derive(Deserialize)]
struct Tokens {
    access_token: String,
    id_token: Option<String>,
}

/// Why a code was not exchanged (RFC 6749, section 5.2).
#[derive(Deserialize)]
struct TokenRefusal {
    error: String,
}

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
        if settings.client_id.is_empty() {
            return Err(invalid(
                "Oidc:ClientId is missing: give the id of this service at the provider".into(),
            ));
        }
        account::name(&settings.name).map_err(|why| invalid(format!("Oidc:Name {why}")))?;
        if !(1..=60).contains(&settings.timeout_seconds) {
            return Err(invalid("Oidc:TimeoutSeconds must be between 1 and 60".into()));
        }
        if !settings.scopes.split(' ').any(|scope| scope == "openid") {
            return Err(invalid("Oidc:Scopes must have openid among them, apart by spaces".into()));
        }
        if settings.groups_claim.trim().is_empty() {
            return Err(invalid("Oidc:GroupsClaim must name a claim, such as groups".into()));
        }
        settings.group_organizations()?;
        let http = reqwest::Client::builder()
            // A provider that sends elsewhere is not followed there.
            .redirect(reqwest::redirect::Policy::none())
            .timeout(Duration::from_secs(settings.timeout_seconds.into()))
            .build()
            .map_err(|error| invalid(format!("Oidc: no HTTP client: {error}")))?;
        Ok(Some(Self { settings: settings.clone(), http }))
    }

    /// The provider as it describes itself now, and its keys.
    async fn discover(&self) -> Result<(Description, Keys), ProviderError> {
        let issuer = self.settings.issuer.trim_end_matches('/');
        let about = self.http.get(format!("{issuer}/.well-known/openid-configuration"));
        let description: Description = json(&self.http, about).await.map_err(unavailable)?;
        if description.issuer != self.settings.issuer {
            return Err(unavailable(FetchError::OtherIssuer(description.issuer)));
        }
        if !trusted(&description.authorization_endpoint) {
            return Err(unavailable(FetchError::InTheClear));
        }
        let keys =
            json(&self.http, self.http.get(description.jwks_uri.clone())).await.map_err(unavailable)?;
        Ok((description, keys))
    }

    /// Exchanges a code for tokens.
    async fn exchange(
        &self,
        provider: &Description,
        attempt: &Attempt,
        code: &str,
    ) -> Result<Tokens, ProviderError> {
        let answer = send(&self.http, self.exchanging(provider, attempt, code)).await.map_err(unavailable)?;
        if answer.status == StatusCode::OK {
            return answer.json().map_err(unavailable);
        }
        match answer.json::<TokenRefusal>() {
            Ok(refusal) => Err(refused(&format!("the code was refused: {}", refusal.error))),
            Err(_) => Err(unavailable(FetchError::Status(answer.status))),
        }
    }

    /// The request that exchanges a code.
    fn exchanging(&self, provider: &Description, attempt: &Attempt, code: &str) -> RequestBuilder {
        let mut form = Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code")
            .append_pair("code", code)
            .append_pair("redirect_uri", &attempt.redirect)
            .append_pair("code_verifier", &attempt.verifier);
        let request = self.http.post(provider.token_endpoint.clone());
        let request = self.authenticated(provider, request, &mut form);
        request
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(ACCEPT, "application/json")
            .body(form.finish())
    }

    /// Says to the provider which client this is, the way it wants to be told: by default in the header.
    fn authenticated(
        &self,
        provider: &Description,
        request: RequestBuilder,
        form: &mut Serializer<'_, String>,
    ) -> RequestBuilder {
        let OidcSettings { client_id, client_secret: Hidden(secret), .. } = &self.settings;
        let takes = |method: &str| {
            provider.token_endpoint_auth_methods_supported.iter().any(|supported| supported == method)
        };
        let in_the_body = takes("client_secret_post") && !takes("client_secret_basic");
        if secret.is_empty() || in_the_body {
            form.append_pair("client_id", client_id);
            if !secret.is_empty() {
                form.append_pair("client_secret", secret);
            }
            return request;
        }
        // RFC 6749, section 2.3.1: both are encoded as in a form.
        let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
        request.basic_auth(encoded(client_id), Some(encoded(secret)))
    }

    /// What the provider says of a person beside the token, where it has an address for that.
    async fn more(
        &self,
        (provider, keys): &(Description, Keys),
        access_token: &str,
        subject: &str,
    ) -> Result<Option<Claims>, ProviderError> {
        let Some(address) = &provider.userinfo_endpoint else { return Ok(None) };
        let request = self.http.get(address.clone()).bearer_auth(access_token);
        let answer = send(&self.http, request).await.map_err(unavailable)?;
        let claims = self.user_info(&answer, keys)?;
        // It must speak of the same person (OpenID Connect Core 1.0, section 5.3.2).
        if claims.sub != subject {
            return Err(refused(&"the provider spoke of another person"));
        }
        Ok(Some(claims))
    }

    /// What was said of a person, which some providers sign.
    fn user_info(&self, answer: &Answer, keys: &Keys) -> Result<Claims, ProviderError> {
        if answer.status != StatusCode::OK {
            return Err(unavailable(FetchError::Status(answer.status)));
        }
        if !answer.is_signed() {
            return answer.json().map_err(unavailable);
        }
        let OidcSettings { issuer, client_id, .. } = &self.settings;
        let token = String::from_utf8_lossy(&answer.body);
        let claims = keys.signed(token.trim()).map_err(|error| refused(&error))?;
        claims.check_parties(issuer, client_id).map_err(|why| refused(&why))?;
        Ok(claims)
    }
}

#[async_trait::async_trait]
impl SignInProvider for OidcProvider {
    fn name(&self) -> &str {
        &self.settings.name
    }

    async fn address(&self, attempt: &Attempt) -> Result<String, ProviderError> {
        let (provider, _) = self.discover().await?;
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(attempt.verifier.as_bytes()));
        let mut address = provider.authorization_endpoint;
        address
            .query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.settings.client_id)
            .append_pair("scope", &self.settings.scopes)
            .append_pair("redirect_uri", &attempt.redirect)
            .append_pair("state", &attempt.state)
            .append_pair("nonce", &attempt.nonce)
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256");
        Ok(address.into())
    }

    async fn person(
        &self,
        attempt: &Attempt,
        code: &str,
        now: Timestamp,
    ) -> Result<ForeignPerson, ProviderError> {
        let provider = self.discover().await?;
        let tokens = self.exchange(&provider.0, attempt, code).await?;
        let token = tokens.id_token.ok_or_else(|| refused(&"the provider sent no id token"))?;
        let OidcSettings { issuer, client_id, .. } = &self.settings;
        let mut claims = provider.1.signed(&token).map_err(|error| refused(&error))?;
        claims.check_parties(issuer, client_id).map_err(|why| refused(&why))?;
        claims.check_attempt(&attempt.nonce, now).map_err(|why| refused(&why))?;
        let OidcSettings { groups_claim, .. } = &self.settings;
        let misses_groups = self.settings.follows_groups() && !claims.rest.contains_key(groups_claim);
        if (claims.email.is_none() || misses_groups)
            && let Some(more) = self.more(&provider, &tokens.access_token, &claims.sub).await?
        {
            if claims.email.is_none() {
                claims.email = more.email;
                claims.email_verified = more.email_verified;
            }
            claims.name = claims.name.or(more.name);
            if misses_groups {
                claims.rest.extend(more.rest);
            }
        }
        let groups =
            self.settings.follows_groups().then(|| groups::named(&claims.rest, groups_claim)).flatten();
        Ok(ForeignPerson {
            issuer: self.settings.issuer.clone(),
            subject: claims.sub,
            email: claims.email,
            email_verified: claims.email_verified == Some(true),
            name: claims.name,
            groups,
        })
    }
}

fn refused(error: &dyn std::fmt::Display) -> ProviderError {
    ProviderError::Refused(error.to_string())
}

fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> ProviderError {
    ProviderError::Unavailable(Box::new(error))
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
            (OidcSettings { scopes: "email profile".into(), ..good.clone() }, HERE),
            (OidcSettings { groups_claim: " ".into(), ..good.clone() }, HERE),
            (OidcSettings { group_organizations: "acme, No Slug".into(), ..good.clone() }, HERE),
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
