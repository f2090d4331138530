//! What a comment would start, before it is sent: the same decisions as later, without writing anything.

use svc_domain::access::Capability;
use svc_domain::comment::{Comment, check_comment};
use svc_domain::ids::{Actor, CommentId, ItemKey};
use svc_domain::item::Item;
use svc_domain::mention::carry_over;
use svc_domain::mention::request::{MentionRequest, State, reason};
use svc_domain::refusal::Refusal;
use svc_storage::{Row, keys};

use super::{Asked, planned, rows};
use crate::App;
use crate::entry::{Caller, Entry, enter_project};
use crate::error::{Error, Result};
use crate::tracker::comments::{NewComment, mentioned};
use crate::tracker::gone::item_row;

/// What a comment would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// People that it mentions.
    pub people: Vec<Actor>,
    /// Agents that it mentions, in the order of the text.
    pub agents: Vec<AgentPreview>,
}

/// What the mention of an agent would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentPreview {
    /// The agent.
    pub agent: Actor,
    /// What it would do.
    pub effect: MentionEffect,
    /// Why not more, in a sentence.
    pub reason: Option<String>,
}

/// What a mention of an agent would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MentionEffect {
    /// A run would be queued at once.
    Starts,
    /// It would wait until the item is free.
    Waits,
    /// The agent would reply why no run can start.
    Refused,
    /// It would only notify.
    Notifies,
}

/// What a comment would start if the caller wrote it now, or, with the id of one, if the caller edited that.
///
/// # Errors
/// Those of writing it.
pub async fn preview(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    new: &NewComment,
    edited: Option<CommentId>,
) -> Result<Preview> {
    let answered = new.reply_to.as_ref().and_then(|id| id.parse::<CommentId>().ok());
    let mut entry = enter_project(app, caller, &key.project, Capability::Comment, |org| {
        let others = [edited, answered].into_iter().flatten().map(|id| keys::comment(org, key, id));
        std::iter::once(keys::item(org, key)).chain(others).collect()
    })
    .await?;
    let item: Item = item_row(app, &mut entry, 0, key).await?.read()?;
    entry.access.require_reach(&item.key, item.parent.as_ref())?;
    check_comment(&new.body)?;
    let others = entry.rows[1..].iter().map(|row| row.as_ref().map(Row::read::<Comment>).transpose());
    let others = others.collect::<Result<Vec<_>, _>>()?;
    let before = edited.and(others.first().cloned().flatten()).map(|comment| comment.mentions);
    let thread = answered.and(others.last().cloned().flatten());
    let named = mentioned(app, entry.org_id(), &key.project, &new.body).await?;
    let (agents, people): (Vec<Actor>, Vec<Actor>) =
        named.clone().into_iter().partition(|actor| actor.id.is_agent());

    let mut comment = Comment::new(CommentId(app.uuid()), entry.actor().clone(), new.body.clone(), app.now());
    if let Some(thread) = &thread {
        comment = comment.answering(thread);
    }
    let before = before.unwrap_or_default();
    comment.mentions = carry_over(&before, named, app.now());
    let asks = MentionRequest::of((&comment, 1), &before);
    let asked = Asked { comment, thread };
    let mut previews = Previews::new(app, &entry, key).await?;
    let mut seen = Vec::new();
    for agent in agents {
        let request = asks.iter().find(|request| request.actor().id == agent.id);
        seen.push(previews.of(app, agent, request, &asked).await?);
    }
    Ok(Preview { people, agents: seen })
}

/// What comes before the mention that is looked at.
struct Previews<'a> {
    entry: &'a Entry,
    item: &'a ItemKey,
    ahead: Option<String>,
}

impl<'a> Previews<'a> {
    async fn new(app: &App, entry: &'a Entry, item: &'a ItemKey) -> Result<Self> {
        let rows = rows(app, entry.org_id(), item).await?;
        let requests = rows.iter().map(Row::read).collect::<Result<Vec<MentionRequest>, _>>()?;
        let waiting = requests.into_iter().find(|request| request.state == State::Waiting);
        let ahead = waiting.map(|request| format!("{} was mentioned earlier and waits.", request.agent.name));
        Ok(Self { entry, item, ahead })
    }

    async fn of(
        &mut self,
        app: &App,
        agent: Actor,
        request: Option<&MentionRequest>,
        asked: &Asked,
    ) -> Result<AgentPreview> {
        let shown = |effect, reason: Option<String>| AgentPreview { agent: agent.clone(), effect, reason };
        let Some(request) = request else {
            let why = "The comment mentioned the agent before: the edit starts no other run.";
            return Ok(shown(MentionEffect::Notifies, Some(why.to_owned())));
        };
        if !self.entry.access.may(Capability::OperateFactory) {
            let why = "You may not start AI work here.";
            return Ok(shown(MentionEffect::Notifies, Some(why.to_owned())));
        }
        let (effect, why) = match planned(app, self.entry.org_id(), self.item, request, asked).await {
            Ok(_) => match &self.ahead {
                Some(ahead) => (MentionEffect::Waits, Some(ahead.clone())),
                None => (MentionEffect::Starts, None),
            },
            Err(Error::Refused(
                refusal @ (Refusal::LiveRunExists { .. }
                | Refusal::ItemClaimed { .. }
                | Refusal::ReadOnlyOrganization),
            )) => (MentionEffect::Waits, Some(reason(&refusal))),
            Err(Error::Refused(refusal)) => (MentionEffect::Refused, Some(reason(&refusal))),
            Err(error) => return Err(error),
        };
        if effect != MentionEffect::Refused && self.ahead.is_none() {
            self.ahead = Some(format!("It comes after the run of {}.", request.agent.name));
        }
        Ok(shown(effect, why))
    }
}
