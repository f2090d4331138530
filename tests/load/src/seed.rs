//! Fills projects with items through the storage port in bulk, as the use cases write them but for the search
//! index, which is measured elsewhere: a hundred thousand through the API would take minutes.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use jiff::{SignedDuration, Timestamp};
use svc_api::tracker::NewProject;
use svc_app::{App, Settings, Transaction};
use svc_domain::feed::FeedEntry;
use svc_domain::ids::{Actor, ActorId, ItemKey, OrgId, OrgSlug, ProjectKey, UserId};
use svc_domain::item::{Item, ItemType, Priority};
use svc_domain::project::{Action, HistoryEntry};
use svc_end_to_end::Stage;
use svc_storage::{Limits, Op, keys};
use svc_storage_sqlite::{SqliteOptions, SqliteStore};
use svc_testkit::{CountingIds, TestClock};

use crate::clock;
use crate::driver::Target;

/// Projects of a thousand, ten thousand and a hundred thousand items.
pub(crate) const SIZES: [(&str, usize); 3] = [("KILO", 1_000), ("MYRIAD", 10_000), ("LAKH", 100_000)];

/// The days in which the items of a project came to be; the last of them is over.
const DAYS: i64 = 30;

/// The server of a stage, as a target of load.
pub(crate) fn target(stage: &Stage) -> Target {
    Target { address: stage.server.address(), token: stage.server.demo.token.clone() }
}

/// Creates the projects and their items, in the store of the running server.
pub(crate) async fn seed(stage: &Stage) {
    let now = Timestamp::UNIX_EPOCH + SignedDuration::try_from(clock::now()).expect("the time is a time");
    let clock = Arc::new(TestClock::at(now));
    let time: Arc<TestClock> = Arc::clone(&clock);
    let options = SqliteOptions::default();
    let store =
        SqliteStore::open(stage.server.data(), options, Arc::new(move || svc_app::ports::Clock::now(&*time)))
            .expect("several processes may have a store open");
    let ids = Arc::new(CountingIds::new(Arc::clone(&clock), 1));
    let app = App::new(store.table(), store.blobs(), store.queue(), clock.clone(), ids, Settings::default());
    let org = org(&app, stage.org()).await;
    for (key, size) in SIZES {
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

async fn org(app: &App, slug: &str) -> OrgId {
    let slug: OrgSlug = slug.parse().expect("a slug");
    let row = app.table.get(&keys::slug(&slug)).await.expect("the store answers");
    row.expect("the demo's organization").read().expect("an id")
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
