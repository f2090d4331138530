//! An organization with one project and people of every kind, and the shortest way to ask the API.

use std::sync::LazyLock;

use axum::Router;
use http::Method;
use serde_json::{Value, json};
use svc_app::Settings;
use svc_domain::identity::{Org, OrgRole, ProjectRole};
use svc_domain::ids::{RunId, UserId};
use svc_domain::project::Project;
use svc_testkit::{Areas, Reply, TestApp, call, scopes};

/// The routes of these tests.
pub(crate) static AREAS: LazyLock<Areas> = LazyLock::new(|| Areas::new([svc_tracker::router()]));

/// The organization `demo` with the project `PRJ`.
pub(crate) struct World {
    pub(crate) kit: TestApp,
    pub(crate) router: Router,
    /// Another process on the same store.
    pub(crate) elsewhere: Router,
    pub(crate) org: Org,
    pub(crate) project: Project,
    /// Owner of the organization, no member of the project.
    pub(crate) owner: String,
    /// Member of the project.
    pub(crate) ada: Person,
    /// Another member of the project.
    pub(crate) bob: Person,
    /// Admin of the project by the project's role alone.
    pub(crate) chief: Person,
    /// Guest in the project.
    pub(crate) guest: Person,
    /// Member of the organization, not of the project.
    pub(crate) outsider: Person,
}

#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) id: UserId,
    pub(crate) token: String,
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(Settings::default()).await
    }

    pub(crate) async fn with(settings: Settings) -> Self {
        let rate_limits = patient().rate_limits;
        Self::on(TestApp::with(Settings { rate_limits, ..settings })).await
    }

    pub(crate) async fn on(kit: TestApp) -> Self {
        let org = kit.org("demo").await;
        let project = kit.project(&org, "PRJ").await;
        let owner = person(&kit, &org, "owner@example.com", OrgRole::Owner).await.token;
        let ada = person(&kit, &org, "ada@example.com", OrgRole::Member).await;
        let bob = person(&kit, &org, "bob@example.com", OrgRole::Member).await;
        let chief = person(&kit, &org, "chief@example.com", OrgRole::Member).await;
        let guest = person(&kit, &org, "guest@example.com", OrgRole::Guest).await;
        let outsider = person(&kit, &org, "outsider@example.com", OrgRole::Member).await;
        for (person, role) in [
            (&ada, ProjectRole::Member),
            (&bob, ProjectRole::Member),
            (&chief, ProjectRole::Admin),
            (&guest, ProjectRole::Member),
        ] {
            kit.project_member(&org, &project, person.id, role).await;
        }
        let router = kit.router(&AREAS);
        let elsewhere = kit.beside().router(&AREAS);
        // Each process takes its share of Ada's request budget before a crowd does.
        for process in [&router, &elsewhere] {
            call(process, Method::GET, "/orgs/demo/projects", Some(&ada.token), None).await;
        }
        Self { kit, router, elsewhere, org, project, owner, ada, bob, chief, guest, outsider }
    }

    /// Asks as Ada; `path` comes after `/orgs/demo`.
    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.get_as(&self.ada.token, path).await
    }

    pub(crate) async fn get_as(&self, token: &str, path: &str) -> Reply {
        call(&self.router, Method::GET, &format!("/orgs/demo{path}"), Some(token), None).await
    }

    /// Posts as Ada.
    pub(crate) async fn post(&self, path: &str, body: Value) -> Reply {
        self.post_as(&self.ada.token, path, body).await
    }

    pub(crate) async fn post_as(&self, token: &str, path: &str, body: Value) -> Reply {
        let body = (!body.is_null()).then_some(body);
        call(&self.router, Method::POST, &format!("/orgs/demo{path}"), Some(token), body).await
    }

    /// Changes something as Ada.
    pub(crate) async fn patch(&self, path: &str, body: Value) -> Reply {
        self.change_as(&self.ada.token, Method::PATCH, path, body).await
    }

    pub(crate) async fn change_as(&self, token: &str, method: Method, path: &str, body: Value) -> Reply {
        call(&self.router, method, &format!("/orgs/demo{path}"), Some(token), Some(body)).await
    }

    /// A task of this title, as the API answered it.
    pub(crate) async fn item(&self, title: &str) -> Value {
        self.post("/projects/PRJ/items", json!({"type": "task", "title": title})).await.is(201).json
    }

    /// Makes a run of this item live, as a dispatched run is.
    pub(crate) async fn begin_run(&self, key: &str, run: RunId) {
        self.set_run(key, Some(run)).await;
    }

    /// Ends the live run of this item.
    pub(crate) async fn end_run(&self, key: &str) {
        self.set_run(key, None).await;
    }

    async fn set_run(&self, key: &str, run: Option<RunId>) {
        use svc_app::tracker::ItemChange;
        let key = key.parse().unwrap();
        let row = self.kit.app.table.get(&svc_storage::keys::item(self.org.id, &key)).await.unwrap().unwrap();
        let mut change = ItemChange::update(self.org.id, row.read().unwrap(), row.version);
        change.item.live_run = run;
        svc_testkit::save(&self.kit.app, change).await.unwrap();
    }

    /// Lets workers do what waits.
    pub(crate) async fn work(&self) {
        self.kit.drain(async |told| svc_workers::handle(&self.kit.app, &told).await.unwrap()).await;
    }

    /// The history of an item as `actor action field from→to`, oldest first.
    pub(crate) async fn history(&self, key: &str) -> Vec<String> {
        let reply = self.get(&format!("/items/{key}/history?pageSize=100")).await;
        let entries = reply.json["items"].as_array().unwrap();
        let word = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        let line = |e: &Value| {
            let (actor, action) = (word(&e["actor"]["name"]), word(&e["action"]));
            format!("{actor} {action} {} {}→{}", word(&e["field"]), word(&e["from"]), word(&e["to"]))
        };
        entries.iter().rev().map(line).collect()
    }
}

/// Settings for those who ask more than people do, as races and measurements.
pub(crate) fn patient() -> Settings {
    let mut settings = Settings::default();
    settings.rate_limits.requests_per_minute = 1_000_000;
    settings
}

pub(crate) async fn person(kit: &TestApp, org: &Org, email: &str, role: OrgRole) -> Person {
    let id = kit.user(org, email, role, false).await;
    Person { id, token: kit.token(id, scopes(), None).await }
}
