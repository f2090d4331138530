//! Whether the person and the items that an item is to refer to exist.

use std::collections::HashSet;

use svc_domain::hierarchy;
use svc_domain::identity::{Member, ProjectMember};
use svc_domain::ids::{Actor, ActorId, ItemKey, OrgId, ProjectKey, UserId};
use svc_domain::item::Item;
use svc_domain::refusal::FieldErrors;
use svc_storage::{Condition, KeyOf, Op, RowOf, keys};

use super::gone::key_now;
use crate::App;
use crate::entry::Entry;
use crate::error::Result;

/// Most items above an item.
const MAX_DEPTH: usize = 20;

/// The rows that tell who a wanted assignee is: the memberships in the organization and in the project.
pub(super) type AssigneeKeys = (Option<KeyOf<Member>>, Option<KeyOf<ProjectMember>>);

/// What was found by [`AssigneeKeys`].
pub(super) type AssigneeRows = (Option<RowOf<Member>>, Option<RowOf<ProjectMember>>);

/// A wanted assignee, as sent: `@me` or the id of a person.
pub(super) enum Assignee {
    Me,
    User(UserId),
    /// Neither.
    Nobody,
}

impl Assignee {
    pub(super) fn parse(text: &str) -> Self {
        if text == "@me" {
            return Self::Me;
        }
        text.parse().map_or(Self::Nobody, Self::User)
    }

    /// The rows to load for it.
    pub(super) fn keys(&self, org: OrgId, project: &ProjectKey) -> AssigneeKeys {
        match self {
            Self::User(user) => {
                (Some(keys::member(org, *user)), Some(keys::project_member(org, project, *user)))
            }
            Self::Me | Self::Nobody => (None, None),
        }
    }

    /// The person, when it is one who sees the project. `rows` are those of [`Assignee::keys`].
    pub(super) fn find(
        &self,
        entry: &Entry,
        rows: &AssigneeRows,
        errors: &mut FieldErrors,
    ) -> Result<Option<Actor>> {
        match self {
            Self::Me if entry.actor().id.is_agent() => {
                errors.add("assignee", "Items can only be assigned to people. Agents claim them.");
                Ok(None)
            }
            Self::Me => Ok(Some(entry.actor().clone())),
            Self::User(_) => {
                let found = Self::who_sees(rows)?;
                if found.is_none() {
                    errors.add("assignee", "No person with this id can see the project.");
                }
                Ok(found)
            }
            Self::Nobody => {
                errors.add("assignee", "Give the id of a member, or @me.");
                Ok(None)
            }
        }
    }

    /// The person whose rows these are, when they see the project. `rows` are those of [`Assignee::keys`].
    pub(super) fn who_sees((member, in_project): &AssigneeRows) -> Result<Option<Actor>> {
        let member = member.as_ref().map(RowOf::read).transpose()?;
        let found = member.filter(|member| in_project.is_some() || member.role.administers());
        Ok(found.map(|member| Actor { id: ActorId::User(member.user), name: member.display_name }))
    }
}

/// A wanted parent, as sent. A key from before the item was moved to this project leads to it.
pub(super) async fn wanted_parent(
    app: &App,
    org: OrgId,
    text: Option<&str>,
    project: &ProjectKey,
    errors: &mut FieldErrors,
) -> Result<Option<ItemKey>> {
    let Some(text) = text else { return Ok(None) };
    let old = text.parse().ok().filter(|key: &ItemKey| key.project != *project);
    if let Some(old) = old
        && let Some(now) = key_now(app, org, &old).await?.filter(|now| now.project == *project)
    {
        return Ok(Some(now));
    }
    Ok(parse_parent(text, project, errors))
}

/// A wanted parent, when it can be an item of the project.
fn parse_parent(text: &str, project: &ProjectKey, errors: &mut FieldErrors) -> Option<ItemKey> {
    let key: Option<ItemKey> = text.parse().ok().filter(|key: &ItemKey| key.project == *project);
    if key.is_none() {
        errors.add("parent", format!("Give the key of an item of this project, such as {project}-12."));
    }
    key
}

/// What must hold when the commit is done so that `child` can belong to `parent`: that the parent exists, and
/// that no item above it changes, so that of two moves that would close a circle together one fails. The commit raises
/// the parent's counter of children, by which a move or deletion of the parent knows of the child ([`no_children`]).
pub(super) async fn parent_checks(
    app: &App,
    org: OrgId,
    child: &ItemKey,
    parent: &ItemKey,
    errors: &mut FieldErrors,
) -> Result<Vec<Op>> {
    let mut checks = Vec::new();
    let mut above = Some(parent.clone());
    let mut seen = HashSet::new();
    while let Some(key) = above {
        if key == *child {
            errors.add("parent", format!("{parent} is already below {child}."));
            return Ok(vec![]);
        }
        if checks.len() == MAX_DEPTH || !seen.insert(key.clone()) {
            errors.add("parent", format!("An item can have at most {MAX_DEPTH} levels of parents."));
            return Ok(vec![]);
        }
        let address = keys::item(org, &key);
        let Some(row) = app.table.get(&address).await? else {
            if key != *parent {
                // It was deleted meanwhile.
                break;
            }
            errors.add("parent", format!("There is no item {key}."));
            return Ok(vec![]);
        };
        checks.push(Op::check(address, Condition::Version(row.version)));
        let item: Item = row.read()?;
        if key == *parent && !hierarchy::may_hold(item.item_type) {
            errors.add("parent", format!("{parent} is a subtask, and a subtask cannot have children."));
            return Ok(vec![]);
        }
        above = item.parent;
    }
    checks.push(Op::add(keys::children(org, parent), "made", 1));
    Ok(checks)
}

/// That no item belongs to this one, which goes: what the commit must demand so that none comes meanwhile. `None` where
/// some do.
pub(super) async fn no_children(app: &App, org: OrgId, parent: &ItemKey) -> Result<Option<Op>> {
    let counter = keys::children(org, parent);
    let known = app.table.get(&counter).await?.map(|row| row.version);
    // The list is read after the counter: a child that is not in the list raises the counter later.
    let feed = app.feeds.fresh(app, org, &parent.project).await?;
    if !feed.read().children(parent).is_empty() {
        return Ok(None);
    }
    Ok(Some(match known {
        Some(version) => Op::delete(counter, Condition::Version(version)),
        None => Op::check(counter, Condition::Absent),
    }))
}
