use proptest::prelude::*;
use uuid::Uuid;

use super::generate::{Request, at, person, plain, project, request, rows};
use super::model::Model;
use crate::claim::Claim;
use crate::feed::{FeedEntry, FeedIndex, Sort, SortKey};
use crate::ids::RunId;
use crate::rank::Rank;
use crate::workflow::{StateGroup, Workflow};

fn index(rows: &[FeedEntry]) -> FeedIndex {
    let mut index = FeedIndex::new(project());
    for row in rows {
        index.apply(row.clone());
    }
    index
}

fn ask(index: &FeedIndex, request: &Request) -> (u64, Vec<u64>) {
    let result = index.query(&request.borrowed());
    (result.total, result.entries.iter().map(|entry| entry.number).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    /// Asked in the middle of the changes and after them, and twice each time, so that answers come from
    /// the cache too and must not outlive a change.
    #[test]
    fn lists_are_those_of_a_scan_and_a_sort(
        rows in rows(),
        requests in prop::collection::vec(request(), 1..12),
    ) {
        let (mut index, mut model) = (FeedIndex::new(project()), Model::default());
        let half = rows.len() / 2;
        for part in [&rows[..half], &rows[half..]] {
            for row in part {
                index.apply(row.clone());
                model.apply(row);
            }
            prop_assert_eq!(index.len(), model.len());
            let numbers: Vec<u64> = index.iter().map(|entry| entry.number).collect();
            prop_assert_eq!(index.numbers().iter().map(u64::from).collect::<Vec<_>>(), numbers);
            for request in requests.iter().chain(&requests) {
                let expected = model.query(&request.borrowed());
                prop_assert_eq!(ask(&index, request), expected, "{} {:?}", request.filter, request);
            }
        }
    }

    /// Asked after each change, so that what was found before it is followed up.
    #[test]
    fn lists_follow_every_change(rows in rows(), requests in prop::collection::vec(request(), 1..4)) {
        let (mut index, mut model) = (FeedIndex::new(project()), Model::default());
        for row in rows.iter().take(40) {
            index.apply(row.clone());
            model.apply(row);
            for request in &requests {
                let expected = model.query(&request.borrowed());
                prop_assert_eq!(ask(&index, request), expected, "{} {:?}", request.filter, request);
            }
        }
    }

    #[test]
    fn rows_that_come_again_change_nothing(rows in rows()) {
        let mut index = index(&rows);
        let generation = index.generation();
        let kept: Vec<FeedEntry> = index.iter().cloned().collect();
        for row in kept.iter().filter(|row| row.estimate == row.estimate && row.remaining == row.remaining) {
            prop_assert!(!index.apply(row.clone()));
            let older = FeedEntry { version: row.version - 1, ..row.clone() };
            prop_assert!(!index.apply(older));
        }
        prop_assert_eq!(index.generation(), generation);
    }

    #[test]
    fn an_emptied_feed_holds_nothing(rows in rows(), request in request()) {
        let mut index = index(&rows);
        for number in 1..40 {
            index.apply(FeedEntry { version: 10, deleted: true, ..plain(number, "gone") });
        }
        prop_assert!(index.is_empty());
        prop_assert_eq!(ask(&index, &request), (0, Vec::new()));
        for row in &rows {
            prop_assert!(!index.apply(row.clone()), "older than its end");
        }
    }

    #[test]
    fn rows_survive_being_stored(rows in rows()) {
        for row in rows.into_iter().filter(|row| row.estimate == row.estimate && row.remaining == row.remaining) {
            let stored = serde_json::to_string(&row).unwrap();
            prop_assert_eq!(serde_json::from_str::<FeedEntry>(&stored).unwrap(), row);
        }
    }
}

/// More than are remembered.
#[test]
fn lists_follow_very_many_changes() {
    let (mut index, mut model) = (FeedIndex::new(project()), Model::default());
    let request = Request::of("label:bug -state:closed");
    for round in 1..4 {
        for number in 1..=400_u64 {
            let labels = if (number + round) % 3 == 0 { vec!["bug".to_owned()] } else { Vec::new() };
            let row = FeedEntry { version: round, labels, ..plain(number, "Task") };
            model.apply(&row);
            index.apply(row);
        }
        assert_eq!(ask(&index, &request), model.query(&request.borrowed()));
    }
}

/// Few, thin and dense hits of a larger project take three ways to a page; all must agree with the scan.
#[test]
fn pages_of_few_thin_and_dense_hits_agree() {
    let mut model = Model::default();
    let rows: Vec<FeedEntry> = (1..=2_000_u64)
        .map(|number| {
            let mut row = plain(number, &format!("Item {}", number * 7919 % 2_000));
            let labels = [("few", 500), ("thin", 20), ("dense", 2)];
            row.labels = labels
                .iter()
                .filter(|(_, every)| number % every == 0)
                .map(|(label, _)| (*label).to_owned())
                .collect();
            row.estimate = (number % 3 == 0).then_some((number * 31 % 13) as f64);
            row
        })
        .collect();
    rows.iter().for_each(|row| model.apply(row));
    let index = index(&rows);
    for filter in ["", "label:few", "label:thin", "label:dense", "-label:dense estimate:>4"] {
        for key in SortKey::ALL {
            for descending in [false, true] {
                for (page, page_size) in [(1, 10), (2, 30), (40, 30), (1_000, 30)] {
                    let sort = Sort { key: *key, descending };
                    let request = Request { sort, page, page_size, ..Request::of(filter) };
                    assert_eq!(
                        ask(&index, &request),
                        model.query(&request.borrowed()),
                        "{filter} {sort} {page}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_claim_goes_stale_without_a_change() {
    let claimed = FeedEntry { claim: Some(Claim::begin(person(1), at(0))), ..plain(1, "Claimed") };
    let index = index(&[claimed, plain(2, "Free")]);
    let numbers = |filter: &str, second| ask(&index, &Request { now: at(second), ..Request::of(filter) }).1;
    for (filter, fresh, stale) in [
        ("claimed:any", vec![1], vec![]),
        ("claimed:none", vec![2], vec![2, 1]),
        ("claimed:@me", vec![1], vec![1]),
    ] {
        assert_eq!(numbers(filter, 300), fresh, "{filter}");
        assert_eq!(numbers(filter, 301), stale, "{filter}");
    }
}

/// Nothing in the feed changes between the questions: only who asks, and in which sprint and workflow.
#[test]
fn the_same_filter_means_what_its_asker_means() {
    let of = |number, n| FeedEntry {
        assignee: Some(person(n)),
        claim: Some(Claim::begin(person(n), at(0))),
        sprint: Some(format!("s-{n}")),
        state: Workflow::default().states[usize::try_from(n).unwrap()].name.clone(),
        ..plain(number, "Task")
    };
    let index = index(&[of(1, 1), of(2, 2)]);
    for n in [1_usize, 2] {
        let mut workflow = Workflow::default();
        workflow.states.iter_mut().for_each(|state| state.group = StateGroup::Closed);
        workflow.states[n].group = StateGroup::Active;
        for filter in ["assignee:@me", "claimed:@me", "sprint:current", "state:active"] {
            let request = Request {
                me: Some(person(n as u128).id),
                current_sprints: vec![format!("s-{n}")],
                workflow: workflow.clone(),
                ..Request::of(filter)
            };
            assert_eq!(ask(&index, &request), (1, vec![n as u64]), "{filter}");
        }
    }
}

#[test]
fn current_means_the_active_sprints_of_all_teams() {
    let of = |number, n| FeedEntry { sprint: Some(format!("s-{n}")), ..plain(number, "Task") };
    let index = index(&[of(1, 1), of(2, 2), of(3, 3), plain(4, "Backlog")]);
    for (current, expected) in [(vec![], vec![]), (vec!["s-2"], vec![2]), (vec!["s-1", "s-3"], vec![3, 1])] {
        let current_sprints: Vec<String> = current.into_iter().map(str::to_owned).collect();
        let request = Request { current_sprints, ..Request::of("sprint:current") };
        assert_eq!(ask(&index, &request).1, expected);
    }
}

#[test]
fn a_moved_item_has_neighbours_in_the_order_given_by_hand() {
    let mut index = index(&[plain(1, "a"), plain(2, "b"), plain(3, "c")]);
    let around = |index: &FeedIndex, after, moved, reach| {
        let (before, behind) = index.ranked_around(after, moved, reach);
        let numbers = |found: Vec<&FeedEntry>| found.iter().map(|entry| entry.number).collect::<Vec<_>>();
        (numbers(before), numbers(behind))
    };
    assert_eq!(around(&index, None, 3, 1), (vec![], vec![1]));
    assert_eq!(around(&index, Some(1), 3, 1), (vec![1], vec![2]));
    assert_eq!(around(&index, Some(1), 2, 1), (vec![1], vec![3]));
    assert_eq!(around(&index, Some(3), 1, 1), (vec![3], vec![]));
    assert_eq!(around(&index, Some(3), 1, 5), (vec![3, 2], vec![]));
    let rank = Rank::between(None, Some(&Rank::initial(1)), 3);
    index.apply(FeedEntry { version: 2, rank: Some(rank), ..plain(3, "c") });
    assert_eq!(around(&index, None, 1, 5), (vec![], vec![3, 2]));
    let ordered = Request { sort: "rank".parse().unwrap(), ..Request::of("") };
    assert_eq!(ask(&index, &ordered).1, [3, 1, 2]);
}

#[test]
fn sorts_are_read_and_the_others_answered_with_what_there_is() {
    for text in ["updated", "-updated", "created", "-key", "title", "-priority", "estimate", "rank"] {
        assert_eq!(text.parse::<Sort>().unwrap().to_string(), text);
    }
    assert_eq!(Sort::default().to_string(), "-updated");
    let message = "--key".parse::<Sort>().unwrap_err().to_string();
    assert_eq!(
        message,
        "`--key` is not a sort order. Sort by updated, created, key, title, priority, estimate, rank, due, \
         resolved, with - in front for the highest first."
    );
}

/// The shape that is stored: a difference here is a change to rows that exist.
#[test]
fn a_row_with_everything_is_small() {
    let row = FeedEntry {
        labels: vec!["bug".into(), "frontend".into()],
        estimate: Some(4.0),
        remaining: Some(0.5),
        assignee: Some(person(2)),
        parent: Some("PRJ-1".parse().unwrap()),
        sprint: Some("s-1".into()),
        rank: Some(Rank::initial(7)),
        blocked: true,
        claim: Some(Claim::begin(person(2), at(60))),
        live_run: Some(RunId(Uuid::from_u128(9))),
        link_urls: vec!["https://code.example/acme/web/pull/12".into()],
        deleted: true,
        ..plain(7, "Login page fails")
    };
    assert!(serde_json::to_string(&row).unwrap().len() < 1_000);
    insta::assert_json_snapshot!(row);
    let least = serde_json::to_string(&plain(7, "Login page fails")).unwrap();
    assert!(!least.contains("null") && !least.contains("[]") && !least.contains("false"), "{least}");
}
