//! An item as its page shows it: with what the caller may do.

use svc_domain::access::Capability;
use svc_domain::ids::ItemKey;
use svc_domain::workflow::State;

use super::board::Can;
use super::item_links::{self, SeenLinks};
use super::load::{ItemDetails, load};
use crate::App;
use crate::entry::Caller;
use crate::error::Result;

/// An item, and what the caller may do with it.
#[derive(Clone, Debug)]
pub struct OpenedItem {
    /// The item.
    pub details: ItemDetails,
    /// What the caller may do.
    pub can: Can,
    /// The states that it may move to.
    pub moves: Vec<State>,
    /// Its links with other items.
    pub links: SeenLinks,
}

/// An item, and what the caller may do with it.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::NotFound`].
pub async fn open(app: &App, caller: Caller<'_>, key: &ItemKey) -> Result<OpenedItem> {
    let loaded = load(app, caller, key, Capability::SeeProject, |_| vec![]).await?;
    let access = &loaded.entry.access;
    let reached = access.require_reach(key, loaded.item.parent.as_ref()).is_ok();
    let may = Can::of(access);
    let can = Can {
        edit: may.edit && reached,
        comment: may.comment && reached,
        delete: loaded.item.may_be_deleted(access),
        ..may
    };
    let from = loaded.item.state.as_str();
    let other = |state: &&State| !state.name.eq_ignore_ascii_case(from);
    let permitted = |state: &&State| loaded.workflow.transition(from, &state.name).is_ok();
    // Agents move no items: their run does when it ends.
    let moves = if can.transition {
        loaded.workflow.states.iter().filter(other).filter(permitted).cloned().collect()
    } else {
        Vec::new()
    };
    let links = item_links::seen(app, &loaded.entry, &loaded.item).await?;
    Ok(OpenedItem { can, moves, links, details: loaded.unchanged(app) })
}
