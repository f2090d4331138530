//! The demo's data: an organization with a project, items, an agent, a playbook and a runner secret, made on
//! the first start of a data directory through the same routes that everybody uses.
//!
//! `DIR/demo.json` (mode 0600) says how to sign in. It is written last, so that it is there only when
//! everything is.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use http::{HeaderName, Method, Request, header};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use svc_api::factory::{Agent, Playbook, RunnerSecret};
use svc_api::identity::{CreatedToken, SetupStatus};
use svc_api::tracker::{Item, Project};
use svc_app::App;
use svc_boot::{Config, Storage, Store};
use svc_http::{FromWithin, REQUEST_HEADER};
use tower::ServiceExt as _;

use crate::failure::Failure;
use crate::routes::router;

const ORG: &str = "demo";
const PROJECT: &str = "DEMO";
const EMAIL: &str = "demo@example.com";

/// The file in the data directory.
const FILE: &str = "demo.json";

/// What `demo.json` holds.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DemoFile {
    url: String,
    org: String,
    project: String,
    email: String,
    password: String,
    token: String,
    runner_secret: String,
}

/// On an embedded instance the first account administers it unless the settings name others; but not the demo's, whose
/// password lies in a file.
pub(crate) fn name_admins(config: &mut Config, demo: bool) {
    let Storage { engine, directory, .. } = &config.storage;
    let is_demo = demo || directory.join(FILE).exists();
    config.settings.administration.first_account = *engine == Store::Embedded && !is_demo;
}

/// Makes the demo's data where there is none, and keeps the address in `demo.json` true.
pub(crate) async fn prepare(app: &Arc<App>, directory: &Path) -> Result<(), Failure> {
    let path = directory.join(FILE);
    let url = app.settings.service.base_url.clone();
    if let Ok(text) = fs::read_to_string(&path) {
        let known: DemoFile = serde_json::from_str(&text)?;
        if known.url != url {
            write(&path, &DemoFile { url, ..known })?;
        }
        return Ok(());
    }
    let api = Api { router: router(Arc::clone(app)), credential: None };
    let setup: SetupStatus = api.send(Method::GET, "/auth/setup", Value::Null).await?;
    if !setup.needed {
        return Err(format!(
            "{} has an account but no demo.json: it was not created with --demo, or the first start was interrupted. \
            Leave out --demo, or give an empty directory.",
            directory.display()
        )
        .into());
    }
    let file = fill(app, api, url).await?;
    fs::create_dir_all(directory)?;
    write(&path, &file)?;
    tracing::info!(path = %path.display(), "the demo is ready");
    Ok(())
}

async fn fill(app: &App, api: Api, url: String) -> Result<DemoFile, Failure> {
    let password = app.uuid().simple().to_string();
    let account = json!({
        "email": EMAIL, "password": password, "displayName": "Demo Owner",
        "organization": {"slug": ORG, "name": "Demo"},
    });
    let credential = Some(api.session(account).await?);
    let api = Api { credential, ..api };
    let token = json!({"name": "demo", "scopes": ["read", "write", "admin", "mcp"], "organization": ORG});
    let token: CreatedToken = api.send(Method::POST, "/me/tokens", token).await?;
    let credential = Some((header::AUTHORIZATION, format!("Bearer {}", token.secret)));
    let api = Api { credential, ..api };

    let about = "What the demo works on: a program that greets people.";
    let project = json!({"key": PROJECT, "name": "Greeter", "description": about});
    let _: Project = api.send(Method::POST, "/orgs/demo/projects", project).await?;
    let agent: Agent = api.send(Method::POST, "/orgs/demo/agents", json!({"name": "Builder"})).await?;
    let _: Playbook = api.send(Method::POST, "/orgs/demo/projects/DEMO/playbooks", playbook()).await?;
    let settings: Value = api.send(Method::GET, SETTINGS, Value::Null).await?;
    let defaults = json!({"version": settings["version"], "defaultAgent": agent.id});
    let _: Value = api.send(Method::PATCH, SETTINGS, defaults).await?;
    for (item, state) in items() {
        add(&api, item, state).await?;
    }
    let runner: RunnerSecret =
        api.send(Method::POST, "/orgs/demo/runners", json!({"name": "Demo runner"})).await?;
    Ok(DemoFile {
        url,
        org: ORG.into(),
        project: PROJECT.into(),
        email: EMAIL.into(),
        password,
        token: token.secret,
        runner_secret: runner.secret,
    })
}

const SETTINGS: &str = "/orgs/demo/projects/DEMO/factory-settings";

