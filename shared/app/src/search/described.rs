//! The items of a project whose title and description answer a question: for lists, which know the rest of an item
//! from the feed. A list shows all that match, so that there is no order here.

use svc_domain::ids::{ItemKey, OrgId, ProjectKey};
use svc_domain::item::Item;
use svc_domain::search::{SearchQuery, Target, TextId};
use svc_storage::{RowOf, keys};

use super::candidates::{ENOUGH, candidates};
use super::source;
use crate::App;
use crate::error::Result;
use crate::heavy;
use crate::wanted;

/// Items whose texts are read for one question: those with a word in the title, then the newest.
const MAX_READ: usize = 300;
/// Bytes of those items: as many as are cut into words in half a second.
const MAX_BYTES: usize = 16 * 1024 * 1024;
/// Items of one read: as long as texts may be, 13 MB.
const AT_ONCE: usize = 50;

/// Numbers of the items that answer now, as far as the index knows them and the bounds allow.
///
/// # Errors
/// Those of storage.
pub(crate) async fn described(app: &App, org: OrgId, project: &ProjectKey, q: &str) -> Result<Vec<u64>> {
    let query = SearchQuery::parse(q);
    if query.is_empty() {
        return Ok(Vec::new());
    }
    heavy::in_turn(answering(app, org, project, &query)).await
}

async fn answering(app: &App, org: OrgId, project: &ProjectKey, query: &SearchQuery) -> Result<Vec<u64>> {
    let wanted = |id: &TextId| matches!(id.target, Target::Item(_));
    let mut postings = candidates(app, org, project, query, &wanted, ENOUGH).await?.found;
    postings.truncate(MAX_READ);
    let (mut found, mut read) = (Vec::new(), 0);
    for postings in postings.chunks(AT_ONCE) {
        let numbers = postings.iter().filter_map(|posting| match posting.id.target {
            Target::Item(number) => Some(number),
            Target::Comment(_) | Target::Page(_) => None,
        });
        let items = numbers.map(|number| keys::item(org, &ItemKey { project: project.clone(), number }));
        let items: Vec<_> = items.collect();
        let rows: Vec<_> = wanted::load(app, items).await?.into_iter().flatten().collect();
        let bytes: usize = rows.iter().map(|row| row.doc.len()).sum();
        read += bytes;
        let query = query.clone();
        found.extend(heavy::on_texts(bytes, move || matching(&rows, &query)).await??);
        if read > MAX_BYTES {
            break;
        }
    }
    found.sort_unstable();
    Ok(found)
}

fn matching(rows: &[RowOf<Item>], query: &SearchQuery) -> Result<Vec<u64>> {
    let mut found = Vec::new();
    for row in rows {
        let item = row.read()?;
        if source::of_item(&item).answer(query).is_some() {
            found.push(item.key.number);
        }
    }
    Ok(found)
}
