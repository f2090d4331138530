//! Links between items of an organization, also of different projects.
//!
//! Protocol.
//! 1. A link is in the rows of both items. One commit writes both, in the versions that were read: of two requests about
//!    the same items at the same moment, the later one decides again.
//! 2. Nothing waits for itself. A use case that adds a link by which one item blocks another reads the organization's counter of
//!    such links first and then whatever blocks the blocking item, however far ([`circles`]). The commit raises the
//!    counter in the version that was read. So of two links that would close a circle together, the later one is decided
//!    again, and refused.
//! 3. An item's row says whether an item that blocks it is open. The commit of a link says so at once. Whatever else opens
//!    or closes an item sends a message, and its worker notes it in what the item blocks ([`blockers`]), in a commit that
//!    demands every blocking item as it was read.
//!
//! 4. An item that moves to another project takes its links along. Until the move is complete, either end may name the
//!    other by the key that it had; whatever reads or changes links asks for the key that it has now ([`ends`]). In the
//!    end the move makes both ends agree, in one commit.
//!
//! A deleted item blocks nothing, and its links are hidden until it comes back; with the last of it they go, too.
//!
//! Nobody learns of items in projects that they do not see but how many links there are with them. Whoever works on an
//! item may take those away together ([`remove_hidden`]): it would be blocked, or full of links, and they not know why.

mod blockers;
mod circles;
mod ends;

pub use blockers::{note_blockers, note_blockers_of_states};
pub(crate) use blockers::{note_in, open_blockers};
pub(crate) use ends::agree;

use std::collections::BTreeMap;
use std::convert::identity;

use svc_domain::access::Capability;
use svc_domain::event::ItemEvent;
use svc_domain::ids::{ItemKey, OrgId};
use svc_domain::item::{Item, ItemType};
use svc_domain::item_link::{ItemLink, LinkKind};
use svc_domain::linking::circle;
use svc_domain::refusal::Refusal;
use svc_domain::workflow::StateGroup;
use svc_storage::{Condition, Op, Row, keys};

use self::blockers::Other;
use self::ends::End;
use super::ItemChange;
use super::gone::key_now;
use super::load::{ItemDetails, Loaded, load, load_with};
use crate::App;
use crate::entry::{Caller, Entry};
use crate::error::{Error, Result};
use crate::transaction::Transaction;
use crate::visible_projects::visible_projects;

/// The other item of a link, as the caller sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenLink {
    /// What the item is to it.
    pub kind: LinkKind,
    /// Its key.
    pub item: ItemKey,
    /// Its kind of work.
    pub item_type: ItemType,
    /// Its title.
    pub title: String,
    /// Its state.
    pub state: String,
    /// Group of that.
    pub state_group: StateGroup,
}

/// The links of an item with others, as far as the caller sees them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenLinks {
    /// Those with items that the caller sees, by kind and key.
    pub links: Vec<SeenLink>,
    /// How many there are with items of projects that the caller does not see.
    pub hidden: usize,
}

/// An item and its links with others.
///
/// # Errors
/// [`Refusal::NotFound`].
pub async fn list(app: &App, caller: Caller<'_>, key: &ItemKey) -> Result<(ItemDetails, SeenLinks)> {
    let loaded = load(app, caller, key, Capability::SeeProject).await?;
    let links = seen(app, &loaded.entry, &loaded.item).await?;
    Ok((loaded.unchanged(app), links))
}

/// The links of an item that who entered its project sees.
pub(crate) async fn seen(app: &App, entry: &Entry, item: &Item) -> Result<SeenLinks> {
    if item.item_links.is_empty() {
        return Ok(SeenLinks::default());
    }
    let others = item.item_links.iter().map(|link| link.item.clone()).collect();
    let others = blockers::read(app, entry.org_id(), others).await?;
    let (links, hidden) = by_sight(app, entry, item, &others).await?;
    let show = |link: &ItemLink| {
        let Other { item, group: state_group, .. } = others.get(&link.item)?.clone();
        let (title, state) = (item.title, item.state);
        Some(SeenLink {
            kind: link.kind,
            item: item.key,
            item_type: item.item_type,
            title,
            state,
            state_group,
        })
    };
    let mut links: Vec<SeenLink> = links.into_iter().filter_map(show).collect();
    links.sort_by(|a, b| (a.kind, &a.item).cmp(&(b.kind, &b.item)));
    links.dedup();
    Ok(SeenLinks { links, hidden: hidden.len() })
}

/// The links of an item with items of projects that who entered sees, and those with others. A project is the one that
/// the other item is in now.
async fn by_sight<'a>(
    app: &App,
    entry: &Entry,
    item: &'a Item,
    others: &BTreeMap<ItemKey, Other>,
) -> Result<(Vec<&'a ItemLink>, Vec<&'a ItemLink>)> {
    let project =
        |link: &ItemLink| others.get(&link.item).map_or(&link.item, |other| &other.item.key).project.clone();
    let visible = visible_projects(app, &entry.access, item.item_links.iter().map(project).collect()).await?;
    Ok(item.item_links.iter().partition(|link| visible.contains_key(&project(link))))
}

