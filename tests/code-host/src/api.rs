//! The host's API, and the exchange of codes.

#![expect(clippy::result_large_err, reason = "an answer is an answer, good or bad")]

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use http::{HeaderMap, StatusCode, header};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{APP, CLIENT, DEFAULT_BRANCH, Host, Installed, Minted};

type Answer = Result<Json<Value>, Response>;

pub(crate) fn routes() -> Router<Arc<Host>> {
    Router::new()
        .route("/user", get(user))
        .route("/user/installations", get(installations))
        .route("/user/memberships/orgs/{account}", get(membership))
        .route("/app/installations/{id}/access_tokens", post(mint))
        .route("/repos/{owner}/{name}", get(repository))
        .route("/repos/{owner}/{name}/installation", get(covering))
}

fn refused(status: u16, message: &str) -> Response {
    let status = StatusCode::from_u16(status).expect("a status");
    (status, Json(json!({ "message": message }))).into_response()
}

/// The bearer token, where the host answers at all.
fn bearer(host: &Host, headers: &HeaderMap) -> Result<String, Response> {
    if host.facts.lock().away {
        return Err(refused(503, "Service unavailable"));
    }
    let shown = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = shown.and_then(|shown| shown.strip_prefix("Bearer "));
    token.map(str::to_owned).ok_or_else(|| refused(401, "Requires authentication"))
}

/// The person who asks.
fn person(host: &Host, headers: &HeaderMap) -> Result<String, Response> {
    let token = bearer(host, headers)?;
    host.facts.lock().people.get(&token).cloned().ok_or_else(|| refused(401, "Bad credentials"))
}

/// That the app itself asks.
fn app(host: &Host, headers: &HeaderMap) -> Result<(), Response> {
    let token = bearer(host, headers)?;
    if !host.key.believes(&token, APP, host.now()) {
        return Err(refused(401, "A JSON web token could not be decoded"));
    }
    if host.facts.lock().suspended {
        return Err(refused(403, "This installation has been suspended"));
    }
    Ok(())
}

/// A number for a name.
fn number(name: &str) -> u64 {
    name.to_lowercase().bytes().fold(7, |number, byte| number % 1_000_000_007 * 31 + u64::from(byte))
}

fn account(installed: &Installed) -> Value {
    let kind = if installed.organization { "Organization" } else { "User" };
    json!({ "id": number(&installed.account), "login": installed.account, "type": kind })
}

#[derive(Deserialize)]
pub(crate) struct Exchange {
    client_id: String,
    client_secret: String,
    code: String,
}

pub(crate) async fn exchange(State(host): State<Arc<Host>>, Json(sent): Json<Exchange>) -> Answer {
    let mut facts = host.facts.lock();
    if facts.away {
        return Err(refused(503, "Service unavailable"));
    }
    let known = (sent.client_id.as_str(), sent.client_secret.as_str()) == CLIENT;
    // A code is worth something once.
    let Some(person) = facts.codes.remove(&sent.code).filter(|_| known) else {
        return Ok(Json(json!({ "error": "bad_verification_code" })));
    };
    let token = format!("ghu_person-{}", facts.people.len());
    facts.people.insert(token.clone(), person);
    Ok(Json(json!({ "access_token": token, "token_type": "bearer", "scope": "" })))
}

async fn user(State(host): State<Arc<Host>>, headers: HeaderMap) -> Answer {
    let person = person(&host, &headers)?;
    Ok(Json(json!({ "id": number(&person), "login": person, "type": "User" })))
}

#[derive(Deserialize)]
struct Paging {
    page: usize,
    per_page: usize,
}

