//! The requests whose cost on DynamoDB has a budget, and what each costs in a project of sixty items: one list,
//! for who holds them to their budgets and for who tells what they cost.

use std::sync::Arc;

use axum::Router;
use http::Method;
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_app::Settings;
use svc_domain::identity::{OrgRole, ProjectRole};
use svc_http::ApiRouter;

use crate::{Areas, Cost, Metered, TestApp, call, scopes};

/// Rows that say who asks and what they may, each of one read unit: credential, slug, organization, member,
/// project and its member.
const ENTRY_READS: usize = 6;

/// A request, and what it costs.
#[derive(Clone, Copy, Debug)]
pub struct Priced {
    /// What is done.
    pub work: &'static str,
    /// What it costs, entry included.
    pub cost: Cost,
    budget: Budget,
}

impl Priced {
    /// Whether it costs no more than it may.
    pub const fn is_within_budget(&self) -> bool {
        self.cost.round_trips <= self.budget.round_trips && self.cost.read_units <= self.budget.read_units
    }
}

/// What a request may cost.
#[derive(Clone, Copy, Debug)]
struct Budget {
    round_trips: usize,
    read_units: usize,
}

const fn round_trips(round_trips: usize) -> Budget {
    Budget { round_trips, read_units: usize::MAX }
}

/// Who has asked before is known by its ids; who has not waits for one round trip more.
#[derive(Clone, Copy, Debug)]
enum Who {
    Known,
    New,
}

struct Request {
    work: &'static str,
    budget: Budget,
    who: Who,
    method: Method,
    path: &'static str,
    body: Option<Value>,
}

fn requests() -> Vec<Request> {
    let get =
        |work, budget, path| Request { work, budget, who: Who::Known, method: Method::GET, path, body: None };
    let post = |work, path, body| Request {
        work,
        budget: round_trips(3),
        who: Who::Known,
        method: Method::POST,
        path,
        body,
    };
    let item = round_trips(2);
    let list = Budget { round_trips: 3, read_units: ENTRY_READS + 4 };
    vec![
        get("view an item", item, "/items/PRJ-1"),
        Request { who: Who::New, ..get("view an item, who never asked before", item, "/items/PRJ-1") },
        get("its page, all in one, of which most go at the same time", round_trips(9), "/items/PRJ-1/page"),
        get("its comments, 20", round_trips(4), "/items/PRJ-1/comments"),
        get("warm list", list, "/projects/PRJ/items?filter=label%3Abug&pageSize=50"),
        get("warm list, sprint:current", list, "/projects/PRJ/items?filter=sprint%3Acurrent"),
        post("claim", "/items/PRJ-2/claim", Some(json!({"version": 1}))),
        post("heartbeat", "/items/PRJ-2/heartbeat", None),
        post("transition", "/items/PRJ-3/transition", Some(json!({"version": 1, "state": "In progress"}))),
        post("comment", "/items/PRJ-1/comments", Some(json!({"body": "Looks good to me."}))),
        post(
            "create",
            "/projects/PRJ/items",
            Some(json!({"type": "task", "title": "One more", "body": "Small."})),
        ),
    ]
}

/// Sends the requests one after the other to the tracker's area.
///
/// # Panics
/// When one of them is refused.
pub async fn priced(tracker: ApiRouter) -> Vec<Priced> {
    let desk = Desk::set(tracker).await;
    let mut priced = Vec::new();
    for Request { work, budget, who, method, path, body } in requests() {
        let token = match who {
            Who::Known => &desk.known,
            Who::New => &desk.new,
        };
        // What goes on in the background of the last one is done before.
        tokio::task::yield_now().await;
        let before = desk.meter.spent();
        desk.ask(token, method, path, body).await;
        priced.push(Priced { work, cost: desk.meter.spent() - before, budget });
    }
    priced
}

/// A project with items of which none changed lately, and who asks for them.
struct Desk {
    kit: TestApp,
    router: Router,
    meter: Arc<Metered>,
    known: String,
    new: String,
}

impl Desk {
    async fn set(tracker: ApiRouter) -> Self {
        let mut settings = Settings::default();
        settings.rate_limits.requests_per_minute = 1_000_000;
        let (kit, meter) = TestApp::with(settings).metered();
        let org = kit.org("demo").await;
        let project = kit.project(&org, "PRJ").await;
        let ada = kit.user(&org, "ada@example.com", OrgRole::Member, false).await;
        kit.project_member(&org, &project, ada, ProjectRole::Member).await;
        let known = kit.token(ada, scopes(), None).await;
        let new = kit.token(ada, scopes(), None).await;
        let router = kit.router(&Areas::new([tracker]));
        let desk = Self { kit, router, meter, known, new };
        desk.fill().await;
        desk
    }

    async fn fill(&self) {
        let body = "What happens, what should happen, and how to see it.\n".repeat(30);
        for number in 1..=60 {
            let title = format!("Part {number} of something");
            let new = json!({"type": "task", "title": title, "labels": ["bug", "frontend"], "body": body});
            self.ask(&self.known, Method::POST, "/projects/PRJ/items", Some(new)).await;
        }
        for number in 1..=20 {
            let new = json!({"body": format!("Thought {number}. ").repeat(30)});
            self.ask(&self.known, Method::POST, "/items/PRJ-1/comments", Some(new)).await;
        }
        self.kit.advance(SignedDuration::from_secs(60));
        // The first request of a minute takes its share of the budget of requests, also where nothing answers.
        for token in [&self.known, &self.new] {
            call(&self.router, Method::GET, "/no-such", Some(token), None).await;
        }
        // The first list reads the feed.
        self.ask(&self.known, Method::GET, "/projects/PRJ/items", None).await;
    }

    async fn ask(&self, token: &str, method: Method, path: &str, body: Option<Value>) {
        let reply = call(&self.router, method, &format!("/orgs/demo{path}"), Some(token), body).await;
        assert!(reply.status.is_success(), "{path}: {}", reply.text);
    }
}
