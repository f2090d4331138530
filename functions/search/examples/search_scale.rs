//! How search scales: rows read and milliseconds per question in organizations of ever more comments, how long
//! indexing one takes, and how soon a new one is found.
//!
//! `cargo run --release -p svc-search --example search_scale [documents …]`

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures::{StreamExt as _, TryStreamExt as _, stream};
use svc_app::{App, BearerCredential, Caller, Settings, Transaction, search};
use svc_domain::comment::Comment;
use svc_domain::identity::{Org, OrgRole};
use svc_domain::ids::{Actor, ActorId, CommentId, ItemKey, UserId};
use svc_domain::item::{Item, ItemType};
use svc_domain::search::Source;
use svc_storage::{Commit, Cursor, Key, Op, Query, Row, RowPage, StorageError, Table, keys};
use svc_testkit::{CountingIds, TestApp, scopes};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];
const ROUNDS: usize = 20;
/// Comments of a commit, commits that share a write to the disk, and comments that wait when the indexer comes.
const TOGETHER: usize = 50;
const AT_ONCE: usize = 20;
const WAITING: usize = 5_000;
/// Words of different frequency: `common` is in every text, `wordN` in one of 5,000, `rare` in one of 997. The last
/// three are nowhere: two have one wrong letter, and the third is near nothing.
const QUESTIONS: [&str; 10] = [
    "rare",
    "word42",
    "common",
    "common rare",
    "common every",
    "wor",
    "\"common every\" word42",
    "comnom",
    "xommon",
    "pelican",
];

/// Counts the rows that are read.
struct Counting {
    table: Arc<dyn Table>,
    rows: AtomicUsize,
}

#[async_trait::async_trait]
impl Table for Counting {
    async fn get(&self, key: &Key) -> std::result::Result<Option<Row>, StorageError> {
        self.rows.fetch_add(1, Ordering::Relaxed);
        self.table.get(key).await
    }

    async fn get_many(&self, keys: &[Key]) -> std::result::Result<Vec<Option<Row>>, StorageError> {
        self.rows.fetch_add(keys.len(), Ordering::Relaxed);
        self.table.get_many(keys).await
    }

    async fn query(&self, query: &Query) -> std::result::Result<RowPage, StorageError> {
        let page = self.table.query(query).await?;
        self.rows.fetch_add(page.rows.len(), Ordering::Relaxed);
        Ok(page)
    }

    async fn scan(&self, limit: usize, after: Option<&Cursor>) -> std::result::Result<RowPage, StorageError> {
        self.table.scan(limit, after).await
    }

    async fn commit(&self, commit: &Commit) -> std::result::Result<(), StorageError> {
        self.table.commit(commit).await
    }

    async fn increment(
        &self,
        key: &Key,
        field: &str,
        amount: i64,
        ttl: Option<i64>,
    ) -> std::result::Result<i64, StorageError> {
        self.table.increment(key, field, amount, ttl).await
    }
}

/// A comment of some twenty words.
fn text(n: usize) -> String {
    let words: Vec<String> = (1..=14).map(|place| format!("word{}", n * place % 5_000)).collect();
    let rare = if n.is_multiple_of(997) { " rare" } else { "" };
    format!("common every text has {}{rare}", words.join(" "))
}

/// The item that is commented on, and who comments.
struct Desk<'a> {
    app: &'a App,
    org: &'a Org,
    item: ItemKey,
    author: Actor,
}

impl Desk<'_> {
    /// Writes these comments, as the use case does.
    async fn comment(&self, texts: impl Iterator<Item = String>) -> Result<()> {
        let mut ops = Vec::new();
        for text in texts {
            let comment = Comment::new(CommentId(self.app.uuid()), self.author.clone(), text, self.app.now());
            ops.push(Op::create(keys::comment(self.org.id, &self.item, comment.id), &comment));
            let source = Source::Comment { item: self.item.clone(), id: comment.id };
            ops.push(search::changed(self.org.id, &source));
        }
        Ok(self.app.commit(Transaction::bookkeeping(self.app).with(ops)).await?)
    }
}

