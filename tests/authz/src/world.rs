//! An organization with everything that an address can name, callers of every kind, and copies of it to
//! change.
//!
//! The world is made once through the API and kept on disk; a test that changes something opens a copy.

use axum::Router;
use axum::body::Body;
use http::{Method, Request, header};
use serde_json::{Value, json};
use svc_app::{App, Settings};
use svc_domain::identity::{Org, OrgRole, ProjectRole, Scope};
use svc_domain::ids::UserId;
use svc_testkit::{Contract, Reply, Template, TestApp, call, scopes, send};

use crate::rows::Row;
use crate::who::{CALLERS, Caller};

/// Id of nothing.
pub const NOTHING: &str = "00000000-0000-7000-8000-000000000000";

/// Everything that a row needs to be asked, and the stores to ask it in.
pub struct World {
    routes: Router<std::sync::Arc<App>>,
    contract: Contract,
    template: Template,
    read_only: Template,
    archived: Template,
    /// For each of [`CALLERS`].
    tokens: Vec<String>,
    /// The same callers with tokens that are bound to their organization.
    mcp_tokens: Vec<String>,
    owner: UserId,
    /// Secret of a session of the Owner.
    pub session: String,
    /// What stands for a parameter behind a segment of a path: `("items/{key}", "PRJ-1")`.
    names: Vec<(&'static str, String)>,
}

/// The world, open: what is changed in one is seen in no other.
pub struct Open {
    /// The application.
    pub kit: TestApp,
    /// Its routes.
    pub router: Router,
}

impl World {
    /// Makes the world.
    pub async fn new() -> Self {
        let (routes, document) = svc_local::areas();
        let contract = Contract::of(&document);
        let mut settings = Settings::default();
        settings.rate_limits.requests_per_minute = 1_000_000;
        settings.rate_limits.authentication_per_minute = 1_000_000;
        settings.rate_limits.runner_per_minute = 1_000_000;
        settings.administration.admins = "owner@example.com".to_owned();
        let kit = TestApp::with(settings);
        let people = People::of(&kit).await;
        let router = svc_http::finish(routes.clone(), kit.app.clone());
        let furnish = Furnish { router: &router, token: &people.tokens[0] };
        let made = furnish.everything().await;
        let stray = kit.project(&people.org, "OTH").await;
        let stray = kit.agent_token(&people.org, &stray).await.2;
        let others = [made.agent_token, stray, made.runner_secret];
        let (mut tokens, mut mcp_tokens) = (people.tokens, people.mcp_tokens);
        tokens.extend(others.clone());
        mcp_tokens.extend(others);
        let session = kit.session(people.owner).await;
        drop(router);
        let mut names = made.names;
        names.push(("members/{userId}", people.target.to_string()));
        names.push(("accounts/{id}", people.target.to_string()));
        let template = kit.close().await;
        let read_only = frozen(&template, &routes, Frozen::Org(people.org.clone())).await;
        let archived = frozen(&template, &routes, Frozen::Project(&tokens[0])).await;
        Self {
            routes,
            contract,
            template,
            read_only,
            archived,
            tokens,
            mcp_tokens,
            owner: people.owner,
            session,
            names,
        }
    }

    /// A copy of a template that came of this world, which keeps its names and callers.
    pub fn open_of(&self, template: &Template) -> Open {
        self.open_template(template)
    }

    /// The name of what stands at this place of a path, if the world has such a thing.
    pub fn name_of(&self, place: &str) -> Option<&str> {
        self.names.iter().find(|(known, _)| *known == place).map(|(_, name)| name.as_str())
    }

    fn open_template(&self, template: &Template) -> Open {
        let kit = template.open();
        let router = svc_http::finish(self.routes.clone(), kit.app.clone());
        Open { router: self.contract.clone().hold(router), kit }
    }

    /// A copy of the world.
    pub fn open(&self) -> Open {
        self.open_template(&self.template)
    }

