//! Who may be told of one event, and why: the table that opens [`svc_domain::notification`].

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use sha2::{Digest, Sha256};
use svc_domain::comment::Comment;
use svc_domain::identity::{Member, ProjectMember, ProjectRole};
use svc_domain::ids::{Actor, ActorId, CommentId, ItemKey, OrgId, ProjectKey, ScheduleId, UserId, WebhookId};
use svc_domain::invitation::Invitation;
use svc_domain::item::Item;
use svc_domain::mention::Mention;
use svc_domain::notification::{News, NotificationKind as Kind, Subject};
use svc_domain::refinement::{Refinement, RefinementStatus};
use svc_domain::run::{Run, RunStatus};
use svc_domain::schedule::Schedules;
use svc_domain::sprint::Sprint;
use svc_domain::team::Team;
use svc_domain::wiki::{Page, PageText};
use svc_storage::{KeyOf, Query, Range, Row, keys};
use uuid::{Builder, Uuid};

use crate::App;
use crate::error::Result;
use crate::messages::{Happened, Told};
use crate::tracker::comments::mentioned;
use crate::tracker::watchers;
use crate::wiki::current;

/// One event, and whom it may concern.
pub(super) struct Telling {
    pub(super) subject: Subject,
    pub(super) told: Vec<(UserId, News)>,
    /// What channels of the organization are told.
    pub(super) org_wide: Option<News>,
}

/// Whom an event may concern, whether or not they may see it. Nobody where what it is about has gone.
pub(super) async fn of(app: &App, org: OrgId, id: Uuid, happened: &Happened) -> Result<Option<Telling>> {
    let about = About { app, org, news: blank(id, happened) };
    match &happened.told {
        Told::Assigned { item } => about.assigned(item).await,
        Told::Moved { item, to, run } => about.moved(item, to, *run).await,
        Told::Claimed { item, run } => about.claimed(item, *run).await,
        Told::Commented { item, comment } => about.commented(item, *comment).await,
        Told::CommentEdited { item, comment } => about.edited(item, *comment).await,
        Told::Reacted { item, comment, emoji } => about.reacted(item, *comment, emoji.as_str()).await,
        Told::RunEnded { item, run, status } => about.run_ended(item, keys::run(org, *run), *status).await,
        Told::NeedsInput { item } => about.needs_input(item).await,
        Told::SprintStarted { project, sprint } => {
            about.sprint(project, keys::sprint(org, project, *sprint), Kind::SprintStarted).await
        }
        Told::SprintCompleted { project, sprint } => {
            about.sprint(project, keys::sprint(org, project, *sprint), Kind::SprintCompleted).await
        }
        Told::PageWritten { project, path, version } => {
            let Some(current) = current(app, org, project, path).await? else { return Ok(None) };
            about.page(project, current.page, *version).await
        }
        Told::SchedulePaused { project, schedule } => about.schedule_paused(project, *schedule).await,
        Told::WebhookDisabled { webhook, name } => about.webhook_disabled(*webhook, name).await,
        Told::InvitationAccepted { invitation, user } => {
            about.joined(keys::invitation(org, *invitation), *user).await
        }
    }
}

/// News of an event, of no kind yet.
fn blank(id: Uuid, happened: &Happened) -> News {
    News {
        id,
        kind: Kind::Commented,
        at: happened.at,
        by: happened.by.clone(),
        comment: None,
        run: None,
        what: None,
        moved: None,
        agents_work: happened.by.as_ref().is_some_and(|by| by.id.is_agent()),
    }
}

struct About<'a> {
    app: &'a App,
    org: OrgId,
    news: News,
}

