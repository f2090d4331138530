//! What people and programs get of this area over HTTP.

mod account;
mod administration;
mod audit;
mod bodies;
mod budgets;
mod contract;
mod first_run;
mod idempotency;
mod invitations;
mod mail;
mod members;
mod oidc;
mod oidc_groups;
mod org_deletion;
mod orgs;
mod post;
mod provider;
mod races;
mod scim;
mod sessions;
mod smtp;
mod tokens;
mod trace;

use std::sync::LazyLock;

use axum::Router;
use http::Method;
use serde_json::{Value, json};
use svc_app::Settings;
use svc_testkit::{Areas, Reply, TestApp, call};

/// An application whose budgets do not stand in the way.
fn roomy() -> TestApp {
    TestApp::with(roomy_settings())
}

fn roomy_settings() -> Settings {
    let mut settings = Settings::default();
    settings.rate_limits.requests_per_minute = 100_000;
    settings.rate_limits.authentication_per_minute = 100_000;
    settings
}

static AREAS: LazyLock<Areas> = LazyLock::new(|| Areas::new([svc_identity::router()]));

fn router(t: &TestApp) -> Router {
    t.router(&AREAS)
}

async fn get(router: &Router, path: &str, token: &str) -> Reply {
    call(router, Method::GET, path, Some(token), None).await
}

async fn post(router: &Router, path: &str, token: &str, body: Value) -> Reply {
    call(router, Method::POST, path, Some(token), Some(body)).await
}

async fn delete(router: &Router, path: &str, token: &str) -> Reply {
    call(router, Method::DELETE, path, Some(token), None).await
}

/// Accepts the invitation of a link: with an account, or with the name and the password of a new one.
async fn accept(router: &Router, token: Option<&str>, body: Value) -> Reply {
    call(router, Method::POST, "/auth/invitations/accept", token, Some(body)).await
}

/// Makes an account for the person who was invited.
async fn join(router: &Router, secret: &str, name: &str) -> Reply {
    let body = json!({ "secret": secret, "displayName": name, "password": "long enough" });
    accept(router, None, body).await
}

/// Invites an address to the organization `demo`.
async fn invite(router: &Router, token: &str, email: &str) -> Reply {
    post(router, "/orgs/demo/invitations", token, json!({ "email": email, "preset": "member" })).await
}

fn login_body(email: &str, password: &str) -> Value {
    json!({ "email": email, "password": password })
}
