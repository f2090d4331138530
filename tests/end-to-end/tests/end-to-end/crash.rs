//! The server is killed in the middle of a thousand writes: what it acknowledged is there, and nothing is
//! there by half.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use svc_api::page::PageQuery;
use svc_api::tracker::{Item, ItemQuery, NewComment, Transition};
use svc_client::{Client, Error};
use svc_end_to_end::{Stage, all_pages, task};
use tokio::sync::Semaphore;

/// Clients at once, and writes of each: a thousand together.
const CLIENTS: usize = 40;
const WRITES: usize = 25;
/// After so many acknowledgements the server is killed.
const KILL_AFTER: usize = 400;

/// What one client was told.
#[derive(Default)]
struct Acknowledged {
    /// Items by key, with their titles.
    created: BTreeMap<String, String>,
    /// Ids of comments by the key of their item.
    comments: BTreeMap<String, Vec<String>>,
    /// The item as the last acknowledged transition left it.
    moved: Option<Item>,
}

/// Where a client's writes go, and who counts their acknowledgements.
struct Writer {
    client: Client,
    org: String,
    project: String,
    number: usize,
    count: Arc<AtomicUsize>,
    enough: Arc<Semaphore>,
}

impl Writer {
    /// Creates, comments and moves in turn, until the server is gone.
    async fn write(self, mut own: Item, there_and_back: [String; 2]) -> Acknowledged {
        let mut told = Acknowledged::default();
        for write in 0..WRITES {
            let done = match write % 3 {
                0 => self.create(write, &mut told).await,
                1 => self.comment(&own.key, write, &mut told).await,
                _ => self.transition(&mut own, &there_and_back, &mut told).await,
            };
            match done {
                Ok(()) => {}
                Err(Error::Network(_)) => break,
                Err(refusal) => panic!("the server refused a write: {refusal}"),
            }
            if self.count.fetch_add(1, Ordering::SeqCst) + 1 == KILL_AFTER {
                self.enough.add_permits(1);
            }
        }
        told
    }

    async fn create(&self, write: usize, told: &mut Acknowledged) -> Result<(), Error> {
        let title = format!("client {} write {write}", self.number);
        let item = self.client.org(&self.org).create_item(&self.project, &task(&title)).await?;
        told.created.insert(item.key, title);
        Ok(())
    }

    async fn comment(&self, key: &str, write: usize, told: &mut Acknowledged) -> Result<(), Error> {
        let new = NewComment { body: format!("write {write}"), reply_to: None, attachments: vec![] };
        let comment = self.client.org(&self.org).comment(key, &new).await?;
        told.comments.entry(key.to_owned()).or_default().push(comment.id);
        Ok(())
    }

