//! Cold starts of large projects: what a snapshot spares, and that it is never believed where it is wrong.

use std::path::PathBuf;
use std::time::Duration;

use futures::future::join_all;
use svc_app::Transaction;
use svc_app::messages::Message;
use svc_app::tracker::{ItemChange, feed_snapshots};
use svc_domain::ids::{ItemKey, ProjectKey};
use svc_storage::{Condition, Op, Retention, keys};

use crate::feeds::{World, item};

/// Items of the project: enough for snapshots.
const ITEMS: u64 = 2_500;

fn project() -> ProjectKey {
    "PRJ".parse().unwrap()
}

/// A world with a large project whose feed is in a snapshot, written by a worker that was asked by a list.
async fn packed() -> World {
    let world = World::new(usize::MAX);
    fill(&world, 1..=ITEMS).await;
    world.pass(60);
    assert_eq!(world.len("PRJ").await, 2_500);
    assert_eq!(work(&world).await, 1, "a list that read every row asks for a snapshot");
    world.table.take();
    world
}

/// Writes items of these numbers.
async fn fill(world: &World, numbers: impl IntoIterator<Item = u64>) {
    let app = &world.kit.app;
    let mut transaction = Transaction::by_itself(app, world.org);
    for (place, number) in numbers.into_iter().enumerate() {
        let key = ItemKey { project: project(), number };
        transaction.save(ItemChange::create(world.org, item(key, app.now())));
        if place % 30 == 29 {
            let full = std::mem::replace(&mut transaction, Transaction::by_itself(app, world.org));
            app.commit(full).await.unwrap();
        }
    }
    app.commit(transaction).await.unwrap();
}

/// Handles what is in the queue; how many messages.
async fn work(world: &World) -> usize {
    let app = &world.app;
    let messages = app.queue.receive(10, Duration::from_millis(1)).await.unwrap();
    for message in &messages {
        let known: Message = serde_json::from_str(&message.body).unwrap();
        svc_workers::handle(app, &known).await.unwrap();
        app.queue.ack(&message.receipt).await.unwrap();
    }
    messages.len()
}

/// The files of the project's snapshots.
async fn files(world: &World) -> Vec<PathBuf> {
    let blobs = world.app.blobs.list(Retention::Snapshot, "feed/", None).await.unwrap();
    let directory = world.kit.directory().join("blobs");
    blobs.iter().map(|blob| directory.join(blob.key.as_str())).collect()
}

/// Titles of the items, by number, as a process sees them that starts now, and the rows that it read of the feed.
async fn cold(world: &World) -> (Vec<String>, usize) {
    let world = world.beside();
    let feed = world.app.feeds.fresh(&world.app, world.org, &project()).await.unwrap();
    let titles = feed.read().iter().map(|entry| format!("{}: {}", entry.number, entry.version)).collect();
    (titles, world.table.take().1)
}

#[tokio::test]
async fn a_cold_start_reads_a_snapshot_and_what_changed_since() {
    let world = packed().await;
    let (before, rows) = cold(&world).await;
    assert_eq!((before.len(), rows), (2_500, 0));
    // Within the overlap of clocks, and long after it.
    for (number, later) in [(3, 0), (ITEMS + 1, 3_600), (7, 3_600)] {
        world.pass(later);
        world.write("PRJ", number).await;
    }
    let (after, rows) = cold(&world).await;
    assert_eq!(rows, 3);
    let changed: Vec<&String> = after.iter().filter(|line| !before.contains(line)).collect();
    assert_eq!(changed, ["3: 2", "7: 2", "2501: 1"]);
}

#[tokio::test]
async fn a_snapshot_is_made_anew_after_enough_changes_and_the_old_one_removed() {
    let world = packed().await;
    let first = files(&world).await;
    assert_eq!(first.len(), 1);
    fill(&world, ITEMS + 1..=ITEMS + 900).await;
    world.pass(120);
    world.len("PRJ").await;
    assert_eq!(work(&world).await, 0, "too few changes");
    fill(&world, ITEMS + 901..=ITEMS + 1_100).await;
    world.len("PRJ").await;
    assert_eq!(work(&world).await, 1);
    let second = files(&world).await;
    assert!(second.len() == 1 && second != first, "{second:?}");
    world.pass(60);
    let (items, rows) = cold(&world).await;
    assert_eq!(items.len(), 3_600);
    assert!(rows <= 200, "what was committed about the mark, not {rows} rows");
    work(&world).await;
}

#[tokio::test]
async fn a_snapshot_that_is_damaged_gone_or_of_another_program_is_not_used() {
    let world = packed().await;
    let row = world.app.table.get(&keys::feed_snapshot(world.org, &project())).await.unwrap().unwrap();
    let (whole, _) = cold(&world).await;
    let file = files(&world).await.remove(0);
    let bytes = std::fs::read(&file).unwrap();
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 1;
    for damaged in [&flipped[..], &bytes[..bytes.len() - 1], b"", b"FED0 what a later program may write"] {
        std::fs::write(&file, damaged).unwrap();
        assert_eq!(cold(&world).await, (whole.clone(), 2_500));
    }
    std::fs::remove_file(&file).unwrap();
    assert_eq!(cold(&world).await, (whole.clone(), 2_500), "the blob is gone");
    let unknown = Op::put(row.key.clone(), Condition::Present, &"a name that a later program gives");
    svc_testkit::write(&world.app, vec![unknown]).await.unwrap();
    assert_eq!(cold(&world).await, (whole.clone(), 2_500), "the row cannot be read");
    // Those cold starts asked; the next snapshot is whole again.
    world.pass(120);
    assert!(work(&world).await > 0);
    assert_eq!(cold(&world).await, (whole, 0));
}

#[tokio::test]
async fn a_snapshot_of_too_long_ago_or_of_the_future_is_not_used() {
    let world = packed().await;
    world.pass(-3_600);
    assert_eq!(cold(&world).await.1, 2_500, "the clock stepped back behind it");
    world.pass(3_600 + 24 * 3_600 * 31);
    assert_eq!(cold(&world).await.1, 2_500, "older than ends of items need to be remembered");
}

#[tokio::test]
async fn of_writers_at_once_one_wins_and_the_others_leave_nothing() {
    let world = World::new(usize::MAX);
    fill(&world, 1..=ITEMS).await;
    world.pass(60);
    let others: Vec<World> = (0..3).map(|_| world.beside()).collect();
    let project = project();
    let written = others.iter().map(|other| feed_snapshots::write(&other.kit.app, world.org, &project));
    for result in join_all(written).await {
        result.unwrap();
    }
    assert_eq!(files(&world).await.len(), 1);
    assert_eq!(cold(&world).await.1, 0, "the one that is left is the one that is named");
}

#[tokio::test]
async fn a_small_project_has_no_snapshot() {
    let world = World::new(usize::MAX);
    fill(&world, 1..=100).await;
    world.len("PRJ").await;
    assert_eq!(work(&world).await, 0);
    feed_snapshots::write(&world.app, world.org, &project()).await.unwrap();
    assert_eq!(files(&world).await, Vec::<PathBuf>::new());
}
