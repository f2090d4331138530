use proptest::prelude::*;
use uuid::Uuid;

use super::generate::{Request, at, day, person, plain, project, request, rows};
use super::model::Model;
use crate::claim::Claim;
use crate::feed::{FeedEntry, FeedIndex, Packer, Unreadable, unpack};
use crate::ids::{MilestoneId, RunId};
use crate::item::{Commenter, Commenters, Counts};
use crate::pull_request::standing::Standing;
use crate::pull_request::{Checks, PullRequestState};
use crate::rank::Rank;
use crate::run::{LastRun, RunStatus};

fn ask(index: &FeedIndex, request: &Request) -> (u64, Vec<u64>) {
    let result = index.query(&request.borrowed());
    (result.total, result.entries.iter().map(|entry| entry.number).collect())
}

fn pack(index: &FeedIndex, part: usize) -> Vec<u8> {
    let (mut packer, mut from) = (Packer::default(), Some(0));
    while let Some(number) = from {
        from = packer.take(index, number, part);
    }
    packer.pack(&project())
}

fn titles(index: &FeedIndex, q: &str) -> Vec<u64> {
    index.autocomplete(q, 50).into_iter().map(|entry| entry.number).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    /// Made at once, packed and unpacked, and changed after it, a feed is what applying all rows makes.
    #[test]
    fn a_feed_made_at_once_is_that_of_its_rows_one_by_one(
        rows in rows(),
        later in rows(),
        requests in prop::collection::vec(request(), 1..8),
        part in 1..50_usize,
    ) {
        let (mut model, mut applied) = (Model::default(), FeedIndex::new(project()));
        for row in &rows {
            model.apply(row);
            applied.apply(row.clone());
        }
        let made = FeedIndex::of(project(), rows);
        let unpacked = unpack(project(), &pack(&made, part)).unwrap();
        let mut feeds = [made, unpacked];
        let same = |index: &FeedIndex| format!("{:?}", index.iter().collect::<Vec<_>>());
        for feed in &feeds {
            prop_assert_eq!(same(feed), same(&applied));
            prop_assert_eq!(titles(feed, "log"), titles(&applied, "log"));
        }
        for rows in [Vec::new(), later] {
            for row in rows {
                let news = applied.apply(row.clone());
                model.apply(&row);
                for feed in &mut feeds {
                    prop_assert_eq!(feed.apply(row.clone()), news);
                }
            }
            for (feed, request) in feeds.iter().flat_map(|feed| requests.iter().map(move |r| (feed, r))) {
                prop_assert_eq!(ask(feed, request), model.query(&request.borrowed()));
            }
        }
    }

    #[test]
    fn damaged_bytes_are_refused_or_make_some_feed(
        rows in rows(),
        cut in any::<prop::sample::Index>(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), 1..=255_u8), 0..4),
    ) {
        let mut bytes = pack(&FeedIndex::of(project(), rows), 1_000);
        prop_assert!(unpack(project(), &bytes[..cut.index(bytes.len())]).is_err());
        for (place, change) in flips {
            let place = place.index(bytes.len());
            bytes[place] ^= change;
        }
        let _ = unpack(project(), &bytes);
    }
}

#[test]
fn the_bytes_of_another_format_or_project_are_refused() {
    let bytes = pack(&FeedIndex::of(project(), [plain(1, "One")]), 10);
    assert_eq!(unpack("OTHER".parse().unwrap(), &bytes).unwrap_err(), Unreadable::Damaged);
    assert_eq!(unpack(project(), b"").unwrap_err(), Unreadable::Format);
    assert_eq!(unpack(project(), &[b"FED0", &bytes[4..]].concat()).unwrap_err(), Unreadable::Format);
}

/// An entry of which every field is there.
fn full() -> FeedEntry {
    FeedEntry {
        labels: vec!["bug".to_owned(), "frontend".to_owned()],
        estimate: Some(8.0),
        remaining: Some(0.5),
        assignee: Some(person(2)),
        parent: Some("PRJ-1".parse().unwrap()),
        sprint: Some("s-1".to_owned()),
        milestone: Some(MilestoneId(Uuid::from_u128(8))),
        rank: Some(Rank::between(Some(&Rank::initial(4)), None, 2)),
        blocked: true,
        due: Some(day(1)),
        resolved_at: Some(at(12)),
        started_at: Some(at(6)),
        claim: Some(Claim { holder: person(3), since: at(5), heartbeat_at: at(9) }),
        live_run: Some(RunId(Uuid::from_u128(7))),
        last_run: Some(Box::new(LastRun {
            id: RunId(Uuid::from_u128(6)),
            status: RunStatus::TimedOut,
            agent: person(3),
            started_at: Some(at(2)),
            ended_at: at(3),
            pull_request: Some("https://example.com/1".to_owned()),
        })),
        link_urls: vec!["https://example.com/1".to_owned()],
        linked_items: true,
        commenters: Commenters(vec![Commenter { by: person(2).id, comments: 3, factory: true }]),
        counts: Some(Counts { comments: 3, attachments: 1, changes: 5 }),
        standings: vec![Some(Standing {
            state: PullRequestState::Merged,
            checks: Some(Checks::Passing),
            review: None,
        })],
        ..plain(2, "Ärger mit der Seite")
    }
}

/// [`full`], `One` and the end of PRJ-3, as they were packed when the format began.
const WRITTEN: &str = "\
    46454437b1010000fa240350524a07047461736b074261636b6c6f67066d656469756d036275670866726f6e74656e64\
    0550524a2d3103732d310300000200aa0108706572736f6e20311800340000021a0010320e0008020014031a00b83302\
    010100034f6e65010220000502005382c8ceb40d0600f20f02010014c38472676572206d697420646572205365697465\
    0102020304013300232040090083e03f0101010501060f000502005108010f69300100213531010091330101d61f0110\
    01986a0022018c070021028a0800119206000c44001c0711005106060201842b0011860600ff08011568747470733a2f\
    2f6578616d706c652e636f6d2f3117000550010101000004000a02008202030101030105005a009084c8ceb40d000103\
    03";

fn bytes_of(hex: &str) -> Vec<u8> {
    hex.as_bytes()
        .chunks(2)
        .map(|two| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16).unwrap())
        .collect()
}

/// What was written before is read for as long as the format keeps its number: a change of what is
/// packed sees this fail, raises the number, and puts in the new bytes.
#[test]
fn bytes_that_were_written_once_are_read_for_ever() {
    let gone = FeedEntry { deleted: true, version: 3, ..plain(3, "Gone") };
    let now = || pack(&FeedIndex::of(project(), [full(), plain(1, "One"), gone]), 10);
    let hex = |bytes: Vec<u8>| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let read = unpack(project(), &bytes_of(WRITTEN));
    let read = read.unwrap_or_else(|why| panic!("{why}; the bytes of this format are {}", hex(now())));
    assert!(read.iter().eq([&plain(1, "One"), &full()]));
    assert_eq!(read.gone().collect::<Vec<_>>(), [(3, 3)]);
}