    /// A copy in which the organization is read-only.
    pub fn open_read_only(&self) -> Open {
        self.open_template(&self.read_only)
    }

    /// A copy in which the project is archived.
    pub fn open_archived(&self) -> Open {
        self.open_template(&self.archived)
    }

    /// The credential of a caller.
    pub fn token(&self, caller: Caller) -> &str {
        let place = CALLERS.iter().position(|known| *known == caller).expect("every caller has a place");
        &self.tokens[place]
    }

    /// The credential of a caller for the MCP server.
    pub fn mcp_token(&self, caller: Caller) -> &str {
        let place = CALLERS.iter().position(|known| *known == caller).expect("every caller has a place");
        &self.mcp_tokens[place]
    }

    /// The Owner's token with these scopes only, in an open world.
    pub async fn owner_with(&self, open: &Open, scopes: &[Scope]) -> String {
        open.kit.token(self.owner, scopes, None).await
    }

    /// The path of a row with the world's names in the place of its parameters.
    ///
    /// # Panics
    /// When a parameter has no name: a new kind of thing wants its lines in `Furnish::everything`.
    pub fn path(&self, row: &Row) -> String {
        self.path_without(row, "")
    }

    /// The same path with the name of nothing for the parameter of this place.
    pub fn path_without(&self, row: &Row, absent: &str) -> String {
        let mut filled = String::new();
        for (place, segment) in places(row.path) {
            filled.push('/');
            filled.push_str(match segment {
                plain if !plain.starts_with('{') => plain,
                _ if place == absent => nothing(&place),
                _ => self.name(row, &place),
            });
        }
        if !row.query.is_empty() {
            filled.push('?');
            filled.push_str(row.query);
        }
        filled
    }

    fn name(&self, row: &Row, place: &str) -> &str {
        self.name_of(place).unwrap_or_else(|| {
            panic!(
                "{}: nothing in the world is called {place}. Make one in `Furnish::everything` of \
                 tests/authz/src/world.rs.",
                row.name()
            )
        })
    }

    /// The body of a row with the world's names in it.
    pub fn body(&self, row: &Row) -> Option<Value> {
        let mut text = row.body.as_ref()?.to_string();
        for (place, name) in &self.names {
            text = text.replace(&format!("<{place}>"), name);
        }
        Some(serde_json::from_str(&text).expect("names need no escapes"))
    }

    /// Asks a row as the holder of this credential would.
    pub async fn ask(&self, open: &Open, row: &Row, token: Option<&str>) -> Reply {
        call(&open.router, row.method.clone(), &self.path(row), token, self.body(row)).await
    }

    /// Asks a row with the Owner's session cookie, with the header that changes need or without.
    pub async fn ask_as_browser(&self, open: &Open, row: &Row, meant: bool) -> Reply {
        let mut request = Request::builder()
            .method(row.method.clone())
            .uri(format!("/api/v1{}", self.path(row)))
            .header(header::COOKIE, format!("{}={}", svc_http::SESSION_COOKIE, self.session));
        if meant {
            request = request.header(svc_http::REQUEST_HEADER, "1");
        }
        let body = match self.body(row) {
            Some(body) => {
                request = request.header(header::CONTENT_TYPE, "application/json");
                Body::from(body.to_string())
            }
            None => Body::empty(),
        };
        send(&open.router, request.body(body).expect("a request")).await
    }
}

/// The segments of a path, each with its place: itself behind the segment before it.
pub fn places(path: &str) -> impl Iterator<Item = (String, &str)> {
    let segments = path.trim_start_matches('/').split('/');
    let before = std::iter::once("").chain(segments.clone());
    before.zip(segments).map(|(before, segment)| (format!("{before}/{segment}"), segment))
}

/// A name of the right shape that nothing has.
fn nothing(place: &str) -> &'static str {
    match place {
        "orgs/{slug}" => "nowhere",
        "projects/{key}" => "NOPE",
        "items/{key}" => "PRJ-999",
        "pages/{path}" | "versions/{path}" | "{number}/{path}" => "Nowhere",
        "diff/{path}" | "restore/{path}" | "access/{path}" | "move/{path}" => "Nowhere",
        "tasks/{number}" => "999",
        // A reaction that nobody has can be taken back all the same.
        "reactions/{emoji}" => "%F0%9F%91%8E",
        _ => NOTHING,
    }
}

