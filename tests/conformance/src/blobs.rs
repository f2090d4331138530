//! Cases of the blob port.

use std::sync::Arc;

use bytes::Bytes;
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use svc_storage::{BlobKey, Blobs, ByteStream, Retention, StorageError};
use tokio::sync::Barrier;
use tokio::task::JoinSet;

/// Every case. The handles are of one store.
pub async fn all(handles: &[Arc<dyn Blobs>]) {
    let blobs = &*handles[0];
    a_blob_is_written_once(blobs).await;
    what_is_missing_is_not_found(blobs).await;
    a_listing_is_ordered_and_of_one_class(blobs).await;
    a_listing_goes_on_where_it_ended(blobs).await;
    one_writer_wins(handles).await;
    a_large_blob_streams_in_and_out(blobs).await;
    a_part_of_a_blob_is_read(blobs).await;
    of_a_stream_that_breaks_off_nothing_is_kept(blobs).await;
    of_two_streams_one_wins(handles).await;
}

fn log(path: &str) -> BlobKey {
    BlobKey::new(Retention::Log, path)
}

async fn a_blob_is_written_once(blobs: &dyn Blobs) {
    for (path, bytes) in [("once/a", Bytes::new()), ("once/b", [0, 255].repeat(700_000).into())] {
        blobs.put_once(&log(path), bytes.clone()).await.unwrap();
        let again = blobs.put_once(&log(path), Bytes::from_static(b"other")).await;
        assert!(matches!(again, Err(StorageError::AlreadyExists(_))), "{again:?}");
        assert!(blobs.get(&log(path)).await.unwrap() == bytes);

        blobs.delete(&log(path)).await.unwrap();
        blobs.put_once(&log(path), Bytes::from_static(b"new")).await.unwrap();
        assert_eq!(blobs.get(&log(path)).await.unwrap(), "new");
    }
}

async fn what_is_missing_is_not_found(blobs: &dyn Blobs) {
    blobs.put_once(&log("missing/a"), Bytes::from_static(b"1")).await.unwrap();
    for path in ["missing", "missing/b", "missing/a/b"] {
        let found = blobs.get(&log(path)).await;
        assert!(matches!(found, Err(StorageError::NotFound(_))), "{path}: {found:?}");
        blobs.delete(&log(path)).await.unwrap();
    }
    assert_eq!(blobs.get(&log("missing/a")).await.unwrap(), "1");
}

async fn a_listing_is_ordered_and_of_one_class(blobs: &dyn Blobs) {
    // Already in order: a slash is greater than `-` and `.`, and smaller than a digit.
    let paths = ["list/a-1", "list/a.b", "list/a/1", "list/a/2/3", "list/a0", "list/b"];
    for path in paths.iter().rev() {
        blobs.put_once(&log(path), Bytes::from(path.to_string())).await.unwrap();
    }
    blobs.put_once(&log("list-other"), Bytes::new()).await.unwrap();
    let snapshot = BlobKey::new(Retention::Snapshot, "list/a/1");
    blobs.put_once(&snapshot, Bytes::new()).await.unwrap();

    let expect = async |prefix: &str, after: Option<&str>, paths: &[&str]| {
        let after = after.map(log);
        let found = blobs.list(Retention::Log, prefix, after.as_ref()).await.unwrap();
        let names: Vec<BlobKey> = found.iter().map(|blob| blob.key.clone()).collect();
        assert_eq!(names, paths.iter().map(|path| log(path)).collect::<Vec<_>>(), "{prefix} {after:?}");
        for blob in found {
            assert_eq!(blob.size as usize + "log/".len(), blob.key.as_str().len());
            assert!(blob.written_at > 1_700_000_000);
        }
    };
    expect("list/", None, &paths).await;
    expect("list/a", None, &paths[..5]).await;
    expect("list/a/", None, &paths[2..4]).await;
    expect("list/a/2/3", None, &paths[3..4]).await;
    expect("list/z", None, &[]).await;
    for (index, path) in paths.iter().enumerate() {
        expect("list/", Some(path), &paths[index + 1..]).await;
    }
    // What stood at the place may be gone, or a directory.
    expect("list/", Some("list/a"), &paths).await;
    expect("list/", Some("list/a/1/5"), &paths[3..]).await;
    let found = blobs.list(Retention::Snapshot, "", None).await.unwrap();
    assert_eq!(found.into_iter().map(|blob| blob.key).collect::<Vec<_>>(), [snapshot]);
}

async fn a_listing_goes_on_where_it_ended(blobs: &dyn Blobs) {
    const BLOBS: usize = 1_050;
    let key = |n: usize| BlobKey::new(Retention::Attachment, &format!("page/{}/{n:05}", n / 400));
    for n in 0..BLOBS {
        blobs.put_once(&key(n), Bytes::new()).await.unwrap();
    }
    let mut seen: Vec<BlobKey> = Vec::new();
    loop {
        let page = blobs.list(Retention::Attachment, "page/", seen.last()).await.unwrap();
        if page.is_empty() {
            break;
        }
        assert!(page.len() <= 1_000);
        seen.extend(page.into_iter().map(|blob| blob.key));
    }
    assert_eq!(seen, (0..BLOBS).map(key).collect::<Vec<_>>());
}