/// Writes comments and indexes them.
async fn fill<'a>(app: &'a App, org: &'a Org, count: usize) -> Result<Desk<'a>> {
    let author = Actor { id: ActorId::User(UserId(app.uuid())), name: "Ada".to_owned() };
    let item: ItemKey = "PRJ-1".parse()?;
    let record = Item::new(
        item.clone(),
        ItemType::Task,
        "A title".to_owned(),
        "Backlog".to_owned(),
        author.clone(),
        app.now(),
    );
    let row = Op::create(keys::item(org.id, &item), &record);
    app.commit(Transaction::bookkeeping(app).with([row])).await?;
    let desk = Desk { app, org, item, author };
    let (mut writing, mut indexing) = (Duration::ZERO, Duration::ZERO);
    for first in (0..count).step_by(WAITING) {
        let last = count.min(first + WAITING);
        let start = Instant::now();
        let commits = (first..last).step_by(TOGETHER);
        stream::iter(commits)
            .map(|from| desk.comment((from..last.min(from + TOGETHER)).map(text)))
            .buffer_unordered(AT_ONCE)
            .try_collect::<()>()
            .await?;
        writing += start.elapsed();
        let start = Instant::now();
        search::index_waiting(app).await?;
        indexing += start.elapsed();
    }
    let each = |time: Duration| time.as_secs_f64() * 1e3 / count as f64;
    println!("\n{count} texts: {:.2} ms to write one, {:.2} ms to index it", each(writing), each(indexing));
    Ok(desk)
}

/// Tells how soon a new text is found, once the indexer was woken.
async fn tell_when_found(desk: &Desk<'_>, caller: &BearerCredential) -> Result<()> {
    let mut times = Vec::with_capacity(ROUNDS);
    for n in 0..ROUNDS {
        let q = format!("brandnew{n}");
        let start = Instant::now();
        desk.comment([format!("common every {q}")].into_iter()).await?;
        search::index_waiting(desk.app).await?;
        let found =
            search::in_org(desk.app, Caller { credential: Some(caller), org: &desk.org.slug }, &find(&q))
                .await?
                .answers
                .len();
        times.push(start.elapsed().as_secs_f64() * 1e3);
        if found != 1 {
            return Err(format!("{q} was found {found} times").into());
        }
    }
    times.sort_by(f64::total_cmp);
    println!("a new text is found after {:.2} ms", times[ROUNDS / 2]);
    Ok(())
}

fn find(q: &str) -> search::Find {
    search::Find {
        q: q.to_owned(),
        kinds: [search::Kind::Comments].into(),
        projects: Vec::new(),
        limit: 20,
        count: false,
    }
}

async fn measure(size: usize) -> Result<()> {
    let kit = TestApp::new();
    let org = kit.org("demo").await;
    kit.project(&org, "PRJ").await;
    let owner = kit.user(&org, "owner@example.com", OrgRole::Owner, true).await;
    let caller = BearerCredential::new(&kit.token(owner, scopes(), None).await);
    let desk = fill(&kit.app, &org, size).await?;
    let counting = Arc::new(Counting { table: Arc::clone(&kit.app.table), rows: AtomicUsize::new(0) });
    let ids = Arc::new(CountingIds::new(Arc::clone(&kit.clock), 9));
    let (blobs, queue) = (Arc::clone(&kit.app.blobs), Arc::clone(&kit.app.queue));
    let table: Arc<dyn Table> = counting.clone();
    let app = App::new(table, blobs, queue, kit.clock.clone(), ids, Settings::default());
    for q in QUESTIONS {
        let mut times = Vec::with_capacity(ROUNDS);
        let mut found = 0;
        counting.rows.store(0, Ordering::Relaxed);
        for _ in 0..ROUNDS {
            let start = Instant::now();
            found = search::in_org(&app, Caller { credential: Some(&caller), org: &org.slug }, &find(q))
                .await?
                .answers
                .len();
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        let rows = counting.rows.load(Ordering::Relaxed) / ROUNDS;
        println!("{q:24} {found:3} found, {rows:5} rows read, {:7.2} ms", times[ROUNDS / 2]);
    }
    tell_when_found(&desk, &caller).await
}

#[tokio::main]
async fn main() -> Result<()> {
    let asked: Vec<usize> = std::env::args().skip(1).filter_map(|size| size.parse().ok()).collect();
    for size in if asked.is_empty() { SIZES.to_vec() } else { asked } {
        measure(size).await?;
    }
    Ok(())
}
