//! What a comment would start, before it is sent: the same decisions as later, without writing anything.

use svc_domain::access::Capability;
use svc_domain::comment::{Comment, check_comment};
use svc_domain::ids::{Actor, CommentId, ItemKey};
use svc_domain::item::Item;
use svc_domain::mention::request::{MentionRequest, State, reason};
use svc_domain::mention::{Mention, carry_over};
use svc_domain::playbook::{FactorySettings, Playbook};
use svc_domain::refusal::Refusal;
use svc_storage::{Row, RowOf, keys};

use super::super::dispatch::{Ground, UNREADABLE, rows_of};
use super::super::draft;
use super::{Asked, order, rows};
use crate::App;
use crate::entry::{Caller, Entry, enter_project_with};
use crate::error::{Error, Result};
use crate::tracker::comments::{NewComment, mentioned, require_author, visible};
use crate::tracker::gone::item_row;
use crate::wiki;

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
    /// Why it would not start a run, in a sentence.
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
    let wanted = |org| {
        let comment = |id: Option<CommentId>| id.map(|id| keys::comment(org, key, id));
        (rows_of(org, key), comment(edited), comment(answered))
    };
    let (entry, ((item, settings), edited_row, answered_row)) =
        enter_project_with(app, caller, &key.project, Capability::Comment, wanted).await?;
    let row = item_row(app, &entry, item, key).await?;
    let item: Item = row.read()?;
    entry.access.require_reach(&item.key, item.parent.as_ref())?;
    let before = match edited {
        Some(_) => edited_mentions(app, &entry, key, edited_row.as_ref()).await?,
        None => Vec::new(),
    };
    let mut errors = check_comment(&new.body).err().unwrap_or_default();
    let thread = visible(app, &entry, key, answered_row.as_ref()).await?;
    if new.reply_to.is_some() && thread.is_none() {
        errors.add("replyTo", "There is no such comment on this item.");
    }
    errors.into_result()?;
    let named = mentioned(app, entry.org_id(), &key.project, &new.body).await?;
    let (agents, people): (Vec<Actor>, Vec<Actor>) =
        named.clone().into_iter().partition(|actor| actor.id.is_agent());

    let mut comment = Comment::new(CommentId(app.uuid()), entry.actor().clone(), new.body.clone(), app.now());
    if let Some(thread) = &thread {
        comment = comment.answering(thread);
    }
    comment.mentions = carry_over(&before, named, app.now());
    let asks = MentionRequest::of((&comment, 1), &before);
    let asked = Asked { comment, thread };
    let mut previews = Previews::new(app, &entry, key, (&row, settings.as_ref())).await?;
    let mut seen = Vec::new();
    for agent in agents {
        let request = asks.iter().find(|request| request.actor().id == agent.id);
        seen.push(previews.of(app, agent, request, &asked).await?);
    }
    Ok(Preview { people, agents: seen })
}

/// Whom the comment of this row, which is to be edited, mentions.
async fn edited_mentions(
    app: &App,
    entry: &Entry,
    key: &ItemKey,
    row: Option<&RowOf<Comment>>,
) -> Result<Vec<Mention>> {
    let comment = visible(app, entry, key, row).await?;
    let comment = comment.ok_or(Refusal::NotFound)?;
    require_author(entry, &comment)?;
    Ok(comment.mentions)
}

/// What comes before the mention that is looked at, and what was read for all of them.
struct Previews<'a> {
    entry: &'a Entry,
    item: &'a ItemKey,
    /// The rows of the item and the project's settings.
    rows: (&'a RowOf<Item>, Option<&'a RowOf<FactorySettings>>),
    ahead: Option<String>,
    ground: Option<Ground>,
    /// Whether the caller may read the page of the playbook, which all of them share.
    page: Option<Result<(), &'static str>>,
}

impl<'a> Previews<'a> {
    async fn new(
        app: &App,
        entry: &'a Entry,
        item: &'a ItemKey,
        ground: (&'a RowOf<Item>, Option<&'a RowOf<FactorySettings>>),
    ) -> Result<Self> {
        let mentions = rows(app, entry.org_id(), item).await?;
        let requests = mentions.iter().map(Row::read).collect::<Result<Vec<MentionRequest>, _>>()?;
        let waiting = requests.into_iter().find(|request| request.state == State::Waiting);
        let ahead =
            waiting.map(|request| format!("{} was mentioned earlier and is waiting.", request.agent.name));
        Ok(Self { entry, item, rows: ground, ahead, ground: None, page: None })
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
            let why = "The comment already mentioned the agent, so the edit starts no new run.";
            return Ok(shown(MentionEffect::Notifies, Some(why.to_owned())));
        };
        if !self.entry.access.may(Capability::OperateFactory) {
            let why = "You may not start AI work here.";
            return Ok(shown(MentionEffect::Notifies, Some(why.to_owned())));
        }
        let (effect, why) = match self.plan(app, request, asked).await {
            Ok(()) => match &self.ahead {
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

    /// Refuses what starting the run of a mention would refuse. Makes no prompt.
    async fn plan(&mut self, app: &App, request: &MentionRequest, asked: &Asked) -> Result<()> {
        let agent = request.agent.id.to_string();
        let order = order(self.item, &agent, asked);
        let ground = match &mut self.ground {
            Some(ground) => ground,
            none => none.insert(Ground::of(app, self.entry, self.rows, &order).await?),
        };
        let (_, choice) = ground.run(app, self.entry.actor(), &order)?;
        let readable = match self.page {
            Some(readable) => readable,
            None => *self.page.insert(readable(app, self.entry, self.item, &choice.playbook.0).await?),
        };
        Ok(readable.map_err(Refusal::Conflict)?)
    }
}

/// Whether there is the page of a playbook, and who entered may read it; otherwise what keeps the run.
async fn readable(
    app: &App,
    entry: &Entry,
    item: &ItemKey,
    playbook: &Playbook,
) -> Result<Result<(), &'static str>> {
    let page = match draft::page(app, entry.org_id(), &item.project, playbook).await {
        Ok(page) => page,
        Err(Error::Refused(Refusal::Conflict(why))) => return Ok(Err(why)),
        Err(error) => return Err(error),
    };
    let reads = wiki::reads(app, &entry.access, &item.project, &page.path).await?;
    Ok(if reads { Ok(()) } else { Err(UNREADABLE) })
}