    async fn transition(
        &self,
        own: &mut Item,
        there_and_back: &[String; 2],
        told: &mut Acknowledged,
    ) -> Result<(), Error> {
        let [there, back] = there_and_back;
        let state = if own.state == *there { back } else { there }.clone();
        let transition = Transition { version: own.version, state };
        *own = self.client.org(&self.org).transition(&own.key, &transition).await?;
        told.moved = Some(own.clone());
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_keeps_what_it_acknowledged_and_nothing_by_half() {
    let mut stage = Stage::set(&[]).await;
    let (count, enough) = (Arc::new(AtomicUsize::new(0)), Arc::new(Semaphore::new(0)));
    let there_and_back = two_states(&stage).await;
    let mut writers = Vec::new();
    for number in 0..CLIENTS {
        let own = stage.new_item(&format!("client {number}")).await;
        let writer = Writer {
            client: stage.client().clone(),
            org: stage.org().to_owned(),
            project: stage.project().to_owned(),
            number,
            count: Arc::clone(&count),
            enough: Arc::clone(&enough),
        };
        writers.push(tokio::spawn(writer.write(own, there_and_back.clone())));
    }
    enough.acquire().await.unwrap().forget();
    stage.server.kill();
    let mut told = Vec::new();
    for writer in writers {
        told.push(writer.await.unwrap());
    }
    let acknowledged = count.load(Ordering::SeqCst);
    assert!(
        (KILL_AFTER..CLIENTS * WRITES).contains(&acknowledged),
        "{acknowledged} writes: not in the middle"
    );

    stage.server.start_again().await;
    let listed = every_item(&stage).await;
    for told in &told {
        everything_acknowledged_is_there(&stage, told, &listed).await;
    }
    nothing_is_there_by_half(&stage, &listed).await;
    let next = stage.new_item("after the crash").await;
    assert!(!listed.contains_key(&next.key), "numbers are not used twice");
}

/// Two states between which the workflow permits both moves, the first not that of a new item.
async fn two_states(stage: &Stage) -> [String; 2] {
    let workflow = stage.client().org(stage.org()).workflow(stage.project()).await.unwrap();
    let first = &workflow.states[0].name;
    let permits = |from: &str, to: &str| workflow.moves.iter().any(|step| step.from == from && step.to == to);
    let other =
        workflow.states.iter().find(|state| permits(first, &state.name) && permits(&state.name, first));
    [other.unwrap().name.clone(), first.clone()]
}

async fn every_item(stage: &Stage) -> BTreeMap<String, Item> {
    let org = stage.client().org(stage.org());
    let mut total = 0;
    let items = all_pages(async |PageQuery { page, page_size }| {
        let query = ItemQuery { page, page_size, sort: Some("key".into()), ..ItemQuery::default() };
        let page = org.items(stage.project(), &query).await?;
        total = page.total_count;
        Ok(page)
    })
    .await
    .unwrap();
    let count = items.len();
    let by_key: BTreeMap<String, Item> = items.into_iter().map(|item| (item.key.clone(), item)).collect();
    assert_eq!((by_key.len(), total), (count, count as u64), "each item once, and the total says so");
    by_key
}

async fn everything_acknowledged_is_there(
    stage: &Stage,
    told: &Acknowledged,
    listed: &BTreeMap<String, Item>,
) {
    for (key, title) in &told.created {
        assert_eq!(listed.get(key).map(|item| &item.title), Some(title), "{key} is not listed");
        assert_eq!(&stage.item(key).await.title, title);
    }
    for (key, ids) in &told.comments {
        let there: Vec<String> = stage.comments(key).await.into_iter().map(|comment| comment.id).collect();
        assert!(ids.iter().all(|id| there.contains(id)), "{key} lacks some of {ids:?}");
    }
    if let Some(moved) = &told.moved {
        let now = stage.item(&moved.key).await;
        assert!(now.version > moved.version || now.state == moved.state, "{} moved back: {now:?}", moved.key);
        assert!(now.version >= moved.version, "{now:?} is older than {moved:?}");
    }
}

/// An item is listed if and only if it can be viewed, as it is, and its history tells how it came to be so.
async fn nothing_is_there_by_half(stage: &Stage, listed: &BTreeMap<String, Item>) {
    let org = stage.client().org(stage.org());
    let number = |key: &str| key.rsplit('-').next().unwrap().parse::<usize>().unwrap();
    let last = listed.keys().map(|key| number(key)).max().unwrap();
    // The crash may have used numbers for items that never were: as many as there were clients.
    for key in (1..=last + CLIENTS).map(|number| format!("{}-{number}", stage.project())) {
        let Some(row) = listed.get(&key) else {
            assert_eq!(
                org.item(&key).await.unwrap_err().status(),
                Some(404),
                "{key} is not listed, but there"
            );
            continue;
        };
        let item = stage.item(&key).await;
        let seen = |item: &Item| (item.version, item.title.clone(), item.state.clone());
        assert_eq!(seen(&item), seen(row), "{key} is listed as it is not");
        let history = all_pages(async |page| org.history(&key, &page).await).await.unwrap();
        assert_eq!(history.iter().filter(|entry| entry.action == "created").count(), 1, "{key}: {history:?}");
        let moves = history.iter().filter(|entry| entry.action == "transitioned");
        let latest = moves.max_by_key(|entry| entry.at).and_then(|entry| entry.to.clone());
        assert!(latest.is_none_or(|latest| latest == item.state), "{key} is in {}: {history:?}", item.state);
    }
}
