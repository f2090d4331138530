//! An organization with one project, and the shortest way to call a tool in it.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::Body;
use http::{Method, Request, header};
use serde_json::{Value, json};
use svc_app::{App, Settings};
use svc_domain::identity::{Org, OrgRole, ProjectRole, Scope};
use svc_domain::ids::UserId;
use svc_testkit::{Reply, TestApp, call, send};

static ROUTES: LazyLock<Router<Arc<App>>> = LazyLock::new(|| {
    let areas = [
        svc_tracker::router(),
        svc_wiki::router(),
        svc_factory::router(),
        svc_runner_api::router(),
        svc_search::router(),
    ];
    TestApp::documented(areas).0.merge(svc_mcp::router())
});

/// The organization `demo` with the project `PRJ`.
pub(crate) struct World {
    pub(crate) kit: TestApp,
    pub(crate) router: Router,
    pub(crate) org: Org,
    /// Owner of the organization.
    pub(crate) owner: String,
    /// Member of the project who may not start AI work.
    pub(crate) ada: String,
    pub(crate) ada_id: UserId,
    /// Guest in the project.
    pub(crate) guest: String,
    /// The agent of a run on the project's first item.
    pub(crate) agent: String,
}

/// What a bound token for everything has.
pub(crate) const SCOPES: [Scope; 3] = [Scope::Read, Scope::Write, Scope::Mcp];

impl World {
    pub(crate) async fn new() -> Self {
        let mut settings = Settings::default();
        settings.rate_limits.requests_per_minute = 1_000_000;
        settings.service.base_url = "https://svc.example.com".into();
        Self::on(TestApp::with(settings)).await
    }

    pub(crate) async fn on(kit: TestApp) -> Self {
        let org = kit.org("demo").await;
        let project = kit.project(&org, "PRJ").await;
        let owner = kit.user(&org, "owner@example.com", OrgRole::Owner, false).await;
        let ada = kit.user(&org, "ada@example.com", OrgRole::Member, false).await;
        let guest = kit.user(&org, "guest@example.com", OrgRole::Guest, false).await;
        for user in [ada, guest] {
            kit.project_member(&org, &project, user, ProjectRole::Member).await;
        }
        let (_, _, agent) = kit.agent_token(&org, &project).await;
        let router = svc_http::finish(ROUTES.clone(), kit.app.clone());
        let [owner, ada_token, guest] = [
            kit.token(owner, &SCOPES, Some(&org)).await,
            kit.token(ada, &SCOPES, Some(&org)).await,
            kit.token(guest, &SCOPES, Some(&org)).await,
        ];
        Self { kit, router, org, owner, ada: ada_token, ada_id: ada, guest, agent }
    }

    /// Sends a message of the protocol, as clients of the older generation do.
    pub(crate) async fn post(&self, token: &str, message: Value) -> Reply {
        let request = message_of(token, &message);
        send(&self.router, request.body(Body::from(message.to_string())).unwrap()).await
    }

    /// Asks a method of the protocol and expects a result.
    pub(crate) async fn ask(&self, token: &str, method: &str, params: Value) -> Value {
        let reply =
            self.post(token, json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})).await;
        assert!(reply.json["result"].is_object(), "{method}: {} {}", reply.status, reply.text);
        reply.json["result"].clone()
    }

    /// Calls a tool.
    pub(crate) async fn tool(&self, token: &str, name: &str, arguments: Value) -> Value {
        self.ask(token, "tools/call", json!({"name": name, "arguments": arguments})).await
    }

    /// The text of a tool that succeeds.
    pub(crate) async fn said(&self, token: &str, name: &str, arguments: Value) -> String {
        let result = self.tool(token, name, arguments).await;
        assert_eq!(result["isError"], false, "{name}: {result}");
        text(&result)
    }

    /// The text of a tool that fails.
    pub(crate) async fn refused(&self, token: &str, name: &str, arguments: Value) -> String {
        let result = self.tool(token, name, arguments).await;
        assert_eq!(result["isError"], true, "{name}: {result}");
        text(&result)
    }

    /// Asks the REST API as the Owner.
    pub(crate) async fn rest(&self, method: Method, path: &str, body: Value) -> Reply {
        let body = (method != Method::GET).then_some(body);
        call(&self.router, method, &format!("/orgs/demo{path}"), Some(&self.owner), body).await
    }

    /// Makes an item through the REST API, and says its key.
    pub(crate) async fn item(&self, title: &str) -> String {
        let new = json!({"type": "task", "title": title, "state": "In progress"});
        let made = self.rest(Method::POST, "/projects/PRJ/items", new).await;
        made.json["key"].as_str().unwrap().to_owned()
    }

    /// Makes an agent, a playbook and a runner; the runner's secret.
    pub(crate) async fn furnish(&self) -> String {
        let boss = self.kit.user(&self.org, "boss@example.com", OrgRole::Owner, false).await;
        let boss = self.kit.token(boss, svc_testkit::scopes(), None).await;
        let make = async |path: &str, body: Value| {
            let path = format!("/orgs/demo{path}");
            let made = call(&self.router, Method::POST, &path, Some(&boss), Some(body)).await;
            assert!(made.status.is_success(), "{path}: {}", made.text);
            made.json
        };
        make("/agents", json!({"name": "Builder"})).await;
        let playbook = json!({
            "name": "Implement", "instructions": "Write the code.", "harness": "harness_1", "projectDefault": true,
        });
        make("/projects/PRJ/playbooks", playbook).await;
        make("/runners", json!({"name": "box"})).await["secret"].as_str().unwrap().to_owned()
    }

    /// The runner takes what waits: the assignment.
    pub(crate) async fn take(&self, secret: &str) -> Value {
        let take = json!({"harnesses": ["harness_1"], "waitSeconds": 0, "requestId": "first"});
        call(&self.router, Method::POST, "/runner/take", Some(secret), Some(take)).await.json
    }

    /// Names of the tools that somebody is shown.
    pub(crate) async fn listed(&self, token: &str) -> Vec<String> {
        let listed = self.ask(token, "tools/list", json!({})).await;
        let tools = listed["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }
}

/// A request with a message, as a client of the service sends it.
pub(crate) fn message_of(token: &str, message: &Value) -> http::request::Builder {
    let request = Request::post("/mcp")
        .header(header::HOST, "svc.example.com")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "application/json, text/event-stream")
        .header(header::AUTHORIZATION, format!("Bearer {token}"));
    match message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str() {
        Some(version) => request.header("mcp-protocol-version", version),
        None => request,
    }
}

/// The text of a result.
pub(crate) fn text(result: &Value) -> String {
    result["content"][0]["text"].as_str().unwrap().to_owned()
}
