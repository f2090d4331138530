//! A code host whose accounts install an app, as GitHub and GitHub Enterprise speak it: the adapter of the port
//! `CodeHost`, and its settings.
//!
//! The app speaks for itself with a token that it signs (RS256), for an installation with one that the host
//! hands it for an hour, and for a person with one that their code is exchanged for. It keeps none of them.

mod settings;
mod wire;

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use reqwest::{Method, RequestBuilder};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use svc_app::ports::{CodeHost, CodeHostError, HostedRepository, Installation, RepositoryCredential};
use svc_domain::code_host::{InstallationId, RepositoryName};
use url::Url;

use crate::address::{check_address, invalid};
use crate::app_key::AppKey;
use crate::config_error::ConfigError;
use wire::{
    Account, AnswerError, Covering, Exchanged, Listed, ListedInstallation, Membership, Minted, Named,
    Repository, answer, unavailable,
};

pub use settings::CodeHostSettings;

/// Installations of a person on a page.
const PAGE: usize = 100;

/// Pages that are looked through at most.
const PAGES: usize = 50;

/// How far the host's clock may be behind ours.
const SKEW: SignedDuration = SignedDuration::from_secs(60);

/// How long a token that the app signs counts; the host takes ten minutes at most.
const APP_TOKEN: SignedDuration = SignedDuration::from_mins(5);

/// A code host whose accounts install an app.
pub struct AppCodeHost {
    settings: CodeHostSettings,
    api: Url,
    /// Without a final slash.
    web: String,
    key: AppKey,
    http: reqwest::Client,
}

/// For whom the app speaks.
enum Voice<'a> {
    /// For itself, at this time.
    App(Timestamp),
    /// For who has this token.
    Token(&'a str),
}

impl AppCodeHost {
    /// The adapter of these settings; `None` when there is no code host.
    ///
    /// # Errors
    /// [`ConfigError`] that names the setting that is wrong or missing.
    pub fn of(settings: &CodeHostSettings) -> Result<Option<Self>, ConfigError> {
        let given = settings.given();
        if given.iter().all(|(_, given)| !given) {
            return Ok(None);
        }
        if let Some((missing, _)) = given.iter().find(|(_, given)| !given) {
            return Err(invalid(format!(
                "CodeHost:{missing} is missing: copy it from the app's page at the code host"
            )));
        }
        let api = check_address("CodeHost:ApiUrl", &settings.api_url)?;
        let web = check_address("CodeHost:WebUrl", &settings.web_url)?;
        let slug = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        if !settings.app_slug.bytes().all(slug) {
            return Err(invalid("CodeHost:AppSlug must be the app's name as in its URL".into()));
        }
        if !(1..=60).contains(&settings.timeout_seconds) {
            return Err(invalid("CodeHost:TimeoutSeconds must be between 1 and 60".into()));
        }
        let http = reqwest::Client::builder()
            .user_agent("svc")
            // A host that sends elsewhere is not followed there.
            .redirect(reqwest::redirect::Policy::none())
            .timeout(Duration::from_secs(settings.timeout_seconds.into()))
            .build()
            .map_err(|error| invalid(format!("CodeHost: no HTTP client: {error}")))?;
        let (key, web) = (settings.key()?, web.as_str().trim_end_matches('/').to_owned());
        Ok(Some(Self { settings: settings.clone(), api, web, key, http }))
    }

    /// A token that the app signs.
    fn app_token(&self, now: Timestamp) -> Result<String, CodeHostError> {
        let claims = json!({
            "iat": (now - SKEW).as_second(),
            "exp": (now + APP_TOKEN).as_second(),
            "iss": self.settings.app_id.to_string(),
        });
        self.key.token(&claims).ok_or_else(|| unavailable(AnswerError::Unsigned))
    }

    /// A request to the API, at a path of these segments.
    fn request(
        &self,
        method: Method,
        segments: &[&str],
        voice: &Voice<'_>,
    ) -> Result<RequestBuilder, CodeHostError> {
        let mut address = self.api.clone();
        if let Ok(mut path) = address.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        let request = self
            .http
            .request(method, address)
            .header("Accept", "application/vnd.github+json")
            .header("X-GitHub-Api-Version", "2022-11-28");
        Ok(match voice {
            Voice::App(now) => request.bearer_auth(self.app_token(*now)?),
            Voice::Token(token) => request.bearer_auth(token),
        })
    }

    async fn get<T: DeserializeOwned>(
        &self,
        segments: &[&str],
        voice: &Voice<'_>,
    ) -> Result<T, CodeHostError> {
        answer(self.request(Method::GET, segments, voice)?).await
    }

    /// The token of the person whom a code stands for.
    async fn exchanged(&self, code: &str) -> Result<String, CodeHostError> {
        let body = json!({
            "client_id": self.settings.client_id, "client_secret": self.settings.client_secret.0, "code": code,
        });
        let address = format!("{}/login/oauth/access_token", self.web);
        let request = self.http.post(address).header("Accept", "application/json").json(&body);
        // A code that is wrong is answered with 200 and the error in the body.
        let exchanged: Exchanged = answer(request).await?;
        exchanged.access_token.ok_or_else(|| {
            CodeHostError::Refused(format!(
                "the code was not exchanged: {}",
                exchanged.error.unwrap_or_default()
            ))
        })
    }

    /// The installation, if the person sees it.
    async fn listed(
        &self,
        installation: InstallationId,
        person: &Voice<'_>,
    ) -> Result<Option<ListedInstallation>, CodeHostError> {
        for page in 1..=PAGES {
            let request = self.request(Method::GET, &["user", "installations"], person)?;
            let request = request.query(&[("per_page", PAGE), ("page", page)]);
            let Listed { installations } = answer(request).await?;
            let last = installations.len() < PAGE;
            if let Some(found) = installations.into_iter().find(|one| one.id == installation) {
                return Ok(Some(found));
            }
            if last {
                break;
            }
        }
        Ok(None)
    }

