//! Mentions of agents ask for runs (specification sections 3.2, 5 and 6.4).
//!
//! Protocol.
//! 1. The commit that writes a comment writes a row for each mention of an agent in it, if its author may start runs,
//!    and sends a message ([`crate::tracker::comments`]). So does an edit, for mentions that it adds.
//! 2. The end of every run of an item, and every release of it, sends the same message.
//! 3. Its worker takes the item's oldest row that waits, asks [`svc_domain::mention::request`], and commits the row
//!    with what follows: the run that it starts, or the agent's reply. It goes on with the next row until one has
//!    to wait. A row that somebody changed meanwhile is decided again.
//! 4. While a claim holds the item, the message comes again when the claim is stale or the mention's day is over,
//!    so that nothing is lost when nobody releases it.
//!
//! A run starts with the rights that the comment's author has then, who must be able to read the playbook's page,
//! as by hand.

mod list;
mod preview;

pub use list::{MentionView, list};
pub use preview::{AgentPreview, MentionEffect, Preview, preview};

use jiff::{SignedDuration, Timestamp};
use svc_domain::access::Capability;
use svc_domain::comment::Comment;
use svc_domain::event::{CommentEvent, CommentRef};
use svc_domain::ids::{ActorId, CommentId, ItemKey, OrgId};
use svc_domain::mention::request::{Effect, Event, MentionRequest, State, reason, step};
use svc_domain::refusal::Refusal;
use svc_domain::run::Run;
use svc_storage::{Condition, Key, Op, Query, Range, Row, keys};

use super::dispatch::{Order, Planned, UNREADABLE, commit_planned, plan, rows_of};
use super::draft::{Asked, RunSelection};
use super::item_queue::{Next, POLL, one_by_one, stale_at};
use super::runs;
use crate::App;
use crate::entry::{Entry, enter_as_with};
use crate::error::{Error, Result};
use crate::transaction::Transaction;
use crate::wiki;

/// Starts the run that the item's next mention asks for, as soon as the item is free, and answers mentions for which
/// no run can start. Answers when to look again, if ever.
///
/// # Errors
/// Those of storage: the message comes again.
pub async fn answer(app: &App, org: OrgId, item: &ItemKey) -> Result<Option<SignedDuration>> {
    one_by_one(app, || answer_next(app, org, item)).await
}

/// A mention that waits, as read.
struct Waiting {
    key: Key,
    version: u64,
    request: MentionRequest,
}

async fn answer_next(app: &App, org: OrgId, key: &ItemKey) -> Result<Next> {
    let mut oldest = None;
    for waiting in waiting(app, org, key).await? {
        let said = asked(app, org, key, waiting.request.comment).await?;
        let said = said.filter(|asked| waiting.request.is_still_said(&asked.comment.mentions));
        let Some(asked) = said else {
            return write(app, org, key, &waiting, Event::Withdraw, None).await;
        };
        oldest = oldest.or(Some((waiting, asked)));
    }
    let Some((waiting, asked)) = oldest else { return Ok(Next::Nothing) };
    match planned(app, org, key, &waiting.request, &asked).await {
        Ok((entry, planned, prompt)) => start(app, &entry, &waiting, planned, &prompt).await,
        Err(Error::Refused(refusal)) => {
            let (event, poll) = hindrance(app, org, key, &refusal).await?;
            // An item that was deleted takes no reply, whatever else is in the way of a run.
            let there = app.table.find(&keys::item(org, key)).await?.is_some();
            let next = write(app, org, key, &waiting, event, there.then_some(&asked)).await?;
            Ok(match (next, poll) {
                (Next::LookAgain(by), Some(at)) => Next::LookAgain(by.min(at)),
                (next, _) => next,
            })
        }
        Err(error) => Err(error),
    }
}

/// The mentions that wait, the oldest first.
async fn waiting(app: &App, org: OrgId, key: &ItemKey) -> Result<Vec<Waiting>> {
    let mut waiting = Vec::new();
    for row in rows(app, org, key).await? {
        let request: MentionRequest = row.read()?;
        if request.state == State::Waiting {
            waiting.push(Waiting { key: row.key, version: row.version, request });
        }
    }
    Ok(waiting)
}

/// The mentions of an item that ask, as they were written.
async fn rows(app: &App, org: OrgId, key: &ItemKey) -> Result<Vec<Row>> {
    let range = Range::Prefix(keys::MENTION_PREFIX.to_owned());
    Ok(app.table.query_all(Query::new(keys::item_pk(org, key), range, 1_000)).await?)
}

