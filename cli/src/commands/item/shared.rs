//! What the commands of this noun share: how they name a thing and how they show it.

use crate::failure::Failure;
use crate::output::{More, item_table_with};
use crate::reading::Text;
use crate::session::Session;
use svc_api::tracker::Item;

/// Prints an item as a change left it.
pub(super) fn show(item: &Item, session: &Session<'_>) -> Result<(), Failure> {
    show_with(&[], item, session)
}

/// The same, with the columns of what was changed.
pub(super) fn show_with(more: &[More], item: &Item, session: &Session<'_>) -> Result<(), Failure> {
    let output = session.output;
    if output.json { output.json(item) } else { output.table(&item_table_with(more, [item])) }
}

/// The description of an item, as it is remembered.
pub(super) fn text<'a>(org: &str, item: &'a Item) -> Text<'a> {
    Text {
        what: format!("the description of {}", item.key),
        place: format!("{org}/items/{}", item.key),
        version: item.version,
        body: &item.body,
        read_with: format!("svc item view {}", item.key),
    }
}
