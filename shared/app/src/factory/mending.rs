//! Follow-ups that pull requests ask for: a check failed, or a review requested changes.
//!
//! Protocol.
//! 1. What asks is recorded with the item's link ([`super::deliveries`]), and a message is sent; so is one at the end of
//!    every run of the item and when somebody releases it, the same as for mentions.
//! 2. The worker takes the item's oldest follow-up that waits. Where the pull request is merged or closed, or the
//!    branch has newer commits than those that failed, it is dropped with that reason.
//! 3. Otherwise one commit queues the run and records it with the link. The run has the playbook and the agent of the
//!    run that worked on the pull request, and acts with the rights that the person who asked for that one has now.
//! 4. While a run or a person holds the item, it waits.

use jiff::SignedDuration;
use svc_domain::access::Capability;
use svc_domain::event::Via;
use svc_domain::ids::{ActorId, ItemKey, OrgId};
use svc_domain::item::Item;
use svc_domain::pull_request::{FollowUpRequest, HostRequest, PullRequest, RequestState};
use svc_domain::refusal::Refusal;
use svc_domain::run::follow_up::of_pull_request;
use svc_storage::{Row, keys};

use super::dispatch::{LOOKED_BACK, NO_WORK, Order, commit_planned, plan, rows_of};
use super::draft::RunSelection;
use super::item_queue::{Next, POLL, one_by_one, stale_at};
use super::runs;
use crate::App;
use crate::entry::enter_as_with;
use crate::error::{Error, Result};
use crate::tracker::ItemChange;
use crate::transaction::Transaction;

/// Starts the follow-up that a pull request of the item asks for, as soon as the item is free. Answers when to look
/// again, if ever.
///
/// # Errors
/// Those of storage: the message comes again.
pub async fn mend(app: &App, org: OrgId, key: &ItemKey) -> Result<Option<SignedDuration>> {
    one_by_one(app, || mend_next(app, org, key)).await
}

async fn mend_next(app: &App, org: OrgId, key: &ItemKey) -> Result<Next> {
    let Some(row) = app.table.find(&keys::item(org, key)).await? else { return Ok(Next::Nothing) };
    let item: Item = row.read()?;
    let Some((asks, request)) = oldest(&item) else { return Ok(Next::Nothing) };
    // Its end tells.
    if item.live_run.is_some() {
        return Ok(Next::Nothing);
    }
    if let Some(why) = asks.outdated(request) {
        return drop_it(app, org, &row, &asks.url, why.to_owned()).await;
    }
    match start(app, org, key, asks, request).await {
        Ok(true) => Ok(Next::Nothing),
        Ok(false) => Ok(Next::Another),
        Err(Error::Refused(Refusal::LiveRunExists { .. })) => Ok(Next::Nothing),
        Err(Error::Refused(Refusal::ItemClaimed { .. })) => {
            Ok(Next::LookAgain(stale_at(app, org, key).await?))
        }
        Err(Error::Refused(Refusal::ReadOnlyOrganization)) => {
            Ok(app.now().checked_add(POLL).map_or(Next::Nothing, Next::LookAgain))
        }
        Err(Error::Refused(refusal)) => {
            let why = refusal.why_no_run("asked for the pull request's run");
            drop_it(app, org, &row, &asks.url, why).await
        }
        Err(error) => Err(error),
    }
}

fn oldest(item: &Item) -> Option<(&PullRequest, &FollowUpRequest)> {
    let waiting = item.pull_requests.iter().filter_map(|known| Some((known, known.waiting()?)));
    waiting.min_by_key(|(_, request)| request.at)
}

/// Queues the run and records it; answers false where the request changed meanwhile.
async fn start(
    app: &App,
    org: OrgId,
    key: &ItemKey,
    asks: &PullRequest,
    request: &FollowUpRequest,
) -> Result<bool> {
    let earlier = runs::newest(app, org, &runs::of_item(app, org, key).await?, LOOKED_BACK).await?;
    let before = of_pull_request(&earlier, &asks.url, asks.branch.as_deref()).ok_or(NO_WORK)?;
    let ActorId::User(user) = before.requested_by.id else { return Err(Refusal::FactoryNotPermitted.into()) };
    let RequestState::Waiting { text } = &request.state else { return Ok(false) };
    let (entry, rows) = enter_as_with(app, org, user, &key.project, |org| rows_of(org, key)).await?;
    entry.access.require(Capability::OperateFactory)?;
    let (playbook, agent) = (before.playbook.id.to_string(), before.agent.id.to_string());
    let mends = HostRequest {
        url: asks.url.clone(),
        cause: request.cause,
        head: request.head.clone(),
        text: text.clone(),
    };
    let selection =
        RunSelection { playbook: Some(&playbook), agent: Some(&agent), ..RunSelection::default() };
    let order = Order { item: key, selection, scheduled_for: None, asked: None, mends: Some(&mends) };
    let mut planned = plan(app, &entry, rows, &order).await?;
    let run = planned.run.id;
    let known = planned.item.item.pull_requests.iter_mut().find(|known| known.url == asks.url);
    let waiting = known.and_then(PullRequest::waiting_mut).filter(|waiting| **waiting == *request);
    let Some(waiting) = waiting else { return Ok(false) };
    waiting.state = RequestState::Started { run };
    planned.via = Some(Via::itself("a request of the code host"));
    let prompt = planned.prompt(app, entry.org_id()).await?;
    commit_planned(app, &entry, planned, &prompt, []).await?;
    Ok(true)
}

/// Records why no run starts.
async fn drop_it(app: &App, org: OrgId, row: &Row, url: &str, reason: String) -> Result<Next> {
    let mut change = ItemChange::update(org, row.read()?, row.version).as_heartbeat();
    let known = change.item.pull_requests.iter_mut().find(|known| known.url == url);
    let Some(waiting) = known.and_then(PullRequest::waiting_mut) else { return Ok(Next::Nothing) };
    waiting.state = RequestState::Dropped { reason };
    let mut transaction = Transaction::by_itself(app, org);
    transaction.save(change);
    app.commit(transaction).await?;
    Ok(Next::Another)
}
