//! Names of what an item says only the id of: the id alone says little to a person.

use svc_api::tracker::Item;

use super::shared::show_with;
use crate::failure::Failure;
use crate::output::More;
use crate::session::Session;

/// Name of the item's sprint, where it can be had.
pub(super) async fn sprint_name(item: &Item, org: &str, session: &Session<'_>) -> Option<String> {
    let sprint = session.org(org).sprint(item.sprint.as_deref()?).await.ok()?;
    Some(sprint.name)
}

/// Name of the item's milestone, likewise.
pub(super) async fn milestone_name(item: &Item, org: &str, session: &Session<'_>) -> Option<String> {
    let project = item.key.rsplit_once('-')?.0;
    Some(session.org(org).milestone(project, item.milestone.as_deref()?).await.ok()?.name)
}

/// Prints an item with the columns of what was changed.
pub(super) async fn show_changed(
    columns: &[More],
    item: &Item,
    org: &str,
    session: &Session<'_>,
) -> Result<(), Failure> {
    show_with(columns, &named(columns, item.clone(), org, session).await, session)
}

/// The item with the names that its columns show.
pub(super) async fn named(columns: &[More], mut item: Item, org: &str, session: &Session<'_>) -> Item {
    if !session.output.json && columns.contains(&More::Sprint) {
        item.sprint = sprint_name(&item, org, session).await.or(item.sprint);
    }
    if !session.output.json && columns.contains(&More::Milestone) {
        item.milestone = milestone_name(&item, org, session).await.or(item.milestone);
    }
    item
}
