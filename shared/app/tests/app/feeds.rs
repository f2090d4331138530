//! Warm feeds: what they cost, what they keep, and that they miss nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::join_all;
use jiff::SignedDuration;
use svc_app::settings::Memory;
use svc_app::tracker::ItemChange;
use svc_app::{App, Settings};
use svc_domain::ids::{Actor, ActorId, ItemKey, OrgId, ProjectKey, UserId};
use svc_domain::item::{Item, ItemType};
use svc_storage::{Commit, Cursor, Key, Query, Row, RowPage, StorageError, Table, keys};
use svc_testkit::{CountingIds, TestApp};

/// A table that counts queries and the rows that they return, and lets other tasks go on during each.
pub(crate) struct Counting {
    table: Arc<dyn Table>,
    queries: AtomicUsize,
    rows: AtomicUsize,
}

impl Counting {
    /// Queries and rows since the last call.
    pub(crate) fn take(&self) -> (usize, usize) {
        (self.queries.swap(0, Ordering::SeqCst), self.rows.swap(0, Ordering::SeqCst))
    }
}

#[async_trait::async_trait]
impl Table for Counting {
    async fn get(&self, key: &Key) -> Result<Option<Row>, StorageError> {
        self.table.get(key).await
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Row>>, StorageError> {
        self.table.get_many(keys).await
    }

    async fn query(&self, query: &Query) -> Result<RowPage, StorageError> {
        self.queries.fetch_add(1, Ordering::SeqCst);
        tokio::task::yield_now().await;
        let page = self.table.query(query).await?;
        self.rows.fetch_add(page.rows.len(), Ordering::SeqCst);
        Ok(page)
    }

    async fn scan(&self, limit: usize, after: Option<&Cursor>) -> Result<RowPage, StorageError> {
        self.table.scan(limit, after).await
    }

    async fn commit(&self, commit: &Commit) -> Result<(), StorageError> {
        self.table.commit(commit).await
    }

    async fn increment(&self, key: &Key, field: &str, n: i64, ttl: Option<i64>) -> Result<i64, StorageError> {
        self.table.increment(key, field, n, ttl).await
    }
}

/// A process that lists, another on the same store that writes, and an organization.
pub(crate) struct World {
    pub(crate) kit: TestApp,
    pub(crate) app: App,
    pub(crate) table: Arc<Counting>,
    pub(crate) org: OrgId,
}

impl World {
    pub(crate) fn new(max_items: usize) -> Self {
        let kit = TestApp::new();
        let org = OrgId(kit.app.uuid());
        Self::on(kit, org, max_items)
    }

    /// A process that begins to list what another wrote.
    pub(crate) fn beside(&self) -> Self {
        Self::on(self.kit.beside(), self.org, usize::MAX)
    }

    fn on(kit: TestApp, org: OrgId, max_items: usize) -> Self {
        let (queries, rows) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let table = Arc::new(Counting { table: Arc::clone(&kit.app.table), queries, rows });
        let (blobs, queue) = (Arc::clone(&kit.app.blobs), Arc::clone(&kit.app.queue));
        let ids = Arc::new(CountingIds::new(Arc::clone(&kit.clock), 900));
        let settings = Settings { memory: Memory { max_items }, ..Settings::default() };
        let app = App::new(table.clone(), blobs, queue, kit.clock.clone(), ids, settings);
        Self { kit, app, table, org }
    }

    /// Writes an item of this number, from another process than the one that lists.
    pub(crate) async fn write(&self, project: &str, number: u64) {
        let app = &self.kit.app;
        let key = ItemKey { project: project.parse().unwrap(), number };
        let change = match app.table.get(&keys::item(self.org, &key)).await.unwrap() {
            Some(row) => ItemChange::update(self.org, row.read().unwrap(), row.version),
            None => ItemChange::create(self.org, item(key, app.now())),
        };
        svc_testkit::save(app, change).await.unwrap();
    }

