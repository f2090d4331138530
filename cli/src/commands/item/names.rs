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
    let mut shown = item.clone();
    if !session.output.json && columns.contains(&More::Sprint) {
        shown.sprint = sprint_name(item, org, session).await.or(shown.sprint);
    }
    if !session.output.json && columns.contains(&More::Milestone) {
        shown.milestone = milestone_name(item, org, session).await.or(shown.milestone);
    }
    show_with(columns, &shown, session)
}
