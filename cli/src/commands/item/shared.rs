//! What the commands of this noun share: how they name a thing and how they show it.

use crate::failure::Failure;
use crate::output::{More, item_table_with, when};
use crate::reading::{Author, Text};
use crate::session::Session;
use svc_api::tracker::{Claim, Item};

/// Prints an item as a change left it.
pub(super) fn show(item: &Item, session: &Session<'_>) -> Result<(), Failure> {
    show_with(&[], item, session)
}

/// The same, with the columns of what was changed.
pub(super) fn show_with(more: &[More], item: &Item, session: &Session<'_>) -> Result<(), Failure> {
    let output = session.output;
    if output.json { output.json(item) } else { output.table(&item_table_with(more, [item])) }
}

/// The same of several items, which are a list as JSON.
pub(super) fn show_all(
    more: &[More],
    items: &[Item],
    as_list: bool,
    session: &Session<'_>,
) -> Result<(), Failure> {
    match (items, session.output.json) {
        (items, true) if as_list => session.output.json(&items),
        ([item], true) => session.output.json(item),
        _ => session.output.table(&item_table_with(more, items)),
    }
}

/// The claim of an item, if another person holds it.
pub(super) async fn of_another<'a>(
    item: &'a Item,
    session: &Session<'_>,
) -> Result<Option<&'a Claim>, Failure> {
    match &item.claim {
        Some(claim) if claim.holder != session.client.me().await?.id => Ok(Some(claim)),
        _ => Ok(None),
    }
}

/// The holder of a claim, and how fresh it is.
pub(super) fn held(claim: &Claim) -> String {
    let agent = if claim.agent { " (agent)" } else { "" };
    format!("{}{agent}, last seen {},", claim.holder_name, when(claim.heartbeat_at))
}

/// The description of an item, as it is remembered.
pub(super) fn text<'a>(org: &'a str, item: &'a Item) -> Text<'a> {
    Text {
        what: format!("the description of {}", item.key),
        place: format!("{org}/items/{}", item.key),
        version: item.version,
        body: &item.body,
        by: Author::InHistory(org, &item.key),
        read_with: format!("svc item view {}", item.key),
    }
}
