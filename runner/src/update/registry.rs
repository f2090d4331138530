//! The package registry: which one it is, and the latest version of `@svc/cli` there.

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::header::ACCEPT;
use reqwest::{StatusCode, Url};
use semver::Version;
use serde::Deserialize;

/// The registry that a machine uses unless it is told another one.
const PUBLIC: &str = "https://registry.npmjs.org/";
/// npm reads its settings under names of either case.
const VARIABLES: [&str; 2] = ["npm_config_registry", "NPM_CONFIG_REGISTRY"];
/// The form of a package's document without what is not needed to install it.
const SHORT: &str = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8";
/// A registry that has not answered by then is away.
const PATIENCE: Duration = Duration::from_secs(30);
/// No document of a package is larger.
const MOST: usize = 32 * 1024 * 1024;

/// A package registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registry {
    url: Url,
}

/// Why the latest version is not known.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// Its address is none.
    #[error("npm_config_registry is {0:?}, which is not an http or https address")]
    Address(String),
    /// It does not answer.
    #[error("{0} cannot be reached: {1}")]
    Away(Url, String),
    /// It does not have the package.
    #[error("{0} does not have the package @svc/cli")]
    Unpublished(Url),
    /// It answers something else.
    #[error("{0} does not say what the latest version of @svc/cli is: {1}")]
    Answer(Url, String),
}

#[derive(Deserialize)]
struct Document {
    #[serde(rename = "dist-tags")]
    tags: BTreeMap<String, String>,
}

impl Registry {
    /// The registry that the environment names, else the public one. Files have no say in it.
    ///
    /// # Errors
    /// The environment names something else.
    pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Result<Self, RegistryError> {
        let named = VARIABLES.into_iter().filter_map(variable).find(|value| !value.trim().is_empty());
        let mut text = named.unwrap_or_else(|| PUBLIC.to_owned()).trim().to_owned();
        if !text.ends_with('/') {
            text.push('/');
        }
        match Url::parse(&text) {
            Ok(url) if matches!(url.scheme(), "http" | "https") && url.query().is_none() => Ok(Self { url }),
            _ => Err(RegistryError::Address(text)),
        }
    }

    /// Its address.
    pub fn address(&self) -> &str {
        self.url.as_str()
    }

    /// The version that the registry calls the latest.
    ///
    /// # Errors
    /// It is away, or answers something else.
    pub async fn latest(&self) -> Result<Version, RegistryError> {
        let away = |error: reqwest::Error| {
            let cause =
                std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            RegistryError::Away(self.shown(), cause)
        };
        let answer = |why: String| RegistryError::Answer(self.shown(), why);
        let client = reqwest::Client::builder()
            .timeout(PATIENCE)
            .user_agent(format!("svc-runner/{}", crate::version()))
            .build()
            .map_err(away)?;
        let url = format!("{}@svc%2fcli", self.url);
        let mut response = client.get(url).header(ACCEPT, SHORT).send().await.map_err(away)?;
        if response.status() == StatusCode::NOT_FOUND {
            return Err(RegistryError::Unpublished(self.shown()));
        }
        if !response.status().is_success() {
            return Err(answer(format!("it answers {}", response.status())));
        }
        let mut body = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(away)? {
            body.extend_from_slice(&piece);
            if body.len() > MOST {
                return Err(answer("its response is too large".to_owned()));
            }
        }
        let document: Document = serde_json::from_slice(&body).map_err(|error| answer(error.to_string()))?;
        let latest =
            document.tags.get("latest").ok_or_else(|| answer("it has no latest version".to_owned()))?;
        Version::parse(latest).map_err(|error| answer(format!("{latest:?} is not a version: {error}")))
    }

    /// The address without a password that it may have.
    fn shown(&self) -> Url {
        let mut url = self.url.clone();
        // An address that can have none has none.
        let _ = url.set_password(None);
        let _ = url.set_username("");
        url
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(&str, &str)]) -> Result<Registry, RegistryError> {
        let value =
            |name: &str| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        Registry::of_environment(value)
    }

    #[test]
    fn the_environment_names_the_registry_or_it_is_the_public_one() {
        assert_eq!(of(&[]).unwrap().address(), PUBLIC);
        assert_eq!(of(&[("npm_config_registry", "")]).unwrap().address(), PUBLIC);
        let own = of(&[("npm_config_registry", "http://127.0.0.1:4873/npm")]).unwrap();
        assert_eq!(own.address(), "http://127.0.0.1:4873/npm/");
        assert_eq!(
            of(&[("NPM_CONFIG_REGISTRY", "https://r.example/")]).unwrap().address(),
            "https://r.example/"
        );
        assert!(of(&[("npm_config_registry", "file:///etc")]).is_err());
        assert!(of(&[("npm_config_registry", "--registry=x")]).is_err());
    }

    /// Serves one answer, whatever is asked.
    async fn serving(status: u16, body: &'static str) -> Registry {
        let status = axum::http::StatusCode::from_u16(status).unwrap();
        let routes = axum::Router::new().fallback(move || async move { (status, body) });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://user:secret@{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
        of(&[("npm_config_registry", &url)]).unwrap()
    }

    #[tokio::test]
    async fn the_latest_version_is_the_tagged_one_and_all_else_is_named() {
        let good = serving(200, r#"{"dist-tags":{"latest":"1.2.3","next":"2.0.0"}}"#).await;
        assert_eq!(good.latest().await.unwrap(), Version::new(1, 2, 3));
        for (status, body, told) in [
            (503, "", "503"),
            (404, "{}", "does not have the package @svc/cli"),
            (200, "<html>", "expected value"),
            (200, r#"{"dist-tags":{}}"#, "no latest version"),
            (200, r#"{"dist-tags":{"latest":"--evil"}}"#, "is not a version"),
        ] {
            let error = serving(status, body).await.latest().await.unwrap_err().to_string();
            assert!(error.contains(told) && !error.contains("secret"), "{error}");
        }
        let away = of(&[("npm_config_registry", "http://127.0.0.1:9")]).unwrap().latest().await.unwrap_err();
        assert!(away.to_string().contains("cannot be reached"), "{away}");
    }
}