async fn one_writer_wins(handles: &[Arc<dyn Blobs>]) {
    const RACERS: usize = 8;
    for round in 0..10 {
        let key = log(&format!("race/{round}/blob"));
        let barrier = Arc::new(Barrier::new(RACERS));
        let mut tasks = JoinSet::new();
        for n in 0..RACERS {
            let (blobs, barrier, key) = (handles[n % handles.len()].clone(), barrier.clone(), key.clone());
            tasks.spawn(async move {
                barrier.wait().await;
                (n, blobs.put_once(&key, Bytes::from(n.to_string().repeat(10_000))).await)
            });
        }
        let mut winners = Vec::new();
        for (n, result) in tasks.join_all().await {
            match result {
                Ok(()) => winners.push(n),
                Err(StorageError::AlreadyExists(_)) => {}
                Err(other) => panic!("{other}"),
            }
        }
        assert_eq!(winners.len(), 1, "one wins, not {winners:?}");
        assert!(handles[0].get(&key).await.unwrap() == winners[0].to_string().repeat(10_000));
    }
}

/// Bytes that differ from place to place.
fn piece(number: usize, size: usize) -> Bytes {
    (0..size).map(|place| (number * 31 + place % 251) as u8).collect()
}

fn pieces(count: usize, size: usize) -> ByteStream {
    stream::iter((0..count).map(move |number| Ok(piece(number, size)))).boxed()
}

async fn gathered(bytes: ByteStream) -> Vec<u8> {
    bytes
        .try_fold(Vec::new(), async |mut all, piece| {
            all.extend_from_slice(&piece);
            Ok(all)
        })
        .await
        .unwrap()
}

async fn a_large_blob_streams_in_and_out(blobs: &dyn Blobs) {
    const COUNT: usize = 150;
    const SIZE: usize = 200_001;
    let key = BlobKey::new(Retention::Attachment, "stream/large");
    let whole = (COUNT * SIZE) as u64;
    assert_eq!(blobs.put_stream(&key, pieces(COUNT, SIZE)).await.unwrap(), whole);
    let read = blobs.read(&key, None).await.unwrap();
    assert_eq!(read.size, whole);
    let expected: Vec<u8> = (0..COUNT).flat_map(|number| piece(number, SIZE)).collect();
    assert!(gathered(read.bytes).await == expected);

    let again = blobs.put_stream(&key, pieces(1, 10)).await;
    assert!(matches!(again, Err(StorageError::AlreadyExists(_))), "{again:?}");
    blobs.delete(&key).await.unwrap();
    assert_eq!(blobs.put_stream(&key, pieces(0, 0)).await.unwrap(), 0);
    assert_eq!(gathered(blobs.read(&key, None).await.unwrap().bytes).await, b"");
}

async fn a_part_of_a_blob_is_read(blobs: &dyn Blobs) {
    let key = log("part");
    blobs.put_once(&key, Bytes::from_static(b"0123456789")).await.unwrap();
    for (part, expected) in
        [(0..4, "0123"), (4..5, "4"), (7..10, "789"), (7..1_000, "789"), (0..u64::MAX, "0123456789")]
    {
        let read = blobs.read(&key, Some(part.clone())).await.unwrap();
        assert_eq!(read.size, 10, "{part:?}");
        assert_eq!(gathered(read.bytes).await, expected.as_bytes(), "{part:?}");
    }
    for (path, part) in
        [("part", Some(10..11)), ("part", Some(50..60)), ("no-part", None), ("no-part", Some(0..1))]
    {
        let found = blobs.read(&log(path), part.clone()).await.map(|read| read.size);
        assert!(matches!(found, Err(StorageError::NotFound(_))), "{path} {part:?}: {found:?}");
    }
}

async fn of_a_stream_that_breaks_off_nothing_is_kept(blobs: &dyn Blobs) {
    let key = log("broken/off");
    let broken = pieces(3, 100_000).chain(stream::once(async { Err("the sender is gone".into()) }));
    let result = blobs.put_stream(&key, broken.boxed()).await;
    assert!(matches!(result, Err(StorageError::Interrupted(_))), "{result:?}");
    assert!(matches!(blobs.get(&key).await, Err(StorageError::NotFound(_))));
    assert_eq!(blobs.list(Retention::Log, "broken/", None).await.unwrap(), []);
    assert_eq!(blobs.put_stream(&key, pieces(1, 5)).await.unwrap(), 5);
}

async fn of_two_streams_one_wins(handles: &[Arc<dyn Blobs>]) {
    let key = log("race/stream");
    let first = handles[0].put_stream(&key, pieces(20, 50_000));
    let second = handles[handles.len() - 1].put_stream(&key, pieces(21, 50_000));
    let (first, second) = tokio::join!(first, second);
    let size = match (&first, &second) {
        (Ok(size), Err(StorageError::AlreadyExists(_))) | (Err(StorageError::AlreadyExists(_)), Ok(size)) => {
            *size
        }
        other => panic!("one wins, not {other:?}"),
    };
    assert_eq!(handles[0].read(&key, None).await.unwrap().size, size);
}