/// A comment, and the one that began its thread.
async fn asked(app: &App, org: OrgId, key: &ItemKey, id: CommentId) -> Result<Option<Asked>> {
    let read = async |id| -> Result<Option<Comment>> {
        Ok(app.table.find(&keys::comment(org, key, id)).await?.map(|row| row.read()).transpose()?)
    };
    let Some(comment) = read(id).await? else { return Ok(None) };
    let thread = match comment.reply_to {
        Some(root) => read(root).await?,
        None => None,
    };
    Ok(Some(Asked { comment, thread }))
}

/// The run that a mention asks for and its prompt, if it may be queued now.
async fn planned(
    app: &App,
    org: OrgId,
    key: &ItemKey,
    request: &MentionRequest,
    asked: &Asked,
) -> Result<(Entry, Planned, String)> {
    let ActorId::User(user) = request.by.id else { return Err(Refusal::FactoryNotPermitted.into()) };
    let (entry, rows) = enter_as_with(app, org, user, &key.project, |org| rows_of(org, key)).await?;
    entry.access.require(Capability::OperateFactory)?;
    let agent = request.agent.id.to_string();
    let planned = plan(app, &entry, rows, &order(key, &agent, asked)).await?;
    if !wiki::reads(app, &entry.access, &key.project, &planned.page).await? {
        return Err(Refusal::Conflict(UNREADABLE).into());
    }
    let prompt = planned.prompt(app, org).await?;
    Ok((entry, planned, prompt))
}

/// What a mention of an agent asks for: the project's default playbook.
fn order<'a>(item: &'a ItemKey, agent: &'a str, asked: &'a Asked) -> Order<'a> {
    let selection = RunSelection { agent: Some(agent), ..RunSelection::default() };
    Order { item, selection, scheduled_for: None, asked: Some(asked), mends: None }
}

async fn start(app: &App, entry: &Entry, waiting: &Waiting, planned: Planned, prompt: &str) -> Result<Next> {
    let (request, _) = step(&waiting.request, Event::Start { run: planned.run.id }, app.now());
    let row = Op::replace(waiting.key.clone(), waiting.version, &request);
    commit_planned(app, entry, planned, prompt, [row]).await?;
    // The next one waits for the end of this run, which tells.
    Ok(Next::Nothing)
}

/// What a refusal means for a mention, and when to look again where no message tells that it is over.
async fn hindrance(
    app: &App,
    org: OrgId,
    key: &ItemKey,
    refusal: &Refusal,
) -> Result<(Event, Option<Timestamp>)> {
    let why = reason(refusal);
    Ok(match refusal {
        Refusal::LiveRunExists { .. } => (Event::Wait { free_of_runs_since: None, why }, None),
        Refusal::ItemClaimed { .. } => {
            let free_of_runs_since = Some(free_of_runs_since(app, org, key).await?);
            (Event::Wait { free_of_runs_since, why }, Some(stale_at(app, org, key).await?))
        }
        Refusal::ReadOnlyOrganization => {
            let free_of_runs_since = Some(free_of_runs_since(app, org, key).await?);
            (Event::Wait { free_of_runs_since, why }, app.now().checked_add(POLL).ok())
        }
        _ => (Event::Refuse { reason: why }, None),
    })
}

/// Since when no run has held the item.
async fn free_of_runs_since(app: &App, org: OrgId, key: &ItemKey) -> Result<Timestamp> {
    let newest = runs::newest(app, org, &runs::of_item(app, org, key).await?, 1).await?;
    Ok(newest.first().and_then(Run::ended).map_or(Timestamp::MIN, |ended| ended.at))
}

/// Writes what an event does to a mention, with the agent's reply if it demands one.
async fn write(
    app: &App,
    org: OrgId,
    key: &ItemKey,
    waiting: &Waiting,
    event: Event,
    asked: Option<&Asked>,
) -> Result<Next> {
    let (request, effects) = step(&waiting.request, event, app.now());
    let by = effects.iter().find_map(|effect| match effect {
        Effect::LookAgain { by } => Some(*by),
        Effect::Reply { .. } => None,
    });
    if request == waiting.request {
        return Ok(by.map_or(Next::Nothing, Next::LookAgain));
    }
    let actor = request.actor();
    let mut transaction = Transaction::on_behalf(app, org, &actor).with([Op::replace(
        waiting.key.clone(),
        waiting.version,
        &request,
    )]);
    for effect in effects {
        if let (Effect::Reply { text }, Some(asked)) = (effect, asked) {
            let reply = Comment::new(CommentId(app.uuid()), actor.clone(), text, app.now());
            let reply = reply.answering(&asked.comment);
            transaction.write([
                Op::create(keys::comment(org, key, reply.id), &reply),
                Op::check(keys::item(org, key), Condition::Present),
            ]);
            transaction.tell(CommentEvent::Created(CommentRef::of(key, &reply)));
        }
    }
    app.commit(transaction).await?;
    Ok(Next::Another)
}
