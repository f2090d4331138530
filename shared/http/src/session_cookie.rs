//! Sets and clears the session cookie, and the cookie of a sign-in attempt with an identity provider (specification
//! section 5).

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use aide::OperationInput;
use axum::extract::FromRequestParts;
use http::request::Parts;
use http::uri::Authority;
use http::{HeaderMap, HeaderName, Uri, header};
use svc_app::App;

use crate::error::ApiError;
use crate::extract::{SESSION_COOKIE, cookie};

/// The session cookie as this client must get it: over HTTPS only, unless the settings say otherwise or the
/// client asks a loopback address over plain HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionCookie {
    secure: bool,
}

impl SessionCookie {
    /// The cookie for the client that sent these.
    pub(crate) fn of(app: &App, uri: &Uri, headers: &HeaderMap) -> Self {
        let settings = &app.settings;
        let https = settings.service.base_url.starts_with("https://");
        Self { secure: settings.authentication.secure_cookies && (https || !asks_loopback(uri, headers)) }
    }

    /// The header that hands the browser a session's secret for so many seconds.
    pub fn open(self, secret: &str, seconds: i64) -> (HeaderName, String) {
        self.header(secret, seconds)
    }

    /// The header that takes the cookie back.
    pub fn close(self) -> (HeaderName, String) {
        self.header("", 0)
    }

    fn header(self, value: &str, seconds: i64) -> (HeaderName, String) {
        let secure = if self.secure { "; Secure" } else { "" };
        let cookie =
            format!("{SESSION_COOKIE}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
        (header::SET_COOKIE, cookie)
    }
}

/// Name of the cookie of an attempt to sign in with an identity provider.
const ATTEMPT_COOKIE: &str = "svc.oidc";

/// Where that cookie is sent.
const ATTEMPT_PATH: &str = "/api/v1/auth/oidc";

/// The secret of an attempt to sign in with an identity provider, as the browser shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttemptCookie(pub Option<String>);

impl<S: Send + Sync> FromRequestParts<S> for AttemptCookie {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        Ok(Self(cookie(&parts.headers, ATTEMPT_COOKIE).map(str::to_owned)))
    }
}

impl OperationInput for AttemptCookie {}

impl SessionCookie {
    /// The header that hands the browser the secret of an attempt for so many seconds; 0 takes it back. The
    /// cookie comes back with who is sent here by another site, which is how a provider sends people back.
    pub fn attempt(self, secret: &str, seconds: i64) -> (HeaderName, String) {
        let secure = if self.secure { "; Secure" } else { "" };
        let cookie = format!(
            "{ATTEMPT_COOKIE}={secret}; Path={ATTEMPT_PATH}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"
        );
        (header::SET_COOKIE, cookie)
    }
}

impl FromRequestParts<Arc<App>> for SessionCookie {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        Ok(Self::of(app, &parts.uri, &parts.headers))
    }
}

impl OperationInput for SessionCookie {}

fn asks_loopback(uri: &Uri, headers: &HeaderMap) -> bool {
    let named = headers.get(header::HOST).and_then(|host| host.to_str().ok()?.parse::<Authority>().ok());
    let host = named.as_ref().map(Authority::host).or(uri.host()).unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<Ipv4Addr>().is_ok_and(|ip| ip.is_loopback())
        || host.parse::<Ipv6Addr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::asks_loopback;

    #[test]
    fn only_loopback_hosts_are_loopback() {
        let loopback = |host: &str| {
            let request = http::Request::builder().header("host", host).body(()).unwrap();
            asks_loopback(request.uri(), request.headers())
        };
        for host in ["localhost", "LOCALHOST:8080", "127.0.0.1", "127.9.9.9:1", "[::1]", "[::1]:8080"] {
            assert!(loopback(host), "{host}");
        }
        for host in ["", "example.com", "localhost.example.com", "127.0.0.1.example.com", "10.0.0.1", "[::2]"]
        {
            assert!(!loopback(host), "{host}");
        }
    }
}
