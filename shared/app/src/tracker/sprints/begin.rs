//! Where a new subtask is planned.

use svc_domain::ids::OrgId;
use svc_domain::item::{Item, ItemType};
use svc_storage::{Op, keys};

use super::load::{open, row_of};
use crate::App;
use crate::error::Result;

/// Plans a new subtask where its item is; answers what must hold when it is created.
///
/// # Errors
/// Those of storage.
pub(in crate::tracker) async fn begin_with_parent(app: &App, org: OrgId, item: &mut Item) -> Result<Vec<Op>> {
    let parent = item.parent.as_ref().filter(|_| item.item_type == ItemType::Subtask);
    let Some(parent) = parent else { return Ok(vec![]) };
    // That the parent is as it is read here is demanded by its checks already, in this version or another.
    let Some(row) = app.table.get(&keys::item(org, parent)).await? else { return Ok(vec![]) };
    let Some(sprint) = row.read::<Item>()?.sprint else { return Ok(vec![]) };
    let Some(key) = row_of(org, &parent.project, &sprint) else { return Ok(vec![]) };
    let Some(row) = app.table.get(&key).await? else { return Ok(vec![]) };
    let Ok((_, check)) = open(&row) else { return Ok(vec![]) };
    item.sprint = Some(sprint);
    Ok(vec![check])
}