    pub(crate) async fn len(&self, project: &str) -> usize {
        let project: ProjectKey = project.parse().unwrap();
        let feed = self.app.feeds.fresh(&self.app, self.org, &project).await.unwrap();
        feed.read().len()
    }

    pub(crate) fn pass(&self, seconds: i64) {
        self.kit.advance(SignedDuration::from_secs(seconds));
    }
}

pub(crate) fn item(key: ItemKey, now: jiff::Timestamp) -> Item {
    let ada = Actor { id: ActorId::User(UserId(uuid::Uuid::nil())), name: "ada".into() };
    Item::new(key, ItemType::Task, "Title".into(), "Backlog".into(), ada, now)
}

#[tokio::test]
async fn a_list_of_an_unchanged_project_reads_no_rows_however_large_it_is() {
    let world = World::new(usize::MAX);
    for number in 1..=1_500 {
        world.write("PRJ", number).await;
    }
    world.pass(60);
    assert_eq!(world.len("PRJ").await, 1_500);
    assert_eq!(world.table.take(), (2, 1_500), "a cold start reads all, in pages");
    for _ in 0..3 {
        assert_eq!(world.len("PRJ").await, 1_500);
        assert_eq!(world.table.take(), (1, 0));
    }
    world.write("PRJ", 7).await;
    world.write("PRJ", 1_501).await;
    assert_eq!(world.len("PRJ").await, 1_501);
    assert_eq!(world.table.take(), (1, 2), "what changed, and nothing else");
}

#[tokio::test]
async fn rows_of_writers_whose_clocks_are_behind_are_not_missed() {
    let world = World::new(usize::MAX);
    world.write("PRJ", 1).await;
    world.pass(5);
    assert_eq!(world.len("PRJ").await, 1);
    world.pass(-5);
    world.write("PRJ", 2).await;
    world.pass(5);
    assert_eq!(world.len("PRJ").await, 2);
}

#[tokio::test]
async fn those_who_ask_at_once_share_refreshes() {
    let world = World::new(usize::MAX);
    world.write("PRJ", 1).await;
    assert!(join_all((0..50).map(|_| world.len("PRJ"))).await.iter().all(|len| *len == 1));
    let (queries, _) = world.table.take();
    assert!(queries <= 2, "50 asked: one is at it and the others share the next, not {queries}");
}

#[tokio::test]
async fn a_refresh_that_fails_is_not_taken_for_one_that_succeeded() {
    let world = World::new(usize::MAX);
    world.write("PRJ", 1).await;
    let project: ProjectKey = "PRJ".parse().unwrap();
    let key = keys::feed(world.org, &project, &keys::feed_sk(i64::MAX / 1_000_000, 9));
    let broken = svc_storage::Op::create(key.clone(), &"no entry");
    svc_testkit::write(&world.kit.app, vec![broken]).await.unwrap();
    assert!(world.app.feeds.fresh(&world.app, world.org, &project).await.is_err());
    assert!(world.app.feeds.fresh(&world.app, world.org, &project).await.is_err());
    let removed = svc_storage::Op::delete(key, svc_storage::Condition::Present);
    svc_testkit::write(&world.kit.app, vec![removed]).await.unwrap();
    assert_eq!(world.len("PRJ").await, 1);
}

#[tokio::test]
async fn the_feeds_not_asked_for_longest_make_room() {
    let world = World::new(25);
    for project in ["ONE", "TWO", "SIX"] {
        for number in 1..=10 {
            world.write(project, number).await;
        }
    }
    world.pass(60);
    for project in ["ONE", "TWO", "ONE"] {
        world.len(project).await;
    }
    world.table.take();
    world.len("SIX").await;
    assert_eq!(world.table.take(), (1, 10));
    world.len("ONE").await;
    assert_eq!(world.table.take(), (1, 0), "used lately, kept");
    world.len("TWO").await;
    assert_eq!(world.table.take(), (1, 10), "made room, read anew");
}
