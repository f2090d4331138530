//! Which budget a request is counted against (specification section 8); the counting is the application's.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use svc_app::{App, budget, secrets};

use crate::error::ApiError;
use crate::extract::{ClientIp, bearer};

/// The budget of a group of routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Per IP address, or per token when a bearer token is presented.
    Requests,
    /// Per IP address, for routes that check passwords.
    Authentication,
}

/// Middleware that spends one request of a budget, or answers 429.
pub async fn budgeted(
    State((app, kind)): State<(Arc<App>, Budget)>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    let ip = ClientIp::of(&parts, app.settings.service.trusted_proxies).0;
    let limits = &app.settings.rate_limits;
    let (subject, limit) = match kind {
        Budget::Authentication => (format!("auth:{ip}"), limits.authentication_per_minute),
        Budget::Requests => match bearer(&parts.headers) {
            Some(secret) => (format!("token:{}", secrets::hash(secret)), limits.requests_per_minute),
            None => (format!("ip:{ip}"), limits.requests_per_minute),
        },
    };
    match budget::spend(&app, &subject, limit).await {
        Ok(()) => next.run(Request::from_parts(parts, body)).await,
        Err(error) => ApiError::from(error).into_response(),
    }
}
