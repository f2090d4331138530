//! Where a new item is planned.

use svc_domain::ids::OrgId;
use svc_domain::item::{Item, ItemType};
use svc_domain::refusal::FieldErrors;
use svc_domain::sprint::Sprint;
use svc_storage::{Op, RowOf, keys};

use super::load::{open, row_of};
use crate::App;
use crate::error::Result;

/// The sprint that a new item names, read from its row, and what must hold when the item is planned into it.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::Conflict`] when it is completed; those of storage.
pub(in crate::tracker) fn chosen(
    row: Option<&RowOf<Sprint>>,
    errors: &mut FieldErrors,
) -> Result<Option<(Sprint, Op)>> {
    if row.is_none() {
        errors.add("sprint", "There is no such sprint in the project.");
    }
    row.map(open).transpose()
}

/// Plans a new item in the chosen sprint, and a subtask without one where its parent is. Answers what must hold when
/// the item is created.
///
/// # Errors
/// Those of storage.
pub(in crate::tracker) async fn plan_new(
    app: &App,
    org: OrgId,
    chosen: Option<(Sprint, Op)>,
    item: &mut Item,
) -> Result<Vec<Op>> {
    if let Some((sprint, check)) = chosen {
        item.sprint = Some(sprint.id.to_string());
        return Ok(vec![check]);
    }
    let parent = item.parent.as_ref().filter(|_| item.item_type == ItemType::Subtask);
    let Some(parent) = parent else { return Ok(vec![]) };
    // That the parent is as it is read here is demanded by its checks already, in this version or another.
    let Some(row) = app.table.find(&keys::item(org, parent)).await? else { return Ok(vec![]) };
    let Some(sprint) = row.read()?.sprint else { return Ok(vec![]) };
    Ok(plan_if_open(app, org, item, sprint).await?.into_iter().collect())
}

/// Plans an item in a sprint of its project, if that is there and takes items. Answers what must hold when the item is
/// written.
///
/// # Errors
/// Those of storage.
pub(in crate::tracker) async fn plan_if_open(
    app: &App,
    org: OrgId,
    item: &mut Item,
    sprint: String,
) -> Result<Option<Op>> {
    let Some(key) = row_of(org, &item.key.project, &sprint) else { return Ok(None) };
    let Some(row) = app.table.find(&key).await? else { return Ok(None) };
    let Ok((_, check)) = open(&row) else { return Ok(None) };
    item.sprint = Some(sprint);
    Ok(Some(check))
}
