//! What happened to an item.

use svc_domain::access::Capability;
use svc_domain::ids::ItemKey;
use svc_domain::project::HistoryEntry;
use svc_domain::visibility::Viewer;
use svc_storage::{Query, Range, Row, keys};

use crate::App;
use crate::entry::{Caller, enter_project};
use crate::error::Result;

/// Everything that happened to an item, as far as the caller sees it, newest first.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::NotFound`].
pub async fn list(app: &App, caller: Caller<'_>, key: &ItemKey) -> Result<Vec<HistoryEntry>> {
    let mut entry =
        enter_project(app, caller, &key.project, Capability::SeeProject, |org| vec![keys::item(org, key)])
            .await?;
    entry.take(0)?;
    let range = Range::Prefix(keys::HISTORY_PREFIX.to_owned());
    let query = Query::new(keys::item_pk(entry.org_id(), key), range, 1_000).descending();
    let rows = app.table.query_all(query).await?;
    let mut history = rows.iter().map(Row::read).collect::<Result<Vec<HistoryEntry>, _>>()?;
    let viewer = Viewer::of(&entry.access);
    history.retain(|entry| viewer.sees_history(entry));
    Ok(history)
}
