//! One item under its new key, in the commit that takes it away at its old one.

use svc_domain::event::ItemEvent;
use svc_domain::ids::{Actor, ActorId, ItemKey, OrgId, ProjectKey};
use svc_domain::item::Item;
use svc_domain::transfer::{Along, Transfer};
use svc_domain::workflow::Workflow;
use svc_storage::{Op, keys};

use crate::App;
use crate::error::Result;
use crate::tracker::items::next_number;
use crate::tracker::relations::Assignee;
use crate::tracker::{ItemChange, milestones, sprints};
use crate::transaction::Transaction;
use crate::wanted;

/// An item as it leaves: as it was read, and the version of its row.
pub(super) type Leaving = (Item, u64);

/// Where items go, and for whom.
pub(super) struct Move<'a> {
    pub(super) org: OrgId,
    pub(super) by: &'a Actor,
    pub(super) project: &'a ProjectKey,
    /// The workflow that they leave, and the one that they come into.
    pub(super) workflows: (&'a Workflow, &'a Workflow),
    pub(super) along: Along,
}

impl Move<'_> {
    /// Takes an item away at its old key and writes it at its new one, below this parent; answers it as it is there.
    pub(super) async fn relocate(
        &self,
        app: &App,
        transaction: &mut Transaction,
        (item, row_version): &Leaving,
        parent: Option<ItemKey>,
    ) -> Result<Item> {
        let (org, from) = (self.org, &item.key);
        let assignee = self.assigned_there(app, item).await?;
        let left = left_behind(app, org, item).await?;
        // The number is drawn last, so that what is refused uses none.
        let to =
            ItemKey { project: self.project.clone(), number: next_number(app, org, self.project).await? };
        let (arrived, told) =
            item.transferred((to.clone(), parent), self.workflows, assignee, left, self.by, app.now());
        let mut gone = ItemChange::update(org, item.clone(), *row_version).into_deletion();
        gone.item.claim = None;
        // The revision goes on after the one that the old key ends with.
        let mut change = ItemChange::arrive(org, arrived, *row_version);
        // Written as older than the move: the history hides from who does not see the old project what it had there.
        told.into_iter().for_each(|event| change.tell(event));
        change.tell(ItemEvent::Transferred(from.clone(), to.clone()));
        transaction.save(gone);
        let arrived = transaction.save(change);
        let transfer = Transfer {
            from: from.clone(),
            to,
            by: self.by.clone(),
            at: transaction.at(),
            along: self.along,
            links: item.links.clone(),
            linked: item.item_links.iter().map(|link| link.item.clone()).collect(),
            complete: false,
        };
        transaction.write([Op::create(keys::transfer(org, from), &transfer)]);
        Ok(arrived)
    }

    /// The person that an item is assigned to, if they see the other project.
    async fn assigned_there(&self, app: &App, item: &Item) -> Result<Option<Actor>> {
        let Some(ActorId::User(user)) = item.assignee.as_ref().map(|actor| actor.id) else { return Ok(None) };
        let rows = wanted::load(app, Assignee::User(user).keys(self.org, self.project)).await?;
        Assignee::who_sees(&rows)
    }
}

/// Names of the sprint and the milestone that an item has, which stay in its project.
async fn left_behind(app: &App, org: OrgId, item: &Item) -> Result<(Option<String>, Option<String>)> {
    let project = &item.key.project;
    let sprint = match &item.sprint {
        Some(id) => Some(sprints::name_of(app, org, project, id).await?),
        None => None,
    };
    let milestone = match item.milestone {
        Some(id) => Some(milestones::name_of(app, org, project, id).await?),
        None => None,
    };
    Ok((sprint, milestone))
}