struct People {
    org: Org,
    owner: UserId,
    target: UserId,
    /// Of the callers who are people.
    tokens: Vec<String>,
    /// The same, bound.
    mcp_tokens: Vec<String>,
}

impl People {
    async fn of(kit: &TestApp) -> Self {
        let (org, other) = (kit.org("demo").await, kit.org("other").await);
        let project = kit.project(&org, "PRJ").await;
        let owner = kit.account("owner@example.com").await;
        kit.join(&org, &owner, OrgRole::Owner, false).await;
        kit.join(&other, &owner, OrgRole::Owner, false).await;
        let mut tokens = vec![kit.token(owner.id, scopes(), None).await];
        let mut bound = vec![(owner.id, &org)];
        let admin = kit.user(&org, "admin@example.com", OrgRole::Admin, false).await;
        tokens.push(kit.token(admin, scopes(), None).await);
        bound.push((admin, &org));
        for (email, role, flag, in_project) in [
            ("chief@example.com", OrgRole::Member, false, ProjectRole::Admin),
            ("operator@example.com", OrgRole::Member, true, ProjectRole::Member),
            ("member@example.com", OrgRole::Member, false, ProjectRole::Member),
            ("stakeholder@example.com", OrgRole::Member, false, ProjectRole::Member),
            ("guest@example.com", OrgRole::Guest, false, ProjectRole::Member),
        ] {
            let user = kit.user(&org, email, role, flag).await;
            kit.project_member(&org, &project, user, in_project).await;
            tokens.push(kit.token(user, scopes(), None).await);
            bound.push((user, &org));
        }
        let outsider = kit.user(&org, "outsider@example.com", OrgRole::Member, false).await;
        tokens.push(kit.token(outsider, scopes(), None).await);
        let foreigner = kit.user(&other, "foreigner@example.com", OrgRole::Owner, true).await;
        tokens.push(kit.token(foreigner, scopes(), None).await);
        tokens.push(kit.token(owner.id, scopes(), Some(&other)).await);
        bound.extend([(outsider, &org), (foreigner, &other), (owner.id, &other)]);
        let mut mcp_tokens = Vec::new();
        for (user, org) in bound {
            mcp_tokens.push(kit.token(user, scopes(), Some(org)).await);
        }
        kit.user(&org, "second@example.com", OrgRole::Owner, false).await;
        let target = kit.user(&org, "target@example.com", OrgRole::Member, false).await;
        kit.project_member(&org, &project, target, ProjectRole::Member).await;
        Self { org, owner: owner.id, target, tokens, mcp_tokens }
    }
}

/// Makes things as the Owner, through the API.
struct Furnish<'a> {
    router: &'a Router,
    token: &'a str,
}

