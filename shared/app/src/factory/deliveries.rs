//! Records what an organization's code host reports about pull requests, with the links of items.
//!
//! Protocol.
//! 1. A delivery counts if it is signed ([`super::webhook`]). What it tells is judged by
//!    [`svc_domain::pull_request`], so that one that comes late, twice or out of order does no harm.
//! 2. It finds the items that link the pull request, by the rows that are written with the links; and the item that its
//!    branch is named after, if that links it, or has a run at work on the branch. Others are not concerned: a
//!    repository that no item knows changes nothing.
//! 3. The commit that records the news also records the follow-up that they ask for, where the playbook of the run
//!    that worked on the pull request wants that, and sends a message. What starts it: [`super::mending`].
//!
//! What a runner looks up before a follow-up is news of the same kind, of the pull request that its run goes on from.
//!
//! Where a project is archived, or an organization read-only, the links of items follow the news, and nothing is linked
//! or started. The same is true of a deleted item, which is up to date when somebody brings it back.

use std::collections::BTreeSet;
use std::net::IpAddr;

use svc_domain::branch;
use svc_domain::deleted_item::DeletedItem;
use svc_domain::event::ItemEvent;
use svc_domain::ids::{ItemKey, OrgId, RunId};
use svc_domain::item::{Item, MAX_LINKS};
use svc_domain::playbook::Playbook;
use svc_domain::pull_request::{News, PullRequest, PullRequestState, What};
use svc_domain::refusal::Refusal;
use svc_domain::run::follow_up::works_on;
use svc_domain::run::machine::{Event as Happened, Presenter, step};
use svc_domain::run::{Run, RunStatus};
use svc_storage::{Condition, Op, Query, Range, Row, RowOf, keys};

use super::dispatch::LOOKED_BACK;
use super::loaded::LoadedRun;
use super::runner_entry::enter_at_work;
use super::{runs, webhook};
use crate::App;
use crate::budget::admit_delivery;
use crate::entry::BearerCredential;
use crate::error::Result;
use crate::secrets;
use crate::tracker::ItemChange;
use crate::tracker::gone::key_now;
use crate::transaction::Transaction;
use crate::wanted;

/// A delivery as it arrived.
#[derive(Clone, Copy, Debug)]
pub struct Delivery<'a> {
    /// Secret part of the address that it came to.
    pub address: &'a str,
    /// Who delivers it.
    pub from: IpAddr,
    /// Its signature.
    pub signature: Option<&'a str>,
    /// The bytes that are signed.
    pub body: &'a [u8],
}

/// The organization whose code host delivers.
///
/// # Errors
/// [`NotFound`](svc_domain::refusal::Refusal::NotFound), and
/// [`Unauthenticated`](svc_domain::refusal::Refusal::Unauthenticated) for one that is not the code host's;
/// [`RateLimited`](svc_domain::refusal::Refusal::RateLimited) when the organization's budget for deliveries is spent.
pub async fn admit(app: &App, delivery: Delivery<'_>) -> Result<OrgId> {
    let org = webhook::sender(app, delivery.address, delivery.signature, delivery.body).await?;
    admit_delivery(app, org, delivery.from).await?;
    Ok(org)
}

/// Records what an organization's code host tells.
///
/// # Errors
/// Those of storage.
pub async fn receive(app: &App, org: OrgId, news: &[News]) -> Result<()> {
    for news in news {
        for item in concerned(app, org, news).await? {
            app.decide(|| record(app, org, &item, news)).await?;
        }
    }
    Ok(())
}

/// Hears what a runner found when it looked up the pull request that its run goes on from.
///
/// # Errors
/// [`Refusal::NotFound`], [`Refusal::AssignmentEnded`]; [`Refusal::Invalid`] for what is no commit.
pub async fn looked_up(
    app: &App,
    credential: Option<&BearerCredential>,
    run: RunId,
    fence: u64,
    (state, head): (PullRequestState, Option<String>),
) -> Result<()> {
    let (entry, row) = enter_at_work(app, credential, |org, _| keys::run(org, run)).await?;
    let loaded = LoadedRun::of(row.as_ref().ok_or(Refusal::NotFound)?)?;
    // A runner that may append to the run's log may tell this too.
    step(&loaded.run, Happened::Log(Presenter { runner: entry.runner.id, fence }), app.now())?;
    let is_commit =
        |head: &String| (7..=64).contains(&head.len()) && head.bytes().all(|b| b.is_ascii_hexdigit());
    if head.as_ref().is_some_and(|head| !is_commit(head)) {
        return Err(Refusal::invalid("head", "Give the id of a commit, in hexadecimal digits.").into());
    }
    let Some(url) = loaded.run.follow_up.and_then(|follow_up| follow_up.pull_request) else { return Ok(()) };
    let news = News { url, branch: None, at: app.now(), what: What::LookedUp { state, head } };
    app.decide(|| record(app, entry.org_id(), &loaded.run.item, &news)).await
}

