//! Fills projects with items through the storage port in bulk, as the use cases write them but for the search
//! index, which is measured elsewhere: a hundred thousand through the API would take minutes.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use jiff::{SignedDuration, Timestamp};
use svc_api::tracker::NewProject;
use svc_app::secrets::{self, SecretKind};
use svc_app::{App, Settings, Transaction};
use svc_domain::feed::FeedEntry;
use svc_domain::identity::{Credential, Member, OrgRole, Scope, Subject, User};
use svc_domain::ids::{Actor, ActorId, ItemKey, OrgId, OrgSlug, ProjectKey, TokenId, UserId};
use svc_domain::item::{Item, ItemType, Priority};
use svc_domain::project::{Action, HistoryEntry};
use svc_end_to_end::Stage;
use svc_storage::{Limits, Op, keys};
use svc_storage_sqlite::{SqliteOptions, SqliteStore};
use svc_testkit::{CountingIds, TestClock};

use crate::clock;
use crate::driver::Target;

/// Projects of a thousand items to a million.
pub(crate) const SIZES: [(&str, usize); 4] =
    [("KILO", 1_000), ("MYRIAD", 10_000), ("LAKH", 100_000), ("MILLION", 1_000_000)];

/// The project whose board is drawn.
pub(crate) const BOARD: (&str, usize) = ("BOARD", 5_000);

/// What the stages of load need: all projects of [`SIZES`] in memory at once, where a customer has one large one.
pub(crate) const SETTINGS: [(&str, &str); 1] = [("Memory__MaxItems", "2000000")];

/// The days in which the items of a project came to be; the last of them is over.
const DAYS: i64 = 30;

/// The server of a stage, as a target of load.
pub(crate) fn target(stage: &Stage) -> Target {
    Target { address: stage.server.address(), token: stage.server.demo.token.clone() }
}

/// The store of a running server, opened a second time.
struct Backdoor {
    app: App,
    clock: Arc<TestClock>,
    store: SqliteStore,
    org: OrgId,
}

impl Backdoor {
    async fn open(stage: &Stage) -> Self {
        let now = Timestamp::UNIX_EPOCH + SignedDuration::try_from(clock::now()).expect("the time is a time");
        let clock = Arc::new(TestClock::at(now));
        let time: Arc<TestClock> = Arc::clone(&clock);
        let time = Arc::new(move || svc_app::ports::Clock::now(&*time));
        let store = SqliteStore::open(stage.server.data(), SqliteOptions::default(), time)
            .expect("several processes may have a store open");
        let ids = Arc::new(CountingIds::new(Arc::clone(&clock), 1));
        let settings = Settings::default();
        let app = App::new(store.table(), store.blobs(), store.queue(), clock.clone(), ids, settings);
        let row = app.table.get(&keys::slug(&stage.org().parse::<OrgSlug>().expect("a slug"))).await;
        let row = row.expect("the store answers").expect("the demo's organization");
        let org = row.read().expect("an id");
        Self { app, clock, store, org }
    }
}

/// Creates projects and their items, in the store of the running server.
pub(crate) async fn seed(stage: &Stage, sizes: &[(&str, usize)]) {
    let Backdoor { app, clock, store, org } = Backdoor::open(stage).await;
    for &(key, size) in sizes {
        let new = NewProject { key: key.into(), name: key.to_lowercase(), description: String::new() };
        stage.client().org(stage.org()).create_project(&new).await.expect("a project can be created");
        let began = Instant::now();
        clock.advance(SignedDuration::from_hours(-24 * (DAYS + 1)));
        fill(&app, &clock, org, &key.parse().expect("a key"), size).await;
        clock.advance(SignedDuration::from_hours(24));
        eprintln!("{key}: {size} items in {:.1} s", began.elapsed().as_secs_f64());
    }
    store.close().await;
}

