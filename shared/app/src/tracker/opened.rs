//! An item as its page shows it: with what the caller may do, and the beginning of all that is around it.

use futures::try_join;
use svc_domain::access::Capability;
use svc_domain::ids::{Actor, ItemKey};
use svc_domain::workflow::State;
use svc_storage::keys;

use super::board::Can;
use super::comments::{self, SeenComment};
use super::history::{self, Line};
use super::item_links::{self, SeenLinks};
use super::list::{self, Listed, ListedItem, Rendered};
use super::load::{ItemDetails, Loaded, load, load_with};
use super::watchers;
use crate::App;
use crate::entry::Caller;
use crate::error::Result;
use crate::factory::runs::{self, RunView, Slice};

/// An item with the beginning of what is around it, each with how many there are.
pub struct OpenedItem {
    /// The item.
    pub details: ItemDetails,
    /// What the caller may do.
    pub can: Can,
    /// The states that it may move to.
    pub moves: Vec<State>,
    /// Its links with other items.
    pub links: SeenLinks,
    /// Its discussion.
    pub comments: (Vec<SeenComment>, u64),
    /// What happened to it.
    pub history: (Vec<Line>, u64),
    /// Its runs.
    pub runs: (Vec<RunView>, u64),
    /// The items that belong to it.
    pub subtasks: Listed,
    /// Who watches it.
    pub watchers: Vec<Actor>,
}

/// How much of what is around an item is shown.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// Comments.
    pub comments: usize,
    /// Lines of its history.
    pub history: usize,
    /// Runs.
    pub runs: usize,
    /// Subtasks.
    pub subtasks: u32,
}

/// An item with what is around it: the caller enters once, and what is around is read at the same time. `render` makes
/// of each subtask what the API shows.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::NotFound`].
pub async fn open(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    parts: Parts,
    render: impl Fn(ListedItem<'_>) -> Rendered,
) -> Result<OpenedItem> {
    let wanted = |org| keys::outline(org, key);
    let (loaded, outline) = load_with(app, caller, key, Capability::SeeProject, wanted).await?;
    let Loaded { entry, item, workflow, .. } = &loaded;
    let last_runs = Slice { offset: 0, limit: parts.runs };
    let (links, comments, history, runs, subtasks, watchers) = try_join!(
        item_links::seen(app, entry, item),
        comments::of_item(app, entry, item, outline, (0, parts.comments)),
        history::of_item(app, entry, key, (0, parts.history)),
        runs::seen_of_item(app, entry, key, last_runs),
        list::children_of(app, entry, workflow, key, (1, parts.subtasks), render),
        watchers::of_item(app, entry, key),
    )?;
    let can = of_item(&loaded);
    let moves = if can.transition { moves(&loaded) } else { Vec::new() };
    let details = loaded.unchanged(app);
    Ok(OpenedItem { details, can, moves, links, comments, history, runs, subtasks, watchers })
}

/// An item without what else its page shows, and what the caller may do with it.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::NotFound`].
pub async fn view(app: &App, caller: Caller<'_>, key: &ItemKey) -> Result<(ItemDetails, Can)> {
    let loaded = load(app, caller, key, Capability::SeeProject).await?;
    let can = of_item(&loaded);
    Ok((loaded.unchanged(app), can))
}

/// What the caller may do with an item.
fn of_item(loaded: &Loaded) -> Can {
    let (access, item) = (&loaded.entry.access, &loaded.item);
    let reached = access.require_reach(&item.key, item.parent.as_ref()).is_ok();
    let may = Can::of(access);
    Can {
        edit: may.edit && reached,
        comment: may.comment && reached,
        delete: item.may_be_deleted(access),
        ..may
    }
}

/// The states that an item may move to. Agents move no items: their run does when it ends.
fn moves(loaded: &Loaded) -> Vec<State> {
    let from = loaded.item.state.as_str();
    let other = |state: &&State| !state.name.eq_ignore_ascii_case(from);
    let permitted = |state: &&State| loaded.workflow.transition(from, &state.name).is_ok();
    loaded.workflow.states.iter().filter(other).filter(permitted).cloned().collect()
}
