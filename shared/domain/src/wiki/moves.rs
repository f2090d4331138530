//! What may move where in a wiki: a page goes with all that is below it, and each keeps what it says of its
//! readers and editors (specification section 2.5).
//!
//! Reads no store: it is given every page of the project.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::access::{PageAccess, require_edit};
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
/// [`Refusal::AlreadyExists`] where there are pages already, [`Refusal::NotFound`] where the caller sees none
/// of them; [`Refusal::Conflict`] for a playbook's page; what editing refuses at the new path.
pub fn admit(caller: &Access, page: &Page, to: &PagePath, wiki: &Wiki) -> Result<(), Refusal> {
    let Wiki { pages, seen, playbooks } = wiki;
    if to.is_below(&page.path) {
        return Err(Refusal::invalid("to", "A page is not moved below itself."));
    }
    let chain = to.chain();
    let above: Vec<&PageAccess> = chain
        .iter()
        .filter_map(|path| pages.iter().find(|page| page.path.folded() == path.folded()))
        .map(|page| &page.access)
        .collect();
    require_edit(caller, to, above.into_iter().chain([&page.access]))?;
    let renamed = to.folded() == page.path.folded();
    let mut taken =
        pages.iter().filter(|at| at.path.folded() == to.folded() || at.path.is_below(to)).peekable();
    if !renamed && taken.peek().is_some() {
        let known = taken.any(|page| seen.contains(&page.id));
        return Err(if known {
            Refusal::AlreadyExists("a page at this path, or below it,")
        } else {
            Refusal::NotFound
        });
    }
    let below = pages.iter().filter(|other| other.path.is_below(&page.path));
    for moves in below.chain([page]) {
        if playbooks.contains(&moves.id) {
            let why =
                "a playbook keeps its instructions on this page or on one below it, which stays where it is";
            return Err(Refusal::Conflict(why));
        }
        moves.path.moved(&page.path, to).map_err(|error| Refusal::invalid("to", error.to_string()))?;
    }
    Ok(())
}
