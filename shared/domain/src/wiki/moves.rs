//! What may move where in a wiki: a page goes with all that is below it, and each keeps what it says of its
//! readers and editors (specification section 2.5).
//!
//! Reads no store: it is given every page of the project.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::access::require_edit;
use super::audience::PageAccess;
use super::{Page, PagePath};
use crate::access::Access;
use crate::ids::PageId;
use crate::refusal::Refusal;

/// State of a wiki's tree: what it is in the middle of. A wiki without a row of it is in the middle of nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tree {
    /// What was decided to be elsewhere, and is not yet in whole.
    #[serde(default)]
    pub moving: Option<Moving>,
}

/// All that is below one path belongs below another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Moving {
    /// Where it was.
    pub from: PagePath,
    /// Where it belongs.
    pub to: PagePath,
}

/// Where the page at a path, and those below it, were moved to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Moved {
    /// The path that took its place.
    pub to: PagePath,
}

/// A whole wiki, as somebody wants to change its tree.
#[derive(Clone, Debug)]
pub struct Wiki {
    /// Every page.
    pub pages: Vec<Page>,
    /// Those that the caller sees.
    pub seen: HashSet<PageId>,
    /// Those that hold the instructions of playbooks now.
    pub playbooks: HashSet<PageId>,
}

/// Decides whether a page may move, with all that is below it.
///
/// # Errors
/// [`Refusal::Invalid`] for a path below the page itself, or one that makes the path of a page below too long;
/// [`Refusal::AlreadyExists`] where a page that moves would come to where there is one, [`Refusal::NotFound`] where
/// the caller does not see that one. A free path may have pages below it; [`Refusal::Conflict`] for a playbook's page; what editing refuses at the new path.
pub fn admit(caller: &Access, page: &Page, to: &PagePath, wiki: &Wiki) -> Result<(), Refusal> {
    let Wiki { pages, seen, playbooks } = wiki;
    if to.is_below(&page.path) {
        return Err(Refusal::invalid("to", "A page cannot be moved below itself."));
    }
    let at: HashMap<String, PageId> = pages.iter().map(|page| (page.path.folded(), page.id)).collect();
    let chain = to.chain();
    let above: Vec<&PageAccess> = chain
        .iter()
        .filter_map(|path| pages.iter().find(|page| page.path.folded() == path.folded()))
        .map(|page| &page.access)
        .collect();
    require_edit(caller, to, above.into_iter().chain([&page.access]))?;
    let renamed = to.folded() == page.path.folded();
    let below = pages.iter().filter(|other| other.path.is_below(&page.path));
    for moves in below.chain([page]) {
        if playbooks.contains(&moves.id) {
            let why = "this page or one below it holds a playbook's instructions and cannot move";
            return Err(Refusal::Conflict(why));
        }
        let goes = moves.path.moved(&page.path, to);
        let goes = goes.map_err(|error| Refusal::invalid("to", error.to_string()))?;
        if !renamed {
            require_free(page, &goes, &at, seen)?;
        }
    }
    Ok(())
}

/// Refuses a path that a page would come to where there is one, or where its own pages were: what left and what
/// came would be one.
fn require_free(
    page: &Page,
    goes: &PagePath,
    at: &HashMap<String, PageId>,
    seen: &HashSet<PageId>,
) -> Result<(), Refusal> {
    if goes.folded() == page.path.folded() || goes.is_below(&page.path) {
        let why = "A page below it would move to its current path. Move that page away first.";
        return Err(Refusal::invalid("to", why));
    }
    match at.get(&goes.folded()) {
        None => Ok(()),
        Some(there) if seen.contains(there) => {
            Err(Refusal::AlreadyExists("a page at this path, or at that of a page below it,"))
        }
        Some(_) => Err(Refusal::NotFound),
    }
}
