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
    /// Whether it tells that its process is alone.
    knows_others: bool,
}

impl Counting {
    fn new(table: &Arc<dyn Table>, knows_others: bool) -> Self {
        let (queries, rows) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self { table: Arc::clone(table), queries, rows, knows_others }
    }

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

    fn alone(&self) -> Option<u64> {
        self.table.alone().filter(|_| self.knows_others)
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
        let table = Arc::new(Counting::new(&kit.app.table, false));
        let (blobs, queue) = (Arc::clone(&kit.app.blobs), Arc::clone(&kit.app.queue));
        let ids = Arc::new(CountingIds::new(Arc::clone(&kit.clock), 900));
        let settings = Settings { memory: Memory { max_items }, ..Settings::default() };
        let app = App::new(table.clone(), blobs, queue, kit.clock.clone(), ids, settings);
        Self { kit, app, table, org }
    }

    /// Writes an item of this number, from another process than the one that lists.
    pub(crate) async fn write(&self, project: &str, number: u64) {
        self.write_from(&self.kit.app, project, number).await;
    }

    async fn write_from(&self, app: &App, project: &str, number: u64) {
        let key = ItemKey { project: project.parse().unwrap(), number };
        let change = match app.table.get(&keys::item(self.org, &key)).await.unwrap() {
            Some(row) => ItemChange::update(self.org, row.read().unwrap(), row.version),
            None => ItemChange::create(self.org, item(key, app.now())),
        };
        svc_testkit::save(app, change).await.unwrap();
    }

    /// The process that lists, which writes too, and knows whether it is alone.
    fn alone(max_items: usize) -> Self {
        let world = Self::new(max_items);
        let table = Arc::new(Counting::new(&world.kit.app.table, true));
        let app = App { table: table.clone(), ..world.app };
        Self { app, table, ..world }
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

/// After 10,000 creations in four seconds each list read all of them again for ten seconds.
#[tokio::test]
async fn a_process_that_is_alone_reads_no_change_twice() {
    let world = World::alone(usize::MAX);
    assert_eq!(world.len("PRJ").await, 0);
    for number in 1..=200 {
        world.write_from(&world.app, "PRJ", number).await;
    }
    world.pass(1);
    world.write_from(&world.app, "PRJ", 201).await;
    assert_eq!(world.len("PRJ").await, 201);
    world.table.take();
    for number in 202..=204 {
        world.pass(1);
        world.write_from(&world.app, "PRJ", number).await;
        assert_eq!(world.len("PRJ").await, number as usize);
        assert!(world.table.take().1 <= 2, "the new one, and the one before");
    }
    let project: ProjectKey = "PRJ".parse().unwrap();
    assert_eq!(world.app.feeds.fresh(&world.app, world.org, &project).await.unwrap().read().len(), 204);
}

#[tokio::test]
async fn what_another_process_wrote_while_it_had_the_store_open_is_seen() {
    let world = World::alone(usize::MAX);
    world.write_from(&world.app, "PRJ", 1).await;
    world.pass(5);
    world.write_from(&world.app, "PRJ", 2).await;
    assert_eq!(world.len("PRJ").await, 2);
    let other = world.kit.beside();
    world.pass(-5);
    world.write_from(&other.app, "PRJ", 3).await;
    world.pass(5);
    assert_eq!(world.len("PRJ").await, 3, "its clock is behind");
    world.pass(-5);
    world.write_from(&other.app, "PRJ", 4).await;
    drop(other);
    world.pass(6);
    assert_eq!(world.len("PRJ").await, 4, "it is gone, and what it wrote is not");
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
