//! What a delivery tells, as whoever answers for its webhook may see it now.

use jiff::Timestamp;
use svc_domain::access::Capability;
use svc_domain::comment::Comment;
use svc_domain::ids::{Actor, ActorId, CommentId, ItemKey, OrgId, OrgSlug, ProjectKey, RunId, UserId};
use svc_domain::item::Item;
use svc_domain::run::Run;
use svc_domain::sprint::Sprint;
use svc_domain::webhook::{Skipped, Webhook, WebhookEvent, WebhookNews};
use svc_storage::{RowOf, keys};

use crate::App;
use crate::entry::{Entry, enter_as};
use crate::error::{Error, Result};
use crate::factory::runs::RunView;
use crate::identity::bring_up_to_date;
use crate::tracker::ItemDetails;
use crate::tracker::comments::{SeenComment, is_for_all};
use crate::tracker::gone::key_now;

/// What agents are called where their names are not sent.
const AN_AGENT: &str = "an agent";

/// What a delivery tells.
#[derive(Clone, Debug)]
pub struct Content {
    /// What happened.
    pub event: WebhookEvent,
    /// When.
    pub at: Timestamp,
    /// Slug of the organization; none for a test.
    pub organization: Option<OrgSlug>,
    /// Name of the webhook.
    pub webhook: String,
    /// Who did it.
    pub by: Option<Actor>,
    /// The project.
    pub project: Option<ProjectKey>,
    /// Key of the item.
    pub item_key: Option<ItemKey>,
    /// The item as it is now, unless it was deleted.
    pub item: Option<ItemDetails>,
    /// Id of the comment.
    pub comment_id: Option<CommentId>,
    /// The comment as it is now, unless it was deleted.
    pub comment: Option<SeenComment>,
    /// Id of the run.
    pub run_id: Option<RunId>,
    /// The run as it is now.
    pub run: Option<RunView>,
    /// The sprint as it is now.
    pub sprint: Option<Sprint>,
    /// Names of the fields that changed, or the state before and after.
    pub changes: Vec<String>,
}

impl Content {
    fn of(webhook: &Webhook, news: &WebhookNews) -> Self {
        // Who did it is nothing of theirs, unless it was an agent.
        let shown = |by: &Actor| webhook.agents_work || !by.id.is_agent();
        Self {
            event: news.event,
            at: news.at,
            organization: None,
            webhook: webhook.name.clone(),
            by: news.by.clone().filter(shown),
            project: news.project.clone(),
            item_key: news.item.clone(),
            item: None,
            comment_id: news.comment,
            comment: None,
            run_id: news.run,
            run: None,
            sprint: None,
            changes: news.changes.clone(),
        }
    }
}

/// What a delivery tells, or why it is skipped.
pub(super) type Read = Result<std::result::Result<Content, Skipped>>;

/// What to send of news, or why nothing. What the webhook is to tell is asked now: it may have been changed, and the item
/// may have moved to another project, since the delivery was made.
pub(super) async fn content(app: &App, org: OrgId, webhook: &Webhook, news: &WebhookNews) -> Read {
    if !webhook.is_to_tell(news) {
        return Ok(Err(Skipped::NotChosen));
    }
    let content = Content::of(webhook, news);
    let (Some(project), ActorId::User(user)) = (&news.project, &webhook.saved_by.id) else {
        return Ok(Ok(content));
    };
    match read(app, (org, *user, project), webhook, news, content).await {
        Err(Error::Refused(_)) => Ok(Err(Skipped::Hidden)),
        read => read,
    }
}