    /// Whether an account is the person's own, or an organization that they own. Who may merely read in it sees
    /// its installations too, and must not let others write.
    async fn governs(
        &self,
        account: &Account,
        login: &str,
        person: &Voice<'_>,
    ) -> Result<bool, CodeHostError> {
        if account.kind.as_deref() == Some("User") {
            let own: Account = self.get(&["user"], person).await?;
            return Ok(own.id == account.id);
        }
        match self.get(&["user", "memberships", "orgs", login], person).await {
            Ok(Membership { state, role }) => Ok(state == "active" && role == "admin"),
            Err(CodeHostError::NotCovered) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// A token for this repository alone, with these permissions.
    async fn minted(
        &self,
        installation: InstallationId,
        repository: &RepositoryName,
        permissions: Value,
        now: Timestamp,
    ) -> Result<Minted, CodeHostError> {
        let number = installation.to_string();
        let segments = ["app", "installations", &number, "access_tokens"];
        let request = self.request(Method::POST, &segments, &Voice::App(now))?;
        let body = json!({ "repositories": [repository.name()], "permissions": permissions });
        let minted: Minted = answer(request.json(&body)).await?;
        // The host is asked for a name in the installation's account, whatever account we mean.
        let named =
            |named: &Named| named.full_name.parse::<RepositoryName>().is_ok_and(|name| name == *repository);
        if minted.repositories.len() == 1 && minted.repositories.iter().all(named) {
            return Ok(minted);
        }
        Err(CodeHostError::NotCovered)
    }
}

#[async_trait::async_trait]
impl CodeHost for AppCodeHost {
    fn address(&self) -> &str {
        &self.web
    }

    fn install_address(&self, state: &str) -> String {
        format!("{}/apps/{}/installations/new?state={state}", self.web, self.settings.app_slug)
    }

    fn clone_address(&self, repository: &RepositoryName) -> String {
        format!("{}/{repository}.git", self.web)
    }

    async fn governed(
        &self,
        code: &str,
        installation: InstallationId,
    ) -> Result<Option<Installation>, CodeHostError> {
        let token = self.exchanged(code).await?;
        let person = Voice::Token(&token);
        let Some(listed) = self.listed(installation, &person).await? else { return Ok(None) };
        let Some(account) = listed.account else { return Ok(None) };
        let Some(login) = account.login.clone() else { return Ok(None) };
        let governs = self.governs(&account, &login, &person).await?;
        Ok(governs.then_some(Installation { id: installation, account: login }))
    }

    async fn repository(
        &self,
        installation: InstallationId,
        repository: &RepositoryName,
        now: Timestamp,
    ) -> Result<HostedRepository, CodeHostError> {
        let (owner, name) = (repository.owner(), repository.name());
        let covering: Covering = self.get(&["repos", owner, name, "installation"], &Voice::App(now)).await?;
        if covering.id != installation {
            return Err(CodeHostError::NotCovered);
        }
        let minted = self.minted(installation, repository, json!({ "metadata": "read" }), now).await?;
        let found: Repository = self.get(&["repos", owner, name], &Voice::Token(&minted.token)).await?;
        Ok(HostedRepository { name: found.full_name, default_branch: found.default_branch })
    }

    async fn credential(
        &self,
        installation: InstallationId,
        repository: &RepositoryName,
        now: Timestamp,
    ) -> Result<RepositoryCredential, CodeHostError> {
        let permissions = json!({ "contents": "write", "pull_requests": "write" });
        let Minted { token, expires_at, .. } =
            self.minted(installation, repository, permissions, now).await?;
        Ok(RepositoryCredential { username: "x-access-token".into(), secret: token, expires_at })
    }
}

#[cfg(test)]
mod tests {
    use super::{AppCodeHost, CodeHostSettings};
    use crate::mail::Hidden;

    fn given() -> CodeHostSettings {
        CodeHostSettings {
            app_id: 7,
            app_slug: "svc-app".into(),
            private_key: Hidden("hush-key".into()),
            client_id: "Iv1.abc".into(),
            client_secret: Hidden("hush-secret".into()),
            ..CodeHostSettings::default()
        }
    }

    #[test]
    fn without_an_app_there_is_no_code_host_and_wrong_settings_are_named() {
        assert!(AppCodeHost::of(&CodeHostSettings::default()).unwrap().is_none());
        let mut said = String::new();
        for settings in [
            CodeHostSettings { app_id: 0, ..given() },
            CodeHostSettings { app_slug: String::new(), ..given() },
            CodeHostSettings { app_slug: "a/b".into(), ..given() },
            CodeHostSettings { private_key: Hidden::default(), ..given() },
            CodeHostSettings { private_key_file: "/a/key.pem".into(), ..given() },
            CodeHostSettings {
                private_key: Hidden::default(),
                private_key_file: "/nowhere/key.pem".into(),
                ..given()
            },
            CodeHostSettings { client_id: String::new(), ..given() },
            CodeHostSettings { client_secret: Hidden::default(), ..given() },
            CodeHostSettings { api_url: "http://code.example".into(), ..given() },
            CodeHostSettings { web_url: "https://code.example?a=b".into(), ..given() },
            CodeHostSettings { timeout_seconds: 0, ..given() },
            given(),
        ] {
            let error = AppCodeHost::of(&settings).err().unwrap();
            said += &format!("{error}\n");
        }
        insta::assert_snapshot!(said);
    }

    #[test]
    fn secrets_are_not_printed() {
        assert!(!format!("{:?}", given()).contains("hush"));
    }
}
