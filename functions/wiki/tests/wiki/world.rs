//! An organization with one project and people of every kind, and the shortest way to ask the API.

use std::sync::LazyLock;

use axum::Router;
use http::Method;
use serde_json::{Value, json};
use svc_domain::identity::{Org, OrgRole, ProjectRole};
use svc_domain::project::Project;
use svc_testkit::{Areas, Reply, TestApp, call, scopes};

static AREAS: LazyLock<Areas> = LazyLock::new(|| Areas::new([svc_wiki::router()]));

pub(crate) struct World {
    pub(crate) kit: TestApp,
    pub(crate) router: Router,
    pub(crate) org: Org,
    pub(crate) project: Project,
    /// Owner of the organization.
    pub(crate) owner: String,
    /// Member of the project, no factory operator.
    pub(crate) ada: String,
    /// Id of the same person.
    pub(crate) ada_id: String,
    /// Member of the project and factory operator.
    pub(crate) operator: String,
    /// Admin of the project and factory operator.
    pub(crate) chief: String,
    /// Guest in the project.
    pub(crate) guest: String,
    /// Member of the organization, not of the project.
    pub(crate) outsider: String,
}

impl World {
    pub(crate) async fn new() -> Self {
        let kit = TestApp::new();
        let org = kit.org("demo").await;
        let project = kit.project(&org, "PRJ").await;
        let person = async |name: &str, role: OrgRole, operator: bool, in_project: Option<ProjectRole>| {
            let id = kit.user(&org, &format!("{name}@example.com"), role, operator).await;
            if let Some(role) = in_project {
                kit.project_member(&org, &project, id, role).await;
            }
            (kit.token(id, scopes(), None).await, id.to_string())
        };
        let member = Some(ProjectRole::Member);
        let (owner, _) = person("owner", OrgRole::Owner, false, None).await;
        let (ada, ada_id) = person("ada", OrgRole::Member, false, member).await;
        let (operator, _) = person("operator", OrgRole::Member, true, member).await;
        let (chief, _) = person("chief", OrgRole::Member, true, Some(ProjectRole::Admin)).await;
        let (guest, _) = person("guest", OrgRole::Guest, false, member).await;
        let (outsider, _) = person("outsider", OrgRole::Member, true, None).await;
        let router = kit.router(&AREAS);
        Self { kit, router, org, project, owner, ada, ada_id, operator, chief, guest, outsider }
    }

    /// `path` comes after `…/wiki`.
    pub(crate) async fn get(&self, token: &str, path: &str) -> Reply {
        let path = format!("/orgs/demo/projects/PRJ/wiki{path}");
        call(&self.router, Method::GET, &path, Some(token), None).await
    }

    pub(crate) async fn put(&self, token: &str, page: &str, body: Value) -> Reply {
        let path = format!("/orgs/demo/projects/PRJ/wiki/pages/{page}");
        call(&self.router, Method::PUT, &path, Some(token), Some(body)).await
    }

    pub(crate) async fn post(&self, token: &str, path: &str, body: Value) -> Reply {
        let path = format!("/orgs/demo/projects/PRJ/wiki{path}");
        call(&self.router, Method::POST, &path, Some(token), Some(body)).await
    }

    /// Changes who reads and edits a page.
    pub(crate) async fn set_access(&self, token: &str, page: &str, body: Value) -> Reply {
        let path = format!("/orgs/demo/projects/PRJ/wiki/access/{page}");
        call(&self.router, Method::PUT, &path, Some(token), Some(body)).await
    }

    /// Creates a page.
    pub(crate) async fn page(&self, token: &str, page: &str) -> Value {
        let reply = self.put(token, page, json!({"body": format!("Text of {page}")})).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply.json
    }

    /// The paths that a caller sees.
    pub(crate) async fn paths(&self, token: &str) -> Vec<String> {
        let tree = self.get(token, "").await.json;
        tree.as_array().unwrap().iter().map(|page| page["path"].as_str().unwrap().to_owned()).collect()
    }
}
