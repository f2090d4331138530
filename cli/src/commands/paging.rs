//! Reading lists page by page: the next page is asked for only while the total says that more remain.

use std::collections::HashSet;

use svc_api::Page;
use svc_api::tracker::Item;
use svc_client::Error;

/// The most that the instance answers on one page.
const PAGE_SIZE: u32 = 100;

/// Entries of a list, all or the first `limit`. `fetch` answers the page of that number and size.
pub(super) async fn collect<T>(
    limit: Option<usize>,
    mut fetch: impl AsyncFnMut(u32, u32) -> Result<Page<T>, Error>,
) -> Result<Vec<T>, Error> {
    let limit = limit.unwrap_or(usize::MAX);
    let size = u32::try_from(limit).unwrap_or(PAGE_SIZE).clamp(1, PAGE_SIZE);
    let mut entries = Vec::new();
    for number in 1.. {
        let page = fetch(number, size).await?;
        let was_empty = page.items.is_empty();
        entries.extend(page.items);
        if was_empty || entries.len() >= limit || entries.len() as u64 >= page.total_count {
            break;
        }
    }
    entries.truncate(limit);
    Ok(entries)
}

/// Readings of a list that keeps changing, before it is taken as it is.
const READINGS: usize = 5;

/// The same of items, which others change meanwhile: an item that moved on to a later page is there once, and a list that
/// grew or shrank while it was read is read again, because an item may have moved to a page that was read before.
pub(super) async fn collect_items(
    limit: Option<usize>,
    mut fetch: impl AsyncFnMut(u32, u32) -> Result<Page<Item>, Error>,
) -> Result<Vec<Item>, Error> {
    let mut last = Vec::new();
    for _ in 0..READINGS {
        let (mut total, mut changed) = (None, false);
        let mut items = collect(limit, async |page, size| {
            let page = fetch(page, size).await?;
            changed |= *total.get_or_insert(page.total_count) != page.total_count;
            Ok(page)
        })
        .await?;
        let (read, mut seen) = (items.len(), HashSet::new());
        items.retain(|item| seen.insert(item.key.clone()));
        let is_whole = !changed && items.len() == read;
        last = items;
        if is_whole {
            break;
        }
    }
    Ok(last)
}

#[cfg(test)]
mod tests {
    use svc_api::Page;
    use svc_api::tracker::Item;

    use super::collect_items;

    fn page(number: u32, keys: &[&str], total_count: u64) -> Page<Item> {
        let item = |key: &&str| -> Item {
            serde_json::from_value(serde_json::json!({
                "key": key, "project": "PRJ", "type": "task", "title": "x", "body": "", "state": "Backlog",
                "stateGroup": "backlog", "priority": "medium", "labels": [], "blocked": false, "links": [],
                "version": 1, "createdBy": { "id": "u", "name": "Ada", "agent": false },
                "createdAt": "2026-01-01T00:00:00Z", "updatedAt": "2026-01-01T00:00:00Z",
            }))
            .unwrap()
        };
        Page { page: number, page_size: 2, total_count, items: keys.iter().map(item).collect() }
    }

    #[tokio::test]
    async fn a_list_that_changes_while_it_is_read_misses_and_repeats_nothing() {
        // PRJ-3 is deleted after the first page: PRJ-4 moves to it, and the second page begins behind it.
        let mut answers = vec![
            page(1, &["PRJ-1", "PRJ-3"], 5),
            page(2, &["PRJ-5", "PRJ-6"], 4),
            page(1, &["PRJ-1", "PRJ-4"], 4),
            page(2, &["PRJ-5", "PRJ-6"], 4),
        ]
        .into_iter();
        let read = collect_items(None, async |_, _| Ok(answers.next().unwrap())).await.unwrap();
        let keys: Vec<_> = read.iter().map(|item| item.key.as_str()).collect();
        assert_eq!(keys, ["PRJ-1", "PRJ-4", "PRJ-5", "PRJ-6"]);
        // PRJ-9 is made in front: what ended the first page begins the second.
        let mut answers = vec![
            page(1, &["PRJ-1", "PRJ-2"], 3),
            page(2, &["PRJ-2", "PRJ-3"], 4),
            page(1, &["PRJ-9", "PRJ-1"], 4),
            page(2, &["PRJ-2", "PRJ-3"], 4),
        ]
        .into_iter();
        let read = collect_items(None, async |_, _| Ok(answers.next().unwrap())).await.unwrap();
        assert_eq!(read.len(), 4);
    }
}