async fn installations(
    State(host): State<Arc<Host>>,
    headers: HeaderMap,
    Query(paging): Query<Paging>,
) -> Answer {
    let person = person(&host, &headers)?;
    let facts = host.facts.lock();
    let sees = |one: &&Installed| {
        let belongs = (person.clone(), one.account.clone());
        one.account == person || facts.owners.contains(&belongs) || facts.readers.contains(&belongs)
    };
    let seen: Vec<&Installed> = facts.installed.iter().filter(sees).collect();
    let page = seen.iter().skip((paging.page - 1) * paging.per_page).take(paging.per_page);
    let page: Vec<Value> = page.map(|one| json!({ "id": one.id, "account": account(one) })).collect();
    Ok(Json(json!({ "total_count": seen.len(), "installations": page })))
}

async fn membership(
    State(host): State<Arc<Host>>,
    headers: HeaderMap,
    Path(account): Path<String>,
) -> Answer {
    let belongs = (person(&host, &headers)?, account);
    let facts = host.facts.lock();
    let role = match (facts.owners.contains(&belongs), facts.readers.contains(&belongs)) {
        (true, _) => "admin",
        (false, true) => "member",
        (false, false) => return Err(refused(404, "Not Found")),
    };
    Ok(Json(json!({ "state": "active", "role": role })))
}

async fn covering(
    State(host): State<Arc<Host>>,
    headers: HeaderMap,
    Path((owner, name)): Path<(String, String)>,
) -> Answer {
    app(&host, &headers)?;
    let facts = host.facts.lock();
    let covers = |one: &&Installed| {
        one.account.eq_ignore_ascii_case(&owner)
            && one.repositories.iter().any(|known| known.eq_ignore_ascii_case(&name))
    };
    let found = facts.installed.iter().find(covers).ok_or_else(|| refused(404, "Not Found"))?;
    Ok(Json(json!({ "id": found.id, "account": account(found) })))
}

#[derive(Deserialize)]
struct Mint {
    repositories: Vec<String>,
    permissions: Value,
}

async fn mint(
    State(host): State<Arc<Host>>,
    headers: HeaderMap,
    Path(id): Path<u64>,
    Json(asked): Json<Mint>,
) -> Result<(StatusCode, Json<Value>), Response> {
    app(&host, &headers)?;
    let now = host.now();
    let mut facts = host.facts.lock();
    let installed = facts.installed.iter().find(|one| one.id == id).cloned();
    let installed = installed.ok_or_else(|| refused(404, "Not Found"))?;
    let [name] = &asked.repositories[..] else { return Err(refused(422, "One repository at a time")) };
    let Some(name) = installed.repositories.iter().find(|known| known.eq_ignore_ascii_case(name)) else {
        return Err(refused(422, "A repository is not accessible to the parent installation"));
    };
    let repository = format!("{}/{name}", installed.account);
    let token = format!("ghs_installation-token-{:04}", facts.minted.len());
    // As exact as hosts tell it.
    let ends = jiff::Timestamp::from_second((now + facts.lifetime).as_second()).expect("a time");
    let writes = asked.permissions["contents"] == "write";
    facts.minted.insert(token.clone(), Minted { repository: repository.clone(), writes, ends });
    let body = json!({
        "token": token, "expires_at": ends, "permissions": asked.permissions, "repository_selection": "selected",
        "repositories": [{ "id": number(&repository), "name": name, "full_name": repository }],
    });
    Ok((StatusCode::CREATED, Json(body)))
}

async fn repository(
    State(host): State<Arc<Host>>,
    headers: HeaderMap,
    Path((owner, name)): Path<(String, String)>,
) -> Answer {
    let token = bearer(&host, &headers)?;
    let asked = format!("{owner}/{name}");
    let facts = host.facts.lock();
    let minted = facts.minted.get(&token).filter(|minted| host.now() < minted.ends);
    let minted = minted.ok_or_else(|| refused(401, "Bad credentials"))?;
    if !minted.repository.eq_ignore_ascii_case(&asked) {
        return Err(refused(404, "Not Found"));
    }
    Ok(Json(json!({ "full_name": minted.repository, "default_branch": DEFAULT_BRANCH })))
}