/// The items that may link the pull request, or are about to.
async fn concerned(app: &App, org: OrgId, news: &News) -> Result<BTreeSet<ItemKey>> {
    let pk = keys::linked_items_pk(org, &secrets::hash(&news.url));
    let rows = app.table.query_all(Query::new(pk, Range::All, 100)).await?;
    let mut items = rows.iter().map(Row::read).collect::<Result<BTreeSet<ItemKey>, _>>()?;
    items.extend(news.branch.as_deref().and_then(branch::item_of));
    Ok(items)
}

async fn record(app: &App, org: OrgId, key: &ItemKey, news: &News) -> Result<()> {
    let (place, room) = (keys::org(org), keys::project(org, &key.project));
    let wanted = (keys::item(org, key), keys::deleted_item(org, key), place.clone(), room.clone());
    let (item_row, deleted, org_row, project_row) = wanted::load(app, wanted).await?;
    let Some(item_row) = item_row else {
        if let Some(deleted) = deleted {
            return record_deleted(app, org, &deleted, news).await;
        }
        let Some(now) = key_now(app, org, key).await? else { return Ok(()) };
        return Box::pin(record(app, org, &now, news)).await;
    };
    let Some(org_row) = org_row else { return Ok(()) };
    let project = project_row.as_ref().map(RowOf::read).transpose()?;
    // What happens to the links of a deleted project is there when it is restored.
    let frozen = org_row.read()?.read_only || project.is_none_or(|project| project.archived);
    let mut change = ItemChange::update(org, item_row.read()?, item_row.version);
    let linked = change.item.links.contains(&news.url);
    // Of a linked pull request, the run that worked on it matters only where something is asked for.
    let runs = if linked && news.asks().is_none() {
        Vec::new()
    } else {
        runs::newest(app, org, &runs::of_item(app, org, key).await?, LOOKED_BACK).await?
    };
    let worker = runs.iter().find(|run| works_on(run, &news.url, news.branch.as_deref()));
    // A link is a change that people make too; what becomes of it makes nobody's edit stale.
    if linked {
        change = change.as_heartbeat();
    } else if frozen || !link(&mut change, worker, news) {
        return Ok(());
    }
    let known = of_url(&mut change.item, &news.url);
    if !known.hear(news) {
        return Ok(());
    }
    let may_ask = !frozen && news.asks().is_some();
    if may_ask && wants_follow_ups(app, org, worker).await? && known.ask(news, app.now()) {
        change.tell(ItemEvent::FollowUpRequested(key.clone()));
    }
    let project_unchanged = project_row.map_or(Condition::Absent, |row| Condition::Version(row.version));
    let standing =
        [Op::check(place, Condition::Version(org_row.version)), Op::check(room, project_unchanged)];
    let mut transaction = Transaction::by_itself(app, org).with(standing);
    transaction.save(change);
    app.commit(transaction).await
}

/// Hears news of an item that was deleted.
async fn record_deleted(app: &App, org: OrgId, row: &RowOf<DeletedItem>, news: &News) -> Result<()> {
    let mut deleted = row.read()?;
    let Some(item) = deleted.item.as_mut().filter(|item| item.links.contains(&news.url)) else {
        return Ok(());
    };
    if !of_url(item, &news.url).hear(news) {
        return Ok(());
    }
    let op = row.replaced_by(&deleted);
    app.commit(Transaction::by_itself(app, org).with([op])).await
}

/// Links the pull request of the run that is at work, which will report it only when it ends.
fn link(change: &mut ItemChange, worker: Option<&Run>, news: &News) -> bool {
    let at_work = |run: &&Run| run.status() == RunStatus::Running;
    let Some(run) = worker.filter(at_work) else { return false };
    if change.item.links.len() >= MAX_LINKS {
        return false;
    }
    change.item.links.push(news.url.clone());
    let (item, url) = (change.item.key.clone(), news.url.clone());
    change.tell_as(run.actor(), ItemEvent::PullRequestLinked { item, url, run: Some(run.id) });
    true
}

/// What is known of a pull request.
fn of_url<'a>(item: &'a mut Item, url: &str) -> &'a mut PullRequest {
    let known = item.pull_requests.iter().position(|known| known.url == url);
    let place = known.unwrap_or_else(|| {
        item.pull_requests.push(PullRequest::unknown(url.to_owned()));
        item.pull_requests.len() - 1
    });
    &mut item.pull_requests[place]
}

/// Whether the playbook of the run says that its pull requests ask for follow-ups.
async fn wants_follow_ups(app: &App, org: OrgId, worker: Option<&Run>) -> Result<bool> {
    let Some(run) = worker else { return Ok(false) };
    let Some(row) = app.table.find(&keys::playbook(org, &run.item.project, run.playbook.id)).await? else {
        return Ok(false);
    };
    let playbook: Playbook = row.read()?;
    Ok(playbook.is_there() && playbook.pull_request_follow_ups)
}