/// Links two items. Linking them again in the same way changes nothing.
///
/// # Errors
/// [`Refusal::NotFound`] and [`Refusal::Forbidden`] for either; [`Refusal::Invalid`] for an other item that there is not,
/// one link too many, and a circle.
pub async fn add(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    kind: LinkKind,
    other: &ItemKey,
) -> Result<ItemDetails> {
    add_as(app, caller, key, (kind, other), identity).await
}

/// The same, as it is brought in from elsewhere.
pub(super) async fn bring(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    kind: LinkKind,
    other: &ItemKey,
) -> Result<ItemDetails> {
    add_as(app, caller, key, (kind, other), ItemChange::brought_in).await
}

async fn add_as(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    link: (LinkKind, &ItemKey),
    how: fn(ItemChange) -> ItemChange,
) -> Result<ItemDetails> {
    let turn = app.row_locks.of_links(caller.org);
    let _turn = if blocks(link.0) { Some(turn.lock().await) } else { None };
    app.decide(|| add_once(app, caller, key, link, how)).await
}

const fn blocks(kind: LinkKind) -> bool {
    matches!(kind, LinkKind::Blocks | LinkKind::BlockedBy)
}

async fn add_once(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    (kind, other): (LinkKind, &ItemKey),
    how: fn(ItemChange) -> ItemChange,
) -> Result<ItemDetails> {
    let (loaded, links) = load_with(app, caller, key, Capability::Work, keys::block_links).await?;
    let far = load(app, caller, other, Capability::Work).await.map_err(|e| named(e, other))?;
    if loaded.item.is_linked(kind, other) && far.item.is_linked(kind.inverse(), key) {
        return Ok(loaded.unchanged(app));
    }
    loaded.item.admit_link(kind, &far.item)?;
    let org = loaded.entry.org_id();
    let mut checks = Vec::new();
    if blocks(kind) {
        checks.push(one_more(org, links.as_ref()));
        let blocks = kind == LinkKind::Blocks;
        let (blocker, blocked) = if blocks { (&loaded.item, other) } else { (&far.item, key) };
        if circles::waits_for(app, org, blocker, blocked).await? {
            return Err(circle(&blocker.key, blocked).into());
        }
    }
    write_both(app, &loaded, (far.change(), how), kind, checks, |change, link| {
        change.item.add_link(link.kind, &link.item);
        change.tell(ItemEvent::Linked(change.item.key.clone(), link));
    })
    .await
}

/// Takes a link away. One that is not there changes nothing.
///
/// # Errors
/// [`Refusal::NotFound`] and [`Refusal::Forbidden`] for the item.
pub async fn remove(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    kind: LinkKind,
    other: &ItemKey,
) -> Result<ItemDetails> {
    app.decide(|| remove_once(app, caller, key, kind, other)).await
}

async fn remove_once(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    kind: LinkKind,
    other: &ItemKey,
) -> Result<ItemDetails> {
    let loaded = load(app, caller, key, Capability::Work).await?;
    let now = key_now(app, loaded.entry.org_id(), other).await?;
    let other = now.as_ref().unwrap_or(other);
    if !ends::is_linked(app, &loaded, kind, other).await? {
        return Ok(loaded.unchanged(app));
    }
    // Whoever works on one of the items ends the link, also where the other's project is archived. An agent changes no
    // items but its own.
    let may = if loaded.entry.access.is_agent() { Capability::Work } else { Capability::SeeProject };
    let far = match load(app, caller, other, may).await {
        Err(Error::Refused(
            Refusal::NotFound | Refusal::ItemDeleted { .. } | Refusal::ItemTransferred { .. },
        )) => {
            return Ok(loaded.unchanged(app));
        }
        far => far?,
    };
    write_both(app, &loaded, (far.change(), identity), kind, Vec::new(), unlink).await
}

/// Takes away the links of an item with items of projects that the caller does not see.
///
/// # Errors
/// [`Refusal::NotFound`] and [`Refusal::Forbidden`].
pub async fn remove_hidden(app: &App, caller: Caller<'_>, key: &ItemKey) -> Result<ItemDetails> {
    let loaded = load(app, caller, key, Capability::Work).await?;
    let others = loaded.item.item_links.iter().map(|link| link.item.clone()).collect();
    let others = blockers::read(app, loaded.entry.org_id(), others).await?;
    let (_, hidden) = by_sight(app, &loaded.entry, &loaded.item, &others).await?;
    let hidden: Vec<ItemLink> = hidden.into_iter().cloned().collect();
    let mut item = loaded.unchanged(app);
    for link in hidden {
        item = app.decide(|| remove_one_hidden(app, caller, key, &link)).await?;
    }
    Ok(item)
}

