//! Which budget a request is counted against (specification section 8); the counting is the application's.
//!
//! One place decides it from method and path, so that no area can forget. Pages and assets are not counted:
//! they cost nothing.

use axum::extract::Request;
use http::Method;
use svc_app::{App, budget, secrets};

use crate::error::ApiResult;
use crate::extract::{ClientIp, bearer};

/// A budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Budget {
    /// Of sign-in: per IP address.
    Authentication,
    /// Of runners, which report what happens as it happens: per secret.
    Runner,
    /// Of all else: per token when a bearer token is presented, per IP address otherwise.
    Requests,
}

impl Budget {
    fn of(method: &Method, path: &str) -> Option<Self> {
        let rest = match path {
            "/mcp" => return Some(Self::Requests),
            path => path.strip_prefix("/api/v1/")?,
        };
        match rest.split_once('/').map_or(rest, |(area, _)| area) {
            "auth" if method != Method::GET || rest == "auth/oidc/callback" => Some(Self::Authentication),
            "runner" => Some(Self::Runner),
            _ => Some(Self::Requests),
        }
    }

    /// Whose budget it is, and how many requests a minute it has.
    fn subject(self, app: &App, request: &Request) -> (String, u32) {
        let limits = &app.settings.rate_limits;
        let ip =
            || ClientIp::of(request.headers(), request.extensions(), app.settings.service.trusted_proxies).0;
        let who = || match bearer(request.headers()) {
            Some(secret) => format!("token:{}", secrets::hash(secret)),
            None => format!("ip:{}", ip()),
        };
        match self {
            Self::Authentication => (format!("auth:{}", ip()), limits.authentication_per_minute),
            Self::Runner => (format!("runner:{}", who()), limits.runner_per_minute),
            Self::Requests => (who(), limits.requests_per_minute),
        }
    }
}

/// Spends one request of its budget.
///
/// # Errors
/// 429 when it is spent.
pub(crate) fn within_budget<'a>(
    app: &'a App,
    request: &Request,
) -> impl Future<Output = ApiResult<()>> + use<'a> {
    // The future keeps no request, whose body threads could not share.
    let budget =
        Budget::of(request.method(), request.uri().path()).map(|budget| budget.subject(app, request));
    async move {
        match budget {
            Some((subject, limit)) => Ok(budget::spend(app, &subject, limit).await?),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Budget;
    use http::Method;

    #[test]
    fn every_path_has_its_budget() {
        for (method, path, budget) in [
            (Method::POST, "/api/v1/auth/login", Some(Budget::Authentication)),
            (Method::POST, "/api/v1/auth/no-such", Some(Budget::Authentication)),
            (Method::GET, "/api/v1/auth/oidc/callback", Some(Budget::Authentication)),
            (Method::GET, "/api/v1/auth/setup", Some(Budget::Requests)),
            (Method::POST, "/api/v1/runner/take", Some(Budget::Runner)),
            (Method::GET, "/api/v1/orgs/auth", Some(Budget::Requests)),
            (Method::GET, "/api/v1/no-such", Some(Budget::Requests)),
            (Method::POST, "/mcp", Some(Budget::Requests)),
            (Method::GET, "/docs", None),
            (Method::GET, "/openapi/v1.json", None),
            (Method::GET, "/healthz", None),
        ] {
            assert_eq!(Budget::of(&method, path), budget, "{path}");
        }
    }
}