impl About<'_> {
    async fn read<T: serde::de::DeserializeOwned>(&self, key: &KeyOf<T>) -> Result<Option<T>> {
        Ok(self.app.table.find(key).await?.map(|row| row.read()).transpose()?)
    }

    async fn item(&self, key: &ItemKey) -> Result<Option<Item>> {
        self.read(&keys::item(self.org, key)).await
    }

    /// Who watches an item and who it is assigned to.
    async fn followers(&self, item: &Item) -> Result<Vec<UserId>> {
        let mut users = watchers::people(self.app, self.org, &item.key).await?;
        users.extend(item.assignee.as_ref().and_then(user));
        Ok(users)
    }

    fn telling(self, subject: Subject, told: impl IntoIterator<Item = (UserId, Kind)>) -> Option<Telling> {
        let news = |(user, kind)| (user, News { kind, ..self.news.clone() });
        Some(Telling { subject, told: told.into_iter().map(news).collect(), org_wide: None })
    }

    /// The same kind for people and for channels of the organization.
    fn for_everybody(self, subject: Subject, kind: Kind, users: Vec<UserId>) -> Option<Telling> {
        let org_wide = Some(News { kind, ..self.news.clone() });
        let telling = self.telling(subject, users.into_iter().map(|user| (user, kind)))?;
        Some(Telling { org_wide, ..telling })
    }

    async fn assigned(mut self, key: &ItemKey) -> Result<Option<Telling>> {
        let Some(item) = self.item(key).await? else { return Ok(None) };
        let Some(assignee) = item.assignee.as_ref().and_then(user) else { return Ok(None) };
        // Whoever has to do it may know.
        self.news.agents_work = false;
        Ok(self.telling(of_item(&item), [(assignee, Kind::Assigned)]))
    }

    async fn moved(mut self, key: &ItemKey, to: &str, by_run: bool) -> Result<Option<Telling>> {
        let Some(item) = self.item(key).await? else { return Ok(None) };
        self.news.what = Some(to.to_owned());
        self.news.agents_work |= by_run;
        let followers = self.followers(&item).await?;
        Ok(self.for_everybody(of_item(&item), Kind::Transitioned, followers))
    }

    async fn claimed(mut self, key: &ItemKey, by_run: bool) -> Result<Option<Telling>> {
        let Some(item) = self.item(key).await? else { return Ok(None) };
        self.news.agents_work |= by_run;
        let followers = self.followers(&item).await?;
        Ok(self.telling(of_item(&item), followers.into_iter().map(|user| (user, Kind::Claimed))))
    }

    async fn comment(&mut self, key: &ItemKey, id: CommentId) -> Result<Option<(Item, Comment)>> {
        let Some(item) = self.item(key).await? else { return Ok(None) };
        let comment: Option<Comment> = self.read(&keys::comment(self.org, key, id)).await?;
        let Some(comment) = comment.filter(|comment| !comment.deleted) else { return Ok(None) };
        self.news.comment = Some(id);
        self.news.agents_work = comment.is_agents_work();
        Ok(Some((item, comment)))
    }

    async fn commented(mut self, key: &ItemKey, id: CommentId) -> Result<Option<Telling>> {
        let Some((item, comment)) = self.comment(key, id).await? else { return Ok(None) };
        // The end of the run says it.
        if comment.outcome_of.is_some() {
            return Ok(None);
        }
        let mut told: Vec<(UserId, Kind)> = named(&comment).map(|user| (user, Kind::Mentioned)).collect();
        if let Some(root) = comment.reply_to {
            let root: Option<Comment> = self.read(&keys::comment(self.org, key, root)).await?;
            told.extend(root.and_then(|root| user(&root.author)).map(|user| (user, Kind::Replied)));
        }
        told.extend(self.followers(&item).await?.into_iter().map(|user| (user, Kind::Commented)));
        Ok(self.telling(of_item(&item), told))
    }

    /// An edit tells those whom it mentions anew. The mention names the moment of the edit, which may have been a little
    /// before that of the commit, and by which a further edit in that while tells nobody again.
    async fn edited(mut self, key: &ItemKey, id: CommentId) -> Result<Option<Telling>> {
        const BEFORE_THE_COMMIT: jiff::SignedDuration = jiff::SignedDuration::from_secs(5);
        let Some((item, comment)) = self.comment(key, id).await? else { return Ok(None) };
        let (from, to) = (self.news.at - BEFORE_THE_COMMIT, self.news.at);
        let anew = comment.mentions.iter().filter(|mention| from <= mention.since && mention.since <= to);
        let anew = anew.filter(|mention| mention.since > comment.created_at);
        let news = |mention: &Mention| {
            let id = id_of_mention(id, mention.since);
            Some((user(&mention.who)?, News { id, kind: Kind::Mentioned, ..self.news.clone() }))
        };
        Ok(Some(Telling { subject: of_item(&item), told: anew.filter_map(news).collect(), org_wide: None }))
    }

    async fn reacted(mut self, key: &ItemKey, id: CommentId, emoji: &str) -> Result<Option<Telling>> {
        let Some((item, comment)) = self.comment(key, id).await? else { return Ok(None) };
        self.news.what = Some(emoji.to_owned());
        Ok(self.telling(of_item(&item), user(&comment.author).map(|user| (user, Kind::Reacted))))
    }

    /// State and pull request of a run are for everybody who sees the item, so its end is as well.
    async fn run_ended(
        mut self,
        key: &ItemKey,
        run: KeyOf<Run>,
        status: RunStatus,
    ) -> Result<Option<Telling>> {
        let kind = match status {
            RunStatus::Succeeded => Kind::RunSucceeded,
            RunStatus::Failed | RunStatus::TimedOut => Kind::RunFailed,
            RunStatus::Queued | RunStatus::Assigned | RunStatus::Running | RunStatus::Cancelled => {
                return Ok(None);
            }
        };
        let (Some(item), Some(run)) = (self.item(key).await?, self.read(&run).await?) else {
            return Ok(None);
        };
        self.news.run = Some(run.id);
        self.news.by = Some(run.actor());
        self.news.agents_work = false;
        let mut users = self.followers(&item).await?;
        users.extend(user(&run.requested_by));
        Ok(self.for_everybody(of_item(&item), kind, users))
    }

    async fn needs_input(mut self, key: &ItemKey) -> Result<Option<Telling>> {
        let Some(item) = self.item(key).await? else { return Ok(None) };
        let refinement: Option<Refinement> = self.read(&keys::refinement(self.org, key)).await?;
        let Some(refinement) = refinement else { return Ok(None) };
        match refinement.status() {
            RefinementStatus::Questions | RefinementStatus::Proposed => {}
            RefinementStatus::Running | RefinementStatus::Failed | RefinementStatus::Confirmed => {
                return Ok(None);
            }
        }
        let mut users = self.followers(&item).await?;
        if let Some(round) = refinement.last() {
            self.news.run = Some(round.run);
            users.extend(user(&round.by));
        }
        let agent = &refinement.agent;
        self.news.by = Some(Actor { id: ActorId::Agent(agent.id), name: agent.name.clone() });
        self.news.agents_work = true;
        Ok(self.for_everybody(of_item(&item), Kind::RunNeedsInput, users))
    }

    async fn project_members(&self, project: &ProjectKey) -> Result<Vec<ProjectMember>> {
        let range = Range::Prefix(keys::MEMBER_PREFIX.to_owned());
        let query = Query::new(keys::project_pk(self.org, project), range, 1_000);
        Ok(self.app.table.query_all(query).await?.iter().map(Row::read).collect::<Result<_, _>>()?)
    }

    async fn sprint(self, project: &ProjectKey, key: KeyOf<Sprint>, kind: Kind) -> Result<Option<Telling>> {
        let Some(sprint) = self.read(&key).await? else { return Ok(None) };
        let team: Option<Team> = self.read(&keys::team(self.org, project, sprint.team)).await?;
        let mut users: Vec<UserId> = team.into_iter().flat_map(|team| team.members).collect();
        if users.is_empty() {
            users = self.project_members(project).await?.into_iter().map(|member| member.user).collect();
        }
        let subject = Subject::Sprint { project: project.clone(), id: sprint.id };
        Ok(self.for_everybody(subject, kind, users))
    }

    /// A version tells those whom it mentions and the one before it did not, as long as the page mentions them.
    async fn page(mut self, project: &ProjectKey, page: Page, version: u64) -> Result<Option<Telling>> {
        let mut named = self.named_in(project, &page, version).await?;
        if !named.is_empty() {
            let before = self.named_in(project, &page, version.saturating_sub(1)).await?;
            named.retain(|user| !before.contains(user));
        }
        if !named.is_empty() && page.version != version {
            let now = self.named_in(project, &page, page.version).await?;
            named.retain(|user| now.contains(user));
        }
        // Who reads the page is asked of its place in the wiki.
        self.news.agents_work = false;
        let subject = Subject::Page { project: project.clone(), id: page.id, path: page.path };
        Ok(self.telling(subject, named.into_iter().map(|user| (user, Kind::WikiMentioned))))
    }

    /// The people whom a version of a page mentions; nobody for a version that there is not.
    async fn named_in(&self, project: &ProjectKey, page: &Page, version: u64) -> Result<BTreeSet<UserId>> {
        let text: Option<PageText> = self.read(&keys::page_version(self.org, page.id, version)).await?;
        let Some(text) = text else { return Ok(BTreeSet::new()) };
        let named = mentioned(self.app, self.org, project, &text.body).await?;
        Ok(named.iter().filter_map(user).collect())
    }

    async fn webhook_disabled(self, id: WebhookId, name: &str) -> Result<Option<Telling>> {
        let admins = admins(self.app, self.org).await?;
        let subject = Subject::Webhook { id, name: name.to_owned() };
        Ok(self.telling(subject, admins.into_iter().map(|member| (member.user, Kind::WebhookDisabled))))
    }

    /// A schedule that a person resumed or deleted since tells nobody.
    async fn schedule_paused(mut self, project: &ProjectKey, id: ScheduleId) -> Result<Option<Telling>> {
        let schedules: Option<Schedules> = self.read(&keys::schedules(self.org, project)).await?;
        let schedule = schedules.as_ref().and_then(|schedules| schedules.find(id));
        let Some(schedule) = schedule.filter(|schedule| schedule.paused_because.is_some()) else {
            return Ok(None);
        };
        self.news.kind = Kind::SchedulePaused;
        self.news.what.clone_from(&schedule.paused_because);
        let members = self.project_members(project).await?;
        let admins = members.into_iter().filter(|member| member.role == ProjectRole::Admin);
        let mut told: BTreeMap<UserId, News> =
            admins.map(|member| (member.user, self.news.clone())).collect();
        // An Admin of the project sees its schedules; anybody else has to operate the factory.
        if let Some(by) = user(&schedule.by) {
            told.entry(by).or_insert_with(|| News { agents_work: true, ..self.news.clone() });
        }
        let subject = Subject::Schedule { project: project.clone(), id, name: schedule.name.clone() };
        Ok(Some(Telling { subject, told: told.into_iter().collect(), org_wide: None }))
    }

    async fn joined(mut self, invitation: KeyOf<Invitation>, who: UserId) -> Result<Option<Telling>> {
        let member: Option<Member> = self.read(&keys::member(self.org, who)).await?;
        let (Some(invitation), Some(member)) = (self.read(&invitation).await?, member) else {
            return Ok(None);
        };
        self.news.by = Some(Actor { id: ActorId::User(who), name: member.display_name });
        let subject = Subject::Invitation { id: invitation.id };
        Ok(self.telling(subject, user(&invitation.by).map(|user| (user, Kind::InviteAccepted))))
    }
}