/// Makes so many people who see everything, and answers a token of each.
pub(crate) async fn people(stage: &Stage, count: usize) -> Vec<String> {
    let Backdoor { app, store, org, .. } = Backdoor::open(stage).await;
    let slug: OrgSlug = stage.org().parse().expect("a slug");
    let mut tokens = Vec::new();
    for number in 0..count {
        let (id, email) = (UserId(app.uuid()), format!("reader-{number}@example.com"));
        let user = User::new(id, email.clone(), format!("Reader {number}"), String::new(), app.now());
        let subject = Subject::PersonalToken { user: id, token: TokenId(app.uuid()) };
        let scopes = Scope::ALL.iter().copied().collect();
        let credential = Credential { subject, scopes, org: Some(org), expires_at: None };
        let token = secrets::mint(&app, SecretKind::PersonalToken);
        let ops = vec![
            Op::create(keys::email(&email), &id),
            Op::create(keys::user(id), &user),
            Op::create(keys::member(org, id), &Member::of(&user, OrgRole::Admin, false)),
            Op::create(keys::user_org(id, org), &slug),
            Op::create(keys::credential(&secrets::hash(&token)), &credential),
        ];
        let rows = Transaction::bookkeeping(&app).with(ops);
        app.commit(rows).await.expect("new rows can be written");
        tokens.push(token);
    }
    store.close().await;
    tokens
}

/// Items of a project from number 1 on, spread over [`DAYS`].
async fn fill(app: &App, clock: &TestClock, org: OrgId, project: &ProjectKey, size: usize) {
    let step = SignedDuration::from_hours(24 * DAYS) / i32::try_from(size).expect("a number of items");
    let mut ops = Vec::new();
    for number in 1..=size {
        clock.advance(step);
        ops.extend(rows(org, item(app, project, number)));
        if ops.len() + 4 > Limits::OPS || number == size {
            let rows = Transaction::bookkeeping(app).with(std::mem::take(&mut ops));
            app.commit(rows).await.expect("new rows can be written");
        }
    }
    let counter = keys::item_number(org, project);
    let last = i64::try_from(size).expect("a number of items");
    app.table.increment(&counter, "last", last, None).await.expect("the counter counts on");
}

/// The rows of a new item, but none that asks for its text to be indexed.
fn rows(org: OrgId, mut item: Item) -> [Op; 3] {
    let (at, key) = (item.created_at, item.key.clone());
    item.revision = 1;
    item.feed_sk = keys::feed_sk(at.as_millisecond(), key.number);
    let created = HistoryEntry::new(at, author(), Action::Created);
    [
        Op::create(keys::item(org, &key), &item),
        Op::create(keys::feed(org, &key.project, &item.feed_sk), &FeedEntry::of(&item, 1)),
        Op::create(keys::history(org, &key, at.as_millisecond(), "000000000001.000"), &created),
    ]
}

fn author() -> Actor {
    Actor { id: ActorId::User(UserId(uuid::Uuid::from_u128(1))), name: "Generator".into() }
}

/// An item like those of a real project: of every type, priority and state, some with labels and a body.
fn item(app: &App, project: &ProjectKey, number: usize) -> Item {
    fn of<T: Copy>(values: &[T], number: usize) -> T {
        values[number % values.len()]
    }
    use ItemType::{Bug, Epic, Story, Task};
    let verb = of(&["Fix", "Write", "Review"], number);
    let title = format!("{verb} the {} of part {number}", of(&["search", "page"], number));
    let key = ItemKey { project: project.clone(), number: number as u64 };
    let state = of(&["Backlog", "In progress", "Closed"], number).to_owned();
    let kind = of(&[Task, Bug, Story, Task, Epic, Bug, Task], number);
    let mut item = Item::new(key, kind, title, state, author(), app.now());
    item.priority =
        of(&[Priority::Medium, Priority::Low, Priority::High, Priority::Medium, Priority::Highest], number);
    item.labels = match number % 4 {
        0 => ["bug", "frontend"].map(str::to_owned).into(),
        1 => ["wontfix".to_owned()].into(),
        _ => BTreeSet::new(),
    };
    item.body = "What happens, what should happen, and how to see it.\n".repeat(number % 5);
    item
}