async fn add(api: &Api, item: Value, states: &[&str]) -> Result<(), Failure> {
    let mut item: Item = api.send(Method::POST, "/orgs/demo/projects/DEMO/items", item).await?;
    for state in states {
        let path = format!("/orgs/demo/items/{}/transition", item.key);
        item = api.send(Method::POST, &path, json!({"version": item.version, "state": state})).await?;
    }
    Ok(())
}

fn playbook() -> Value {
    json!({
        "name": "Implement",
        "instructions": "Do what the item asks, in the smallest change that does it well.\n\n\
                         1. Read the repository's own instructions first.\n\
                         2. Write the test that fails without the change, where the repository has tests.\n\
                         3. Commit with the item's key in the message, and push the branch.\n",
        "harness": "harness_1",
        "timeLimitMinutes": 30,
        "successState": "In review",
        "failureState": "Backlog",
        "projectDefault": true,
    })
}

/// The items, each with the states that it is moved through.
fn items() -> [(Value, &'static [&'static str]); 6] {
    [
        (
            json!({
                "type": "story", "title": "Greet people by name", "priority": "high", "labels": ["greeting"],
                "estimate": 3,
                "body": "As a visitor I want to be greeted by my name.\n\n\
                         - `greet Ada` says `Hello, Ada!`\n- without a name it says `Hello!`\n",
            }),
            &[],
        ),
        (
            json!({
                "type": "bug", "title": "The greeting is cut off after 20 characters", "priority": "highest",
                "labels": ["greeting"], "body": "Long names lose their end. Expected: the whole name.\n",
            }),
            &[],
        ),
        (
            json!({"type": "epic", "title": "Greetings in every language", "labels": ["languages"], "body": ""}),
            &["In progress"],
        ),
        (
            json!({
                "type": "task", "title": "Choose the languages to begin with", "parent": "DEMO-3",
                "labels": ["languages"], "priority": "low", "assignee": "@me",
            }),
            &["In progress", "In review"],
        ),
        (
            json!({"type": "task", "title": "Say in the README how to install", "labels": ["docs"], "estimate": 1}),
            &["In progress", "In review", "Resolved"],
        ),
        (
            json!({"type": "story", "title": "Say goodbye too", "priority": "lowest", "labels": ["wontfix"]}),
            &["In progress", "In review", "Resolved", "Closed"],
        ),
    ]
}

fn write(path: &Path, file: &DemoFile) -> Result<(), Failure> {
    let directory = path.parent().ok_or("the demo's file has no directory")?;
    let mut temporary =
        tempfile::Builder::new().permissions(fs::Permissions::from_mode(0o600)).tempfile_in(directory)?;
    writeln!(temporary, "{}", serde_json::to_string_pretty(file)?)?;
    temporary.persist(path)?;
    Ok(())
}

/// The service's own routes, asked without a socket and without a budget.
struct Api {
    router: Router,
    /// The header of who asks.
    credential: Option<(HeaderName, String)>,
}

impl Api {
    async fn send<T: DeserializeOwned>(&self, method: Method, path: &str, body: Value) -> Result<T, Failure> {
        let (_, body) = self.answer(method, path, body).await?;
        Ok(serde_json::from_slice(&body)?)
    }

    /// Registers the first account and returns the cookie of its session.
    async fn session(&self, account: Value) -> Result<(HeaderName, String), Failure> {
        let (headers, _) = self.answer(Method::POST, "/auth/register", account).await?;
        let cookie = headers.get(header::SET_COOKIE).and_then(|cookie| cookie.to_str().ok());
        let pair = cookie.and_then(|cookie| cookie.split(';').next());
        Ok((header::COOKIE, pair.ok_or("the registration set no cookie")?.to_owned()))
    }

    async fn answer(
        &self,
        method: Method,
        path: &str,
        body: Value,
    ) -> Result<(http::HeaderMap, Vec<u8>), Failure> {
        let uri = format!("/api/v1{path}");
        let mut request = Request::builder().method(&method).uri(uri).header(REQUEST_HEADER, "1");
        if let Some((name, value)) = &self.credential {
            request = request.header(name, value);
        }
        let body = if body.is_null() {
            Body::empty()
        } else {
            request = request.header(header::CONTENT_TYPE, "application/json");
            Body::from(body.to_string())
        };
        let request = request.extension(FromWithin).body(body)?;
        let response = self.router.clone().oneshot(request).await?;
        let (head, body) = response.into_parts();
        let body = to_bytes(body, 1 << 20).await?;
        if !head.status.is_success() {
            return Err(format!("{method} {path}: {}", String::from_utf8_lossy(&body)).into());
        }
        Ok((head.headers, body.to_vec()))
    }
}