async fn remove_one_hidden(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    link: &ItemLink,
) -> Result<ItemDetails> {
    let loaded = load(app, caller, key, Capability::Work).await?;
    if !loaded.item.is_linked(link.kind, &link.item) {
        return Ok(loaded.unchanged(app));
    }
    let org = loaded.entry.org_id();
    let far = match ends::find(app, org, &link.item).await? {
        Some(End::Here { change, .. }) => {
            return write_both(app, &loaded, (*change, identity), link.kind, Vec::new(), unlink).await;
        }
        far => far,
    };
    let mut near = loaded.change();
    unlink(&mut near, link.clone());
    let mut transaction = Transaction::of(app, &loaded.entry);
    let item = transaction.save(near);
    if let Some(mut deleted) = far {
        deleted.forget(app, org, link.kind.inverse(), key).await?;
        deleted.write(org, &mut transaction);
    }
    app.commit(transaction).await?;
    Ok(ItemDetails::of(app, item, &loaded.workflow))
}

fn unlink(change: &mut ItemChange, link: ItemLink) {
    change.item.remove_link(link.kind, &link.item);
    change.tell(ItemEvent::Unlinked(change.item.key.clone(), link));
}

/// Takes the links of an item that can be brought back no more from the items at their other ends. Doing it again is
/// harmless.
pub(crate) async fn forget(app: &App, org: OrgId, item: &Item) -> Result<()> {
    for link in &item.item_links {
        app.decide(|| forget_one(app, org, &item.key, link)).await?;
    }
    Ok(())
}

async fn forget_one(app: &App, org: OrgId, gone: &ItemKey, link: &ItemLink) -> Result<()> {
    let Some(mut other) = ends::find(app, org, &link.item).await? else { return Ok(()) };
    // Nobody has seen the link since the item was deleted.
    other.forget(app, org, link.kind.inverse(), gone).await?;
    let mut transaction = Transaction::by_itself(app, org);
    other.write(org, &mut transaction);
    app.commit(transaction).await
}

/// Changes the link at both items in one commit, which demands the checks.
async fn write_both(
    app: &App,
    loaded: &Loaded,
    (mut distant, how): (ItemChange, fn(ItemChange) -> ItemChange),
    kind: LinkKind,
    mut checks: Vec<Op>,
    edit: impl Fn(&mut ItemChange, ItemLink),
) -> Result<ItemDetails> {
    let (org, mut near) = (loaded.entry.org_id(), loaded.change());
    for item in [&mut near.item, &mut distant.item] {
        ends::name_anew(app, org, item).await?;
    }
    edit(&mut near, ItemLink { kind, item: distant.item.key.clone() });
    edit(&mut distant, ItemLink { kind: kind.inverse(), item: loaded.item.key.clone() });
    checks.extend(note_open_blockers(app, org, kind, &mut near, &mut distant).await?);
    let mut transaction = Transaction::of(app, &loaded.entry);
    let item = transaction.save(how(near));
    transaction.save(how(distant));
    app.commit(transaction.with(checks)).await?;
    Ok(ItemDetails::of(app, item, &loaded.workflow))
}

/// Notes in the one that waits, of two changed items, whether an item that blocks it is open; answers what must hold for
/// that besides the two.
async fn note_open_blockers(
    app: &App,
    org: OrgId,
    kind: LinkKind,
    near: &mut ItemChange,
    distant: &mut ItemChange,
) -> Result<Vec<Op>> {
    let (blocker, blocked) = match kind {
        LinkKind::Blocks => (near, distant),
        LinkKind::BlockedBy => (distant, near),
        LinkKind::Relates | LinkKind::Duplicates | LinkKind::DuplicatedBy => return Ok(Vec::new()),
    };
    let (open, mut checks) = blockers::open(app, org, &blocked.item).await?;
    if let Some(field) = blocked.item.note_blockers(!open.is_empty()) {
        blocked.tell(ItemEvent::Changed(blocked.item.key.clone(), field));
    }
    // The commit writes this one, in the version that was read.
    let written = keys::item(org, &blocker.item.key);
    checks.retain(|check| check.key != written);
    Ok(checks)
}

/// Raises the counter of links by which items block others, if it is as it was read.
fn one_more(org: OrgId, read: Option<&Row>) -> Op {
    let condition = read.map_or(Condition::Absent, |row| Condition::Version(row.version));
    Op { condition, ..Op::add(keys::block_links(org), "made", 1) }
}

/// What is wrong with the other item, where it is not the address that is wrong.
fn named(error: Error, other: &ItemKey) -> Error {
    match error {
        Error::Refused(Refusal::NotFound | Refusal::ItemDeleted { .. }) => {
            Refusal::invalid("item", format!("There is no item {other} that you can see.")).into()
        }
        Error::Refused(Refusal::ItemTransferred { to, .. }) => {
            Refusal::invalid("item", format!("{other} was moved to another project and is now {to}.")).into()
        }
        error => error,
    }
}