struct Made {
    names: Vec<(&'static str, String)>,
    agent_token: String,
    runner_secret: String,
}

impl Furnish<'_> {
    /// One of each kind of thing that an address can name. A new kind gets its lines here.
    async fn everything(&self) -> Made {
        let agent = self.post("/orgs/demo/agents", json!({"name": "Builder"})).await;
        let playbook = json!({
            "name": "Implement", "instructions": "Write the code.", "harness": "harness_1",
            "projectDefault": true,
        });
        let playbook = self.post("/orgs/demo/projects/PRJ/playbooks", playbook).await;
        let rule = json!({"name": "Begin", "state": "Backlog", "playbook": "Implement"});
        let rule = self.post("/orgs/demo/projects/PRJ/rules", rule).await;
        let schedule = json!({
            "name": "Yearly", "cron": "0 0 1 1 *", "playbook": "Implement", "type": "task", "title": "Look back"
        });
        let schedule = self.post("/orgs/demo/projects/PRJ/schedules", schedule).await;
        for title in ["Free", "In a run", "Waiting for a runner"] {
            let body = "- [ ] Check it";
            let item = json!({"type": "task", "title": title, "body": body, "state": "In progress"});
            self.post("/orgs/demo/projects/PRJ/items", item).await;
        }
        for team in ["idle", "busy"] {
            self.post("/orgs/demo/projects/PRJ/teams", json!({"key": team, "name": team})).await;
        }
        let sprint = json!({"team": "busy", "name": "Sprint"});
        let sprint = self.post("/orgs/demo/projects/PRJ/sprints", sprint).await;
        self.send(Method::PUT, "/orgs/demo/projects/PRJ/wiki/pages/Guide", json!({"body": "Read."})).await;
        let old = "/orgs/demo/projects/PRJ/wiki/pages/Old";
        let old = self.send(Method::PUT, old, json!({"body": "Gone."})).await;
        self.send(Method::DELETE, "/orgs/demo/projects/PRJ/wiki/pages/Old", json!({})).await;
        let invitation = json!({"email": "pending@example.com", "preset": "guest"});
        let invitation = self.post("/orgs/demo/invitations", invitation).await;
        let template = json!({"name": "Chore list", "type": "task"});
        let template = self.post("/orgs/demo/projects/PRJ/templates", template).await;
        let intake = json!({"name": "Alerts"});
        let intake = self.post("/orgs/demo/projects/PRJ/intakes", intake).await;
        let milestone = self.post("/orgs/demo/projects/PRJ/milestones", json!({"name": "Alpha"})).await;
        let view = json!({"name": "Bugs", "shared": true, "filter": "type:bug"});
        let view = self.post("/orgs/demo/projects/PRJ/views", view).await;
        let org_view = json!({"name": "Bugs of all", "shared": true, "filter": "type:bug"});
        let org_view = self.post("/orgs/demo/views", org_view).await;
        self.post("/orgs/demo/projects/PRJ/labels", json!({"name": "bug"})).await;
        let runner = self.post("/orgs/demo/runners", json!({"name": "Box"})).await;
        let runner_secret = text(&runner["secret"]);
        self.post("/orgs/demo/items/PRJ-2/runs", json!({})).await;
        let take = json!({"harnesses": ["harness_1"], "waitSeconds": 0, "requestId": "first"});
        let taken = Furnish { token: &runner_secret, ..*self }.post("/runner/take", take).await;
        let artifact = format!("/runner/runs/{}/artifacts/report.txt?fence=1", text(&taken["runId"]));
        Furnish { token: &runner_secret, ..*self }.send(Method::PUT, &artifact, json!("Good.")).await;
        self.post("/orgs/demo/items/PRJ-3/runs", json!({})).await;
        let hook = json!({"name": "Hook", "url": "https://example.com/hook", "events": ["item.created"]});
        let hook = self.post("/orgs/demo/webhooks", hook).await;
        // Nothing of the world is sent: the test has failed, and can be sent again.
        let sent =
            self.post(&format!("/orgs/demo/webhooks/{}/test", text(&hook["webhook"]["id"])), json!({})).await;
        let scim = self.post("/orgs/demo/scim-tokens", json!({"name": "Okta"})).await;
        let attachment = self.attachment("PRJ-2").await;
        let comment = self.post("/orgs/demo/items/PRJ-1/comments", json!({"body": "Why?"})).await;
        let names = vec![
            ("orgs/{slug}", "demo".to_owned()),
            ("scim-tokens/{id}", text(&scim["token"]["id"])),
            ("projects/{key}", "PRJ".to_owned()),
            ("items/{key}", "PRJ-1".to_owned()),
            ("pages/{path}", "Guide".to_owned()),
            ("versions/{path}", "Guide".to_owned()),
            ("teams/{team}", "idle".to_owned()),
            ("sprints/{id}", text(&sprint["id"])),
            ("version/{number}", "1".to_owned()),
            ("{number}/{path}", "Guide".to_owned()),
            ("diff/{path}", "Guide".to_owned()),
            ("restore/{path}", "Guide".to_owned()),
            ("access/{path}", "Guide".to_owned()),
            ("move/{path}", "Guide".to_owned()),
            ("deleted/{id}", text(&old["id"])),
            ("tasks/{number}", "0".to_owned()),
            ("comments/{commentId}", text(&comment["id"])),
            ("history/{entryId}", "000000000000001-0".to_owned()),
            ("edits/{version}", "1".to_owned()),
            ("reactions/{emoji}", "%F0%9F%91%8D".to_owned()),
            ("labels/{name}", "bug".to_owned()),
            ("milestones/{id}", text(&milestone["id"])),
            ("templates/{id}", text(&template["id"])),
            ("intakes/{id}", text(&intake["intake"]["id"])),
            ("intake/{address}", NOTHING.to_owned()),
            ("views/{id}", text(&view["id"])),
            ("views/{viewId}", text(&org_view["id"])),
            ("tokens/{id}", NOTHING.to_owned()),
            ("notifications/{id}", NOTHING.to_owned()),
            ("notification-channels/{id}", NOTHING.to_owned()),
            ("push-subscriptions/{id}", NOTHING.to_owned()),
            ("sessions/{id}", NOTHING.to_owned()),
            ("unsubscribe/{token}", NOTHING.to_owned()),
            ("avatars/{id}", NOTHING.to_owned()),
            ("deliveries/{address}", NOTHING.to_owned()),
            ("invitations/{id}", text(&invitation["id"])),
            ("agents/{id}", text(&agent["id"])),
            ("playbooks/{id}", text(&playbook["id"])),
            ("rules/{id}", text(&rule["id"])),
            ("schedules/{id}", text(&schedule["id"])),
            ("runners/{id}", text(&runner["runner"]["id"])),
            ("webhooks/{id}", text(&hook["webhook"]["id"])),
            ("deliveries/{delivery}", text(&sent["id"])),
            ("runs/{id}", text(&taken["runId"])),
            ("artifacts/{file}", "report.txt".to_owned()),
            ("attachments/{id}", attachment),
        ];
        Made { names, agent_token: text(&taken["token"]), runner_secret }
    }

