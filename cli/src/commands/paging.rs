//! Reading lists page by page: the next page is asked for only while the total says that more remain.

use svc_api::Page;
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
