//! An organization with a project, a playbook, an agent and people of every standing.

use std::sync::LazyLock;

use axum::Router;
use http::Method;
use serde_json::{Value, json};
use svc_app::Settings;
use svc_domain::identity::{Org, OrgRole, ProjectRole};
use svc_domain::ids::UserId;
use svc_testkit::{Areas, Reply, TestApp, call, scopes};

/// The routes of these tests.
pub(crate) static AREAS: LazyLock<Areas> = LazyLock::new(|| {
    Areas::new([
        svc_tracker::router(),
        svc_wiki::router(),
        svc_factory::router(),
        svc_runner_api::router(),
        svc_notifications::router(),
        svc_identity::router(),
    ])
});

pub(crate) struct Stage {
    pub(crate) kit: TestApp,
    pub(crate) router: Router,
    pub(crate) org: Org,
    /// Token of the Owner.
    pub(crate) owner: String,
    /// Token of a member of the project who may start AI work.
    pub(crate) operator: String,
    /// Token of a member of the project who may not.
    pub(crate) member: String,
    /// Token of the Owner of another organization.
    pub(crate) foreigner: String,
}

/// A runner and its secret.
pub(crate) struct Machine {
    pub(crate) id: String,
    pub(crate) secret: String,
}

impl Stage {
    pub(crate) async fn new() -> Self {
        Self::with(Settings::default()).await
    }

    /// With a runner.
    pub(crate) async fn with_runner() -> (Self, Machine) {
        let stage = Self::new().await;
        let machine = stage.runner("box").await;
        (stage, machine)
    }

    pub(crate) async fn with(settings: Settings) -> Self {
        Self::on(TestApp::with(settings)).await
    }

    /// On this application.
    pub(crate) async fn on(kit: TestApp) -> Self {
        let org = kit.org("demo").await;
        let other = kit.org("other").await;
        let project = kit.project(&org, "PRJ").await;
        let ada = kit.user(&org, "ada@example.com", OrgRole::Owner, false).await;
        let ben = kit.user(&org, "ben@example.com", OrgRole::Member, true).await;
        let cleo = kit.user(&org, "cleo@example.com", OrgRole::Member, false).await;
        let dan = kit.user(&other, "dan@example.com", OrgRole::Owner, false).await;
        for user in [ben, cleo] {
            kit.project_member(&org, &project, user, ProjectRole::Member).await;
        }
        let mut tokens = Vec::new();
        for user in [ada, ben, cleo, dan] {
            tokens.push(kit.token(user, scopes(), None).await);
        }
        let [owner, operator, member, foreigner] = tokens.try_into().unwrap();
        let router = kit.router(&AREAS);
        let stage = Self { kit, router, org, owner, operator, member, foreigner };
        stage.furnish().await;
        stage
    }

    async fn furnish(&self) {
        self.post_as(&self.owner, "/orgs/demo/agents", json!({"name": "Builder"})).await;
        let playbook = json!({
            "name": "Implement", "instructions": "Write the code.", "harness": "harness_1",
            "successState": "In review", "failureState": "Backlog", "projectDefault": true,
        });
        self.post_as(&self.owner, "/orgs/demo/projects/PRJ/playbooks", playbook).await;
    }

    /// Workers do what they were told, and what follows from that.
    pub(crate) async fn work(&self) {
        self.work_times(1).await;
    }

    /// The same, with each message coming twice.
    pub(crate) async fn work_twice(&self) {
        self.work_times(2).await;
    }

    async fn work_times(&self, times: usize) {
        let handle = async |told| {
            for _ in 0..times {
                svc_workers::handle(&self.kit.app, &told).await.unwrap();
            }
        };
        self.kit.drain(handle).await;
    }

    /// An Admin of the project who may not start AI work, and their token.
    pub(crate) async fn project_admin(&self) -> (UserId, String) {
        let user = self.kit.user(&self.org, "eve@example.com", OrgRole::Member, false).await;
        let key = svc_storage::keys::project(self.org.id, &"PRJ".parse().unwrap());
        let project = self.kit.app.table.get(&key).await.unwrap().unwrap().read().unwrap();
        self.kit.project_member(&self.org, &project, user, ProjectRole::Admin).await;
        (user, self.kit.token(user, scopes(), None).await)
    }

    /// That no row contradicts another.
    pub(crate) async fn consistent(&self) {
        let report = svc_app::check::run(&self.kit.app, None).await.unwrap();
        // The directory of the organization belongs to the fixtures.
        let of_factory = |kind: &str| {
            ["ITEM", "RUN", "QUEUE", "LIVE", "TAKEN", "ENDED", "PROJ", "DUE", "DONE"]
                .iter()
                .any(|name| kind.starts_with(name))
        };
        let found: Vec<_> = report.findings.iter().filter(|found| of_factory(&found.kind)).collect();
        assert!(found.is_empty(), "{found:?}");
    }

