//! Deleting a playbook, and restoring it.
//!
//! Deleting marks the playbook's row, frees its name and deletes the page of its instructions, in one commit. What names
//! the playbook (runs, rules, schedules, settings) goes on naming it, and says that it was deleted when it would start
//! something. Queued and live runs go on with the instructions that they were queued with. Restoring takes all that back.

use svc_domain::access::Capability;
use svc_domain::deletion::Deletion;
use svc_domain::event::FactoryEvent;
use svc_domain::ids::{PlaybookId, ProjectKey};
use svc_domain::playbook::Playbook;
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Op, RowOf, keys};

use super::{PlaybookView, named, naming_states, path_of, view_as};
use crate::App;
use crate::entry::{Caller, enter_project_with};
use crate::error::Result;
use crate::factory::naming;
use crate::transaction::Transaction;
use crate::wiki;

/// Deletes a playbook, which can be restored for a while. Doing it again changes nothing.
///
/// # Errors
/// [`Refusal::NotFound`]; [`Refusal::Conflict`] while there are pages below the one of its instructions; what
/// [`Capability::ConfigureProject`] refuses.
pub async fn delete(app: &App, caller: Caller<'_>, project: &ProjectKey, id: PlaybookId) -> Result<()> {
    app.decide(|| async {
        let wanted = |org| keys::playbook(org, project, id);
        let (entry, row) =
            enter_project_with(app, caller, project, Capability::ConfigureProject, wanted).await?;
        let row = row.ok_or(Refusal::NotFound)?;
        let mut playbook: Playbook = row.read()?;
        if !playbook.is_there() {
            return Ok(());
        }
        let org = entry.org_id();
        let mut transaction = Transaction::of(app, &entry);
        if let Some(page) = wiki::current(app, org, project, &path_of(&playbook)?).await? {
            wiki::delete_page(app, &mut transaction, &entry, project, &page).await?;
        }
        playbook.deleted = Some(Deletion { by: entry.actor().clone(), at: transaction.at() });
        let name = keys::project_name(org, project, "playbook", &playbook.name);
        transaction.write([row.replaced_by(&playbook), Op::delete(name, Condition::None)]);
        app.commit(transaction.telling(FactoryEvent::PlaybookDeleted(named(project, &playbook)))).await
    })
    .await
}

/// Restores a deleted playbook with its page. States that are gone meanwhile it names no more. One that is there stays as
/// it is.
///
/// # Errors
/// [`Refusal::TakenMeanwhile`] where another playbook has its name by now, or another page its page's place;
/// [`Refusal::Deleted`] when it is too late; [`Refusal::NotFound`]; what [`Capability::ConfigureProject`] refuses.
pub async fn restore(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    id: PlaybookId,
) -> Result<PlaybookView> {
    app.decide(|| restore_once(app, caller, project, id)).await?;
    view_as(app, caller, project, id, Capability::ConfigureProject).await
}

async fn restore_once(app: &App, caller: Caller<'_>, project: &ProjectKey, id: PlaybookId) -> Result<()> {
    let wanted = |org| (keys::workflow(org, project), keys::playbook(org, project, id));
    let (entry, (workflow, row)) =
        enter_project_with(app, caller, project, Capability::ConfigureProject, wanted).await?;
    let (org, row) = (entry.org_id(), row.ok_or(Refusal::NotFound)?);
    let playbook: Playbook = row.read()?;
    match &playbook.deleted {
        None => return Ok(()),
        Some(deletion) if deletion.can_be_undone(app.now()) => {}
        Some(_) => playbook.require_there(app.now())?,
    }
    let unique = keys::project_name(org, project, "playbook", &playbook.name);
    // Before its page: that of the other playbook lies where its own was.
    if app.table.get(&unique).await?.is_some() {
        return Err(Refusal::TakenMeanwhile { by: "another playbook", what: "name" }.into());
    }
    let mut transaction = Transaction::of(app, &entry);
    wiki::undelete_page(app, &mut transaction, &entry, project, playbook.page).await?;
    let playbook = playbook.restored(&RowOf::or_default(workflow.as_ref())?);
    transaction.write([row.replaced_by(&playbook), Op::create(unique.clone(), &id)]);
    transaction.write(naming_states(org, project, workflow.as_deref()));
    transaction.tell(FactoryEvent::PlaybookRestored(named(project, &playbook)));
    app.commit(transaction).await.map_err(|error| naming::taken_meanwhile(error, &unique, "another playbook"))
}
