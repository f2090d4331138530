//! The vectors that the web app's own reader of filters is held to, too.

use serde::Deserialize;

use super::generate::{Request, plain, project};
use crate::feed::{FeedEntry, FeedIndex, Sort, SortKey};
use crate::schedule::cron::time_zone;

#[derive(Deserialize)]
struct Vectors {
    zone: String,
    now: jiff::Timestamp,
    items: Vec<Item>,
    filters: Vec<(String, Vec<String>)>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Item {
    key: String,
    title: String,
    #[serde(rename = "type")]
    item_type: String,
    priority: String,
    labels: Vec<String>,
    estimate: Option<f64>,
    due: Option<jiff::civil::Date>,
    parent: Option<String>,
    created_at: jiff::Timestamp,
    updated_at: jiff::Timestamp,
}

impl Item {
    fn entry(&self, number: u64) -> FeedEntry {
        FeedEntry {
            item_type: self.item_type.parse().unwrap(),
            priority: self.priority.parse().unwrap(),
            labels: self.labels.clone(),
            estimate: self.estimate,
            due: self.due,
            parent: self.parent.as_ref().map(|key| key.parse().unwrap()),
            created_at: self.created_at,
            updated_at: self.updated_at,
            ..plain(number, &self.title)
        }
    }
}

#[test]
fn filters_match_what_the_vectors_say() {
    let vectors: Vectors = serde_json::from_str(include_str!("../../filter/vectors.json")).unwrap();
    let mut index = FeedIndex::new(project());
    for (number, item) in (1..).zip(&vectors.items) {
        assert_eq!(item.key, format!("PRJ-{number}"));
        index.apply(item.entry(number));
    }
    for (filter, keys) in vectors.filters {
        let request = Request {
            now: vectors.now,
            zone: time_zone(&vectors.zone).unwrap(),
            sort: Sort { key: SortKey::Key, descending: false },
            ..Request::of(&filter)
        };
        let found = index.query(&request.borrowed()).entries;
        let found: Vec<String> = found.iter().map(|entry| entry.key(&project()).to_string()).collect();
        assert_eq!(found, keys, "{filter}");
    }
}