    /// Another process on the same store.
    pub(crate) fn beside(&self) -> (TestApp, Router) {
        let kit = self.kit.beside();
        let router = kit.router(&AREAS);
        (kit, router)
    }

    pub(crate) async fn call(&self, method: Method, path: &str, token: &str, body: Option<Value>) -> Reply {
        call(&self.router, method, path, Some(token), body).await
    }

    pub(crate) async fn get(&self, path: &str, token: &str) -> Reply {
        self.call(Method::GET, path, token, None).await
    }

    pub(crate) async fn post(&self, path: &str, token: &str, body: Value) -> Reply {
        self.call(Method::POST, path, token, Some(body)).await
    }

    /// A POST that succeeds.
    pub(crate) async fn post_as(&self, token: &str, path: &str, body: Value) -> Value {
        let reply = self.post(path, token, body).await;
        assert!(reply.status.is_success(), "{path}: {} {}", reply.status, reply.text);
        reply.json
    }

    /// A new item in the workflow's second state; its key.
    pub(crate) async fn item(&self, title: &str) -> String {
        let new = json!({"type": "task", "title": title, "body": "Please.", "state": "In progress"});
        let item = self.post_as(&self.owner, "/orgs/demo/projects/PRJ/items", new).await;
        item["key"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn view_item(&self, key: &str) -> Value {
        self.get(&format!("/orgs/demo/items/{key}"), &self.owner).await.json
    }

    pub(crate) async fn runner(&self, name: &str) -> Machine {
        let made = self.post_as(&self.owner, "/orgs/demo/runners", json!({"name": name})).await;
        Machine {
            id: made["runner"]["id"].as_str().unwrap().to_owned(),
            secret: made["secret"].as_str().unwrap().to_owned(),
        }
    }

    /// Starts a run as the operator; the run's id.
    pub(crate) async fn start(&self, key: &str, body: Value) -> String {
        let run = self.post_as(&self.operator, &format!("/orgs/demo/items/{key}/runs"), body).await;
        run["id"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn take(&self, machine: &Machine, request: &str) -> Reply {
        let body = json!({"harnesses": ["harness_1"], "waitSeconds": 0, "requestId": request});
        self.post("/runner/take", &machine.secret, body).await
    }

    /// Waits until a runner has asked for work.
    pub(crate) async fn until_online(&self, machine: &Machine) {
        for _ in 0..10_000 {
            let runners = self.get("/orgs/demo/runners", &self.owner).await.json;
            let mut runners = runners.as_array().unwrap().iter();
            if runners.any(|runner| runner["id"] == machine.id && runner["online"] == true) {
                return;
            }
        }
        panic!("the runner never asked for work");
    }

    /// A run that a runner has taken: its id, and the assignment.
    pub(crate) async fn assigned(&self, machine: &Machine, title: &str) -> (String, Value) {
        let key = self.item(title).await;
        let run = self.start(&key, json!({})).await;
        let taken = self.take(machine, &run).await.is(200);
        (run, taken.json)
    }

    /// What a runner says of a run.
    pub(crate) async fn say(&self, machine: &Machine, run: &str, what: &str, body: Value) -> Reply {
        self.post(&format!("/runner/runs/{run}/{what}"), &machine.secret, body).await
    }

    /// What is in somebody's inbox.
    pub(crate) async fn inbox(&self, token: &str) -> Vec<Value> {
        let reply = self.get("/me/notifications", token).await;
        reply.json.as_array().unwrap_or_else(|| panic!("{}", reply.text)).clone()
    }

    pub(crate) async fn view_run(&self, run: &str) -> Value {
        self.get(&format!("/runs/{run}"), &self.operator).await.json
    }

    /// Actions of an item's history, oldest first, those of the fixtures included.
    pub(crate) async fn history(&self, key: &str) -> Vec<String> {
        let reply = self.get(&format!("/orgs/demo/items/{key}/history?pageSize=100"), &self.owner).await;
        let entries = reply.json["items"].as_array().unwrap_or_else(|| panic!("{}", reply.text));
        let mut actions: Vec<String> = entries
            .iter()
            .map(|entry| {
                let to = entry["to"].as_str().unwrap_or("");
                format!("{} {to}", entry["action"].as_str().unwrap()).trim_end().to_owned()
            })
            .collect();
        actions.sort();
        actions
    }
}
