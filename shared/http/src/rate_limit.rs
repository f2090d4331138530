//! Chooses the rate limit that a request counts against, from its route and credential (specification section 8). The
//! application does the counting.
//!
//! It decides by method and path in one place, so that no area can forget it. Pages and assets are not counted,
//! because they are cheap.

use std::net::IpAddr;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use axum::extract::Request;
use http::Method;
use svc_app::budget::{Account, Purpose, admit};
use svc_app::{App, Error};
use svc_domain::refusal::Refusal;

use crate::error::ApiResult;
use crate::extract::{ClientIp, SESSION_COOKIE, bearer, cookie};

/// Routes below `auth/` that prove nothing anew: who has a session goes on with it, or ends it.
const OF_SESSIONS: [&str; 2] = ["auth/refresh", "auth/logout"];

/// What this process asks itself: in the extensions of a request, which nobody outside can set. It is counted against no
/// budget.
#[derive(Clone, Copy, Debug)]
pub struct FromWithin;

fn purpose(method: &Method, path: &str) -> Option<Purpose> {
    let rest = match path {
        "/mcp" => return Some(Purpose::Requests),
        path if path.starts_with("/scim/") => return Some(Purpose::Requests),
        path => path.strip_prefix("/api/v1/")?,
    };
    let proves = method != Method::GET || rest == "auth/oidc/callback";
    match rest.split_once('/').map_or(rest, |(area, _)| area) {
        "auth" if proves && !OF_SESSIONS.contains(&rest) => Some(Purpose::Authentication),
        "runner" => Some(Purpose::Runner),
        _ => Some(Purpose::Requests),
    }
}

/// Spends one request of its budget. Answers whose credential it presents.
///
/// # Errors
/// 429 when it is spent.
pub(crate) fn within_budget<'a>(
    app: &'a App,
    request: &Request,
) -> impl Future<Output = ApiResult<Option<Account>>> + use<'a> {
    // The future keeps no request, whose body threads could not share.
    let headers = request.headers();
    let from_within = request.extensions().get::<FromWithin>().is_some();
    let purpose = purpose(request.method(), request.uri().path()).filter(|_| !from_within);
    let counted = purpose.map(|purpose| {
        let proxies = app.settings.service.trusted_proxies;
        let ClientIp(address) = ClientIp::of(headers, request.extensions(), proxies);
        let secret = bearer(headers).or_else(|| cookie(headers, SESSION_COOKIE)).map(str::to_owned);
        let unknown_proxy = proxies == 0 && headers.contains_key("x-forwarded-for");
        (purpose, address, secret, unknown_proxy)
    });
    async move {
        let Some((purpose, address, secret, unknown_proxy)) = counted else { return Ok(None) };
        let admitted = admit(app, purpose, address, secret.as_deref()).await;
        if unknown_proxy && matches!(admitted, Err(Error::Refused(Refusal::RateLimited { .. }))) {
            tell_of_proxy(app, address);
        }
        Ok(admitted?)
    }
}

/// Tells the operator, once a minute, that people may share a budget because nobody said that there is a proxy.
fn tell_of_proxy(app: &App, address: IpAddr) {
    static TOLD: AtomicI64 = AtomicI64::new(0);
    let minute = app.now().as_second() / 60;
    if TOLD.swap(minute, Relaxed) != minute {
        tracing::warn!(
            %address,
            "The budget of this address is used up, and its requests carry X-Forwarded-For. If it is a proxy of yours, \
             set Service:TrustedProxies to 1: until then all people behind it share one budget."
        );
    }
}

#[cfg(test)]
mod tests {
    use super::{Purpose, purpose};
    use http::Method;

    #[test]
    fn every_path_has_its_purpose() {
        for (method, path, wanted) in [
            (Method::POST, "/api/v1/auth/login", Some(Purpose::Authentication)),
            (Method::POST, "/api/v1/auth/no-such", Some(Purpose::Authentication)),
            (Method::GET, "/api/v1/auth/oidc/callback", Some(Purpose::Authentication)),
            (Method::GET, "/api/v1/auth/setup", Some(Purpose::Requests)),
            (Method::POST, "/api/v1/auth/refresh", Some(Purpose::Requests)),
            (Method::POST, "/api/v1/auth/logout", Some(Purpose::Requests)),
            (Method::POST, "/api/v1/auth/password/reset", Some(Purpose::Authentication)),
            (Method::POST, "/api/v1/runner/take", Some(Purpose::Runner)),
            (Method::GET, "/api/v1/orgs/auth", Some(Purpose::Requests)),
            (Method::GET, "/api/v1/no-such", Some(Purpose::Requests)),
            (Method::POST, "/mcp", Some(Purpose::Requests)),
            (Method::POST, "/scim/v2/orgs/demo/Users", Some(Purpose::Requests)),
            (Method::GET, "/docs", None),
            (Method::GET, "/openapi/v1.json", None),
            (Method::GET, "/healthz", None),
        ] {
            assert_eq!(purpose(&method, path), wanted, "{path}");
        }
    }
}