/// The Owners and Admins of an organization.
pub(crate) async fn admins(app: &App, org: OrgId) -> Result<Vec<Member>> {
    let range = Range::Prefix(keys::MEMBER_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::org_pk(org), range, 1_000)).await?;
    let members: Vec<Member> = rows.iter().map(Row::read).collect::<Result<_, _>>()?;
    Ok(members.into_iter().filter(|member| member.role.administers()).collect())
}

/// The subject that an item is.
pub(crate) fn of_item(item: &Item) -> Subject {
    Subject::Item { key: item.key.clone(), first: item.first_key.clone() }
}

/// What news of a mention that an edit brought are known by.
fn id_of_mention(comment: CommentId, since: Timestamp) -> Uuid {
    id_of(&format!("{comment} {since}"))
}

/// An id that is always the same for what this text says.
pub(crate) fn id_of(text: &str) -> Uuid {
    let hash = Sha256::digest(text);
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    Builder::from_random_bytes(bytes).into_uuid()
}

/// The people whom a comment mentions.
fn named(comment: &Comment) -> impl Iterator<Item = UserId> {
    comment.mentions.iter().filter_map(|mention| user(&mention.who))
}

pub(super) fn user(actor: &Actor) -> Option<UserId> {
    match actor.id {
        ActorId::User(user) => Some(user),
        ActorId::Agent(_) => None,
    }
}
