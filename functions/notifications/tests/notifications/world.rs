//! An organization with a project and people of every kind, the shortest way to do something, and what they are told.

use std::sync::LazyLock;

use axum::Router;
use http::Method;
use serde_json::{Value, json};
use svc_domain::identity::{Org, OrgRole, ProjectRole};
use svc_domain::ids::UserId;
use svc_domain::project::Project;
use svc_testkit::{Areas, Reply, TestApp, call, scopes};

static AREAS: LazyLock<Areas> = LazyLock::new(|| {
    Areas::new([
        svc_notifications::router(),
        svc_tracker::router(),
        svc_wiki::router(),
        svc_factory::router(),
        svc_runner_api::router(),
        svc_identity::router(),
    ])
});

/// Somebody with an account.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) id: UserId,
    pub(crate) token: String,
}

/// The organization `demo` with the project `PRJ`.
pub(crate) struct World {
    pub(crate) kit: TestApp,
    pub(crate) router: Router,
    pub(crate) org: Org,
    pub(crate) project: Project,
    /// Owner of the organization, in no project.
    pub(crate) owner: Person,
    /// Factory operators in the project.
    pub(crate) ada: Person,
    pub(crate) ben: Person,
    /// Member of the project who may not start AI work.
    pub(crate) stakeholder: Person,
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::on(TestApp::new()).await
    }

    /// On this application.
    pub(crate) async fn on(kit: TestApp) -> Self {
        let org = kit.org("demo").await;
        let project = kit.project(&org, "PRJ").await;
        let person = async |name: &str, role: OrgRole, operator: bool, belongs: bool| {
            let id = kit.user(&org, &format!("{name}@example.com"), role, operator).await;
            if belongs {
                kit.project_member(&org, &project, id, ProjectRole::Admin).await;
            }
            Person { id, token: kit.token(id, scopes(), None).await }
        };
        let owner = person("owner", OrgRole::Owner, false, false).await;
        let ada = person("ada", OrgRole::Member, true, true).await;
        let ben = person("ben", OrgRole::Member, true, true).await;
        let stakeholder = person("stakeholder", OrgRole::Member, false, true).await;
        let router = kit.router(&AREAS);
        Self { kit, router, org, project, owner, ada, ben, stakeholder }
    }

    /// Workers do what they were told, each message coming twice.
    pub(crate) async fn work(&self) {
        self.work_times(2).await;
    }

    /// The same, each message coming once.
    pub(crate) async fn work_once(&self) {
        self.work_times(1).await;
    }

    async fn work_times(&self, times: usize) {
        let handle = async |told| {
            for _ in 0..times {
                svc_workers::handle(&self.kit.app, &told).await.unwrap();
            }
        };
        self.kit.drain(handle).await;
    }

    pub(crate) async fn call(&self, who: &Person, method: Method, path: &str, body: Option<Value>) -> Reply {
        call(&self.router, method, path, Some(&who.token), body).await
    }

    /// Does something in the organization, and lets workers hear of it.
    pub(crate) async fn act(&self, who: &Person, method: Method, path: &str, body: Value) -> Value {
        let reply = self.call(who, method, &format!("/orgs/demo{path}"), Some(body)).await;
        assert!(reply.status.is_success(), "{path}: {}", reply.text);
        self.work().await;
        reply.json
    }

    /// Creates an item; its key.
    pub(crate) async fn item(&self, who: &Person, title: &str) -> String {
        let new = json!({"type": "task", "title": title});
        let made = self.act(who, Method::POST, "/projects/PRJ/items", new).await;
        made["key"].as_str().unwrap().to_owned()
    }

    /// Comments on an item; the comment's id.
    pub(crate) async fn comment(
        &self,
        who: &Person,
        item: &str,
        body: &str,
        reply_to: Option<&str>,
    ) -> String {
        let new = json!({"body": body, "replyTo": reply_to});
        let made = self.act(who, Method::POST, &format!("/items/{item}/comments"), new).await;
        made["id"].as_str().unwrap().to_owned()
    }

    /// Assigns an item.
    pub(crate) async fn assign(&self, who: &Person, item: &str, to: &Person) {
        let path = format!("/items/{item}");
        let now = self.call(who, Method::GET, &format!("/orgs/demo{path}"), None).await.json;
        let edit = json!({"version": now["version"], "assignee": to.id.to_string()});
        self.act(who, Method::PATCH, &path, edit).await;
    }

    /// What is in somebody's inbox, as `GET /me/notifications` answers with this query.
    pub(crate) async fn entries(&self, who: &Person, query: &str) -> Vec<Value> {
        let reply = self.call(who, Method::GET, &format!("/me/notifications{query}"), None).await;
        assert!(reply.status.is_success(), "{}", reply.text);
        reply.json.as_array().unwrap().clone()
    }

    /// The same in short: what each entry is about, and what it says.
    pub(crate) async fn inbox(&self, who: &Person) -> Vec<String> {
        let line = |entry: &Value| {
            let about = entry["itemKey"].as_str().or(entry["title"].as_str()).unwrap();
            format!("{about}: {}", entry["summary"].as_str().unwrap())
        };
        self.entries(who, "").await.iter().map(line).collect()
    }

    pub(crate) async fn counts(&self, who: &Person) -> Value {
        self.call(who, Method::GET, "/me/notifications/counts", None).await.json
    }

    /// Marks an entry as it was read.
    pub(crate) async fn mark(&self, who: &Person, entry: &Value, mark: Value) -> Reply {
        let mut body = json!({"version": entry["version"]});
        body.as_object_mut().unwrap().extend(mark.as_object().unwrap().clone());
        let path = format!("/me/notifications/{}", entry["id"].as_str().unwrap());
        self.call(who, Method::PATCH, &path, Some(body)).await
    }

    /// That no row of an inbox or an item contradicts another.
    pub(crate) async fn consistent(&self) {
        let report = svc_app::check::run(&self.kit.app, None).await.unwrap();
        let ours = |kind: &str| {
            ["INBOX", "ITEM", "WATCHING", "SEND", "TOSEND", "USER", "ORG", "CHATCODE"]
                .iter()
                .any(|name| kind.starts_with(name))
        };
        let found: Vec<_> = report.findings.iter().filter(|found| ours(&found.kind)).collect();
        assert!(found.is_empty(), "{found:?}");
    }
}
