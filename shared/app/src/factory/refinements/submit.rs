//! The agent of a refine run hands in its result.

use svc_domain::access::{Capability, Standing};
use svc_domain::ids::ItemKey;
use svc_domain::item::Item;
use svc_domain::refinement::Submission;
use svc_domain::refinement::machine::{Event, step};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_storage::keys;

use super::{Read, RefinementView, write};
use crate::App;
use crate::entry::{Caller, enter_project_with};
use crate::error::Result;
use crate::tracker::gone::item_row;
use crate::transaction::Transaction;

/// Hands in what the run of the caller's token made. The last submission of a run counts.
///
/// # Errors
/// [`Refusal::Forbidden`] for people; [`Refusal::Conflict`] for a run that does not refine the item;
/// [`Refusal::Invalid`] for what could not be confirmed.
pub async fn submit(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    submission: &Submission,
) -> Result<RefinementView> {
    app.decide(|| async {
        let wanted = |org| (keys::item(org, key), keys::refinement(org, key));
        let (entry, (row, refinement)) =
            enter_project_with(app, caller, &key.project, Capability::Work, wanted).await?;
        let item: Item = item_row(app, &entry, row, key).await?.read()?;
        let Standing::Agent { run, .. } = entry.access.standing else {
            return Err(Refusal::Forbidden("only the agent of a refine run can hand in its result").into());
        };
        entry.access.require_reach(key, item.parent.as_ref())?;
        let submission = submission.clone().checked()?;
        fits(&item, &submission)?;
        let not_refined = Refusal::Conflict("this run does not refine the item");
        let read = Read::of(refinement.as_ref())?.ok_or(not_refined)?;
        let event = Event::Submit(run, submission);
        let (next, _) = step(Some(&read.refinement), key, event, app.now())?;
        let mut transaction = Transaction::of(app, &entry);
        let version = write(&mut transaction, entry.org_id(), Some(&read), &next);
        app.commit(transaction).await?;
        Ok(RefinementView { refinement: next, version, item_version: item.revision })
    })
    .await
}

/// Whether the proposal could be confirmed, told in the fields of the submission.
fn fits(item: &Item, submission: &Submission) -> Result<(), FieldErrors> {
    let Some(proposal) = &submission.proposal else { return Ok(()) };
    let Err(wrong) = item.clone().edit(proposal.edit(), &item.created_by) else { return Ok(()) };
    let mut errors = FieldErrors::default();
    for (field, told) in wrong.0 {
        let field = if field == "body" { "description" } else { &field };
        for told in told {
            errors.add(&format!("proposal.{field}"), told);
        }
    }
    Err(errors)
}
