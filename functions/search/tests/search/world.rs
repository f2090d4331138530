//! An organization with two projects and people of every kind, and the shortest way to write and to find.

use std::sync::{Arc, LazyLock};

use axum::Router;
use http::Method;
use serde_json::{Value, json};
use svc_app::{Settings, search};
use svc_domain::identity::{Org, OrgRole, ProjectRole};
use svc_domain::project::Project;
use svc_testkit::{Areas, Metered, Reply, TestApp, call, scopes};

/// The routes of these tests.
pub(crate) static AREAS: LazyLock<Areas> =
    LazyLock::new(|| Areas::new([svc_search::router(), svc_tracker::router(), svc_wiki::router()]));

/// The organization `demo` with the projects `PRJ` and `OPS`.
pub(crate) struct World {
    pub(crate) kit: TestApp,
    pub(crate) router: Router,
    pub(crate) org: Org,
    pub(crate) project: Project,
    /// Owner of the organization.
    pub(crate) owner: String,
    /// Factory operator in both projects.
    pub(crate) ada: String,
    /// Stakeholder in `PRJ`.
    pub(crate) stakeholder: String,
    /// Guest in `PRJ`.
    pub(crate) guest: String,
    /// Member of the organization, of no project.
    pub(crate) outsider: String,
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::on(TestApp::with(patient())).await
    }

    /// A world whose reads are counted.
    pub(crate) async fn metered() -> (Self, Arc<Metered>) {
        let (kit, meter) = TestApp::with(patient()).metered();
        (Self::on(kit).await, meter)
    }

    async fn on(kit: TestApp) -> Self {
        let org = kit.org("demo").await;
        let project = kit.project(&org, "PRJ").await;
        let other = kit.project(&org, "OPS").await;
        let person = async |name: &str, role: OrgRole, operator: bool, projects: &[&Project]| {
            let id = kit.user(&org, &format!("{name}@example.com"), role, operator).await;
            for project in projects {
                kit.project_member(&org, project, id, ProjectRole::Admin).await;
            }
            kit.token(id, scopes(), None).await
        };
        let owner = person("owner", OrgRole::Owner, false, &[]).await;
        let ada = person("ada", OrgRole::Member, true, &[&project, &other]).await;
        let stakeholder = person("stakeholder", OrgRole::Member, false, &[&project]).await;
        let guest = person("guest", OrgRole::Guest, false, &[&project]).await;
        let outsider = person("outsider", OrgRole::Member, true, &[]).await;
        let router = kit.router(&AREAS);
        Self { kit, router, org, project, owner, ada, stakeholder, guest, outsider }
    }

    /// Asks as Ada; `path` comes after `/orgs/demo`.
    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.get_as(&self.ada, path).await
    }

    pub(crate) async fn get_as(&self, token: &str, path: &str) -> Reply {
        call(&self.router, Method::GET, &format!("/orgs/demo{path}"), Some(token), None).await
    }

    pub(crate) async fn write(&self, method: Method, path: &str, token: &str, body: Value) -> Value {
        let reply = call(&self.router, method, &format!("/orgs/demo{path}"), Some(token), Some(body)).await;
        assert!(reply.status.is_success(), "{}", reply.text);
        reply.json
    }

    /// Creates an item; its key.
    pub(crate) async fn item(&self, project: &str, title: &str, body: &str) -> String {
        let new = json!({"type": "task", "title": title, "body": body});
        let made = self.write(Method::POST, &format!("/projects/{project}/items"), &self.ada, new).await;
        made["key"].as_str().unwrap().to_owned()
    }

    /// Comments on an item; the comment's id.
    pub(crate) async fn comment(
        &self,
        item: &str,
        token: &str,
        body: &str,
        reply_to: Option<&str>,
    ) -> String {
        let new = json!({"body": body, "replyTo": reply_to});
        let made = self.write(Method::POST, &format!("/items/{item}/comments"), token, new).await;
        made["id"].as_str().unwrap().to_owned()
    }

    /// Writes a page of `PRJ`; its version.
    pub(crate) async fn page(&self, path: &str, version: Option<u64>, body: &str) -> u64 {
        let path = format!("/projects/PRJ/wiki/pages/{path}");
        let put = json!({"version": version, "body": body});
        self.write(Method::PUT, &path, &self.ada, put).await["version"].as_u64().unwrap()
    }

    /// Indexes what waits.
    pub(crate) async fn settle(&self) {
        search::index_waiting(&self.kit.app).await.unwrap();
        assert_eq!(search::index_waiting(&self.kit.app).await.unwrap(), 0, "nothing waits any more");
    }

    /// What a search of `PRJ` finds, in order: keys of items, texts of comments, paths of pages.
    pub(crate) async fn find(&self, types: &str, q: &str) -> Vec<String> {
        self.find_as(&self.ada, &format!("/projects/PRJ/search?types={types}&q={}", encoded(q))).await
    }

    /// What a search of the organization finds.
    pub(crate) async fn find_anywhere(&self, token: &str, q: &str) -> Vec<String> {
        self.find_as(token, &format!("/search?q={}", encoded(q))).await
    }

    pub(crate) async fn find_as(&self, token: &str, path: &str) -> Vec<String> {
        let reply = self.get_as(token, path).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply.json["results"].as_array().unwrap().iter().map(shown).collect()
    }
}

/// Settings with which a test may ask as often as it likes.
fn patient() -> Settings {
    let mut settings = Settings::default();
    settings.rate_limits.requests_per_minute = 1_000_000;
    settings
}

fn shown(result: &Value) -> String {
    let text = |name: &str| result[name].as_str().unwrap_or_default().to_owned();
    match result["type"].as_str().unwrap() {
        "comment" => text("snippet"),
        "page" => text("path"),
        "person" => text("title"),
        _ => text("key"),
    }
}

/// A text as part of an address.
pub(crate) fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