    /// A committed attachment.
    async fn attachment(&self, item: &str) -> String {
        let new = json!({"name": "a.txt", "size": 4, "contentType": "text/plain"});
        let announced = self.post(&format!("/orgs/demo/items/{item}/attachments"), new).await;
        let request = Request::builder()
            .method(Method::PUT)
            .uri(announced["upload"]["url"].as_str().expect("an address"))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token));
        let put = send(self.router, request.body(Body::from("text")).expect("a request")).await;
        assert!(put.status.is_success(), "{}", put.text);
        let id = text(&announced["attachment"]["id"]);
        self.post(&format!("/orgs/demo/attachments/{id}/commit"), json!({})).await;
        id
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        self.send(Method::POST, path, body).await
    }

    async fn send(&self, method: Method, path: &str, body: Value) -> Value {
        let reply = call(self.router, method, path, Some(self.token), Some(body)).await;
        assert!(reply.status.is_success(), "{path}: {}", reply.text);
        reply.json
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

enum Frozen<'a> {
    Org(Org),
    Project(&'a str),
}

async fn frozen(template: &Template, routes: &Router<std::sync::Arc<App>>, what: Frozen<'_>) -> Template {
    let kit = template.open();
    match what {
        Frozen::Org(org) => kit.make_read_only(org).await,
        Frozen::Project(token) => {
            let router = svc_http::finish(routes.clone(), kit.app.clone());
            let furnish = Furnish { router: &router, token };
            let path = "/orgs/demo/projects/PRJ";
            furnish.send(Method::PATCH, path, json!({"version": 1, "archived": true})).await;
        }
    }
    kit.close().await
}