async fn read(
    app: &App,
    (org, user, project): (OrgId, UserId, &ProjectKey),
    webhook: &Webhook,
    news: &WebhookNews,
    mut content: Content,
) -> Read {
    let mut key = news.item.clone();
    let entry = enter_as(app, org, user, project).await?;
    entry.access.require(Capability::SeeProject)?;
    entry.access.require(Capability::SeeAdministration)?;
    content.organization = Some(entry.org.slug.clone());
    if matches!(news.event, WebhookEvent::ItemDeleted) {
        return Ok(Ok(content));
    }
    if let Some(item) = &mut key {
        let Some(mut details) = item_now(app, &entry, item).await? else { return Ok(Err(Skipped::Gone)) };
        if !webhook.is_about(&item.project) {
            return Ok(Err(Skipped::NotChosen));
        }
        if !webhook.agents_work {
            hide_agents(&mut details.item);
        }
        content.item_key = Some(item.clone());
        content.project = Some(item.project.clone());
        content.item = Some(details);
    }
    if let (Some(item), Some(id)) = (&key, news.comment)
        && news.event != WebhookEvent::CommentDeleted
    {
        let row = app.table.find(&keys::comment(org, item, id)).await?;
        match comment(app, org, webhook, item, row).await? {
            Ok(comment) => content.comment = Some(comment),
            Err(why) => return Ok(Err(why)),
        }
    }
    if let Some(id) = news.run {
        let Some(row) = app.table.find(&keys::run(org, id)).await? else { return Ok(Err(Skipped::Gone)) };
        content.run = Some(run(&entry, webhook, row.read()?, row.version));
    }
    if let Some(id) = news.sprint {
        let row = app.table.find(&keys::sprint(org, project, id)).await?;
        let Some(row) = row else { return Ok(Err(Skipped::Gone)) };
        content.sprint = Some(row.read()?);
    }
    Ok(Ok(content))
}

/// An item as it is now, where it is now: whoever answers for the webhook administers every project.
async fn item_now(app: &App, entry: &Entry, key: &mut ItemKey) -> Result<Option<ItemDetails>> {
    let org = entry.org_id();
    let mut row = app.table.find(&keys::item(org, key)).await?;
    if row.is_none()
        && let Some(now) = key_now(app, org, key).await?
    {
        row = app.table.find(&keys::item(org, &now)).await?;
        *key = now;
    }
    let workflow = app.table.find(&keys::workflow(org, &key.project)).await?;
    let (Some(row), Some(workflow)) = (row, workflow) else { return Ok(None) };
    let item: Item = row.read()?;
    Ok(Some(ItemDetails::of(app, item, &*app.parse_cache.workflows.read(&workflow)?)))
}

/// Takes the names of agents out of an item.
fn hide_agents(item: &mut Item) {
    let holder = item.claim.as_mut().map(|claim| &mut claim.holder);
    let last = item.last_run.as_deref_mut().map(|run| &mut run.agent);
    let actors = [holder, last, item.assignee.as_mut(), Some(&mut item.created_by)];
    for actor in actors.into_iter().flatten().filter(|actor| actor.id.is_agent()) {
        AN_AGENT.clone_into(&mut actor.name);
    }
}

async fn comment(
    app: &App,
    org: OrgId,
    webhook: &Webhook,
    item: &ItemKey,
    row: Option<RowOf<Comment>>,
) -> Result<std::result::Result<SeenComment, Skipped>> {
    let Some(row) = row else { return Ok(Err(Skipped::Gone)) };
    let mut comment: Comment = row.read()?;
    if comment.deleted {
        return Ok(Err(Skipped::Gone));
    }
    if !webhook.agents_work && !is_for_all(app, org, item, &comment).await? {
        return Ok(Err(Skipped::NotChosen));
    }
    bring_up_to_date(app, org, comment.named()).await?;
    let (version, can) = (row.version, false);
    let seen = SeenComment {
        comment,
        version,
        can_react: can,
        can_edit: can,
        can_delete: can,
        reactions: Vec::new(),
        reach: Vec::new(),
    };
    Ok(Ok(seen))
}

fn run(entry: &Entry, webhook: &Webhook, mut run: Run, version: u64) -> RunView {
    let operator = webhook.agents_work && entry.access.may(Capability::SeeFactory);
    if !operator {
        // It may be one that an agent wrote.
        run.comment = None;
    }
    RunView {
        run,
        version,
        organization: entry.org.slug.clone(),
        waiting: None,
        continues_at: None,
        operator,
        prompt: None,
    }
}
