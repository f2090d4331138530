//! Which messages workers get, and when. Each has a row in the outbox, written in the commit of its event.

use jiff::{SignedDuration, Timestamp};
use svc_domain::deletion::KEPT;
use svc_domain::event::{
    AccountEvent, CommentEvent, Event, FactoryEvent, ItemEvent, Occurrence, OrgEvent, ProjectEvent, RunEvent,
    SavedItem, SprintEvent, WikiEvent,
};
use svc_domain::ids::{Actor, OrgId, ProjectKey};
use svc_domain::item_link::LinkKind;

use crate::App;
use crate::messages::{
    AnswerMentions, ClearReactions, ContinueRun, FinishPageMove, FinishTransfer, FireRules, FollowItem,
    MailInvitation, MailNewAddress, MailPasswordReset, Message, NoteBlockers, NoteBlockersOfStates,
    PurgeItem, PurgeOrg, PurgeProject, ReleaseLeftovers, ReplaceInItems, SettleSprint, SpreadAgentName,
    SpreadProfile, StopOrgRuns, StopRuns,
};
use crate::outbox::Outgoing;
use crate::tracker::replacements;

/// For work that the request itself begins at once: the message arrives later and does what was left undone.
const AFTER_THE_REQUEST: SignedDuration = SignedDuration::from_secs(60);

/// When the reactions of a deleted comment are cleared: later than a reaction can still be on its way that
/// began before.
const CLEARED_AFTER: SignedDuration = SignedDuration::from_mins(1);

/// What is left of a deleted item goes when no process, whatever its clock, brings the item back any more.
const AFTER_THE_LAST_RESTORE: SignedDuration = SignedDuration::from_hours(1);

/// A message, and after how long it is sent.
type Sent = (Message, SignedDuration);

fn at_once(message: impl Into<Message>) -> Sent {
    (message.into(), SignedDuration::ZERO)
}

/// The messages that an event sends.
pub(super) fn of(app: &App, occurrence: &Occurrence) -> Vec<Outgoing> {
    let sent = match (&occurrence.event, occurrence.org) {
        (Event::Account(event), _) => of_account(event).into_iter().collect(),
        (_, None) => Vec::new(),
        (event, Some(org)) => in_org(app, org, occurrence, event),
    };
    sent.into_iter().map(|(message, delay)| Outgoing::new(app, message, delay)).collect()
}

fn of_account(event: &AccountEvent) -> Option<Sent> {
    match event {
        AccountEvent::ProfileChanged(user) => Some(at_once(SpreadProfile { user: *user })),
        AccountEvent::PasswordResetRequested(email) => {
            Some(at_once(MailPasswordReset { email: email.clone() }))
        }
        AccountEvent::AddressChangeRequested(user, email) => {
            Some(at_once(MailNewAddress { user: *user, email: email.clone() }))
        }
        AccountEvent::Created(..)
        | AccountEvent::PasswordChanged(..)
        | AccountEvent::ProviderConnected(..)
        | AccountEvent::ProviderDisconnected(..)
        | AccountEvent::SessionOpened(..)
        | AccountEvent::SessionsEnded(..)
        | AccountEvent::TokenCreated(..)
        | AccountEvent::TokenRevoked(..) => None,
    }
}

fn in_org(app: &App, org: OrgId, occurrence: &Occurrence, event: &Event) -> Vec<Sent> {
    let (at, by) = (occurrence.at, occurrence.by.as_ref());
    match event {
        Event::Org(event) => of_org(org, event, at),
        Event::Project(event) => of_project(org, event, by, at),
        Event::ItemSaved(saved) => of_blockers(org, saved, by).into_iter().collect(),
        Event::Item(event) => of_item(app, org, event, by, at).into_iter().collect(),
        Event::Comment(event) => of_comment(org, event).into_iter().collect(),
        Event::Sprint(event) => of_sprint(org, event, by).into_iter().collect(),
        Event::Wiki(WikiEvent::MoveUnfinished(project)) => {
            vec![(FinishPageMove { org, project: project.clone() }.into(), AFTER_THE_REQUEST)]
        }
        Event::Factory(FactoryEvent::AgentChanged(agent, _)) => {
            vec![at_once(SpreadAgentName { org, agent: *agent })]
        }
        Event::Run(event) => of_run(org, event),
        Event::Account(_) | Event::Instance(_) | Event::Wiki(_) | Event::Factory(_) | Event::Runner(_) => {
            Vec::new()
        }
    }
}

/// What runs in a deleted organization is stopped. Nothing begins there any more: that demands its row.
fn of_org(org: OrgId, event: &OrgEvent, at: Timestamp) -> Vec<Sent> {
    match event {
        OrgEvent::Deleted => {
            let purge = (PurgeOrg { org, at }.into(), KEPT.saturating_add(AFTER_THE_LAST_RESTORE));
            vec![purge, at_once(StopOrgRuns { org, at })]
        }
        OrgEvent::InvitationSent { invitation, mail: Some(generation), .. } => {
            vec![at_once(MailInvitation { org, invitation: *invitation, generation: *generation })]
        }
        OrgEvent::InvitationSent { mail: None, .. }
        | OrgEvent::Created(..)
        | OrgEvent::Renamed(..)
        | OrgEvent::ReadOnlySet(..)
        | OrgEvent::Restored
        | OrgEvent::MemberAdded(..)
        | OrgEvent::MemberChanged(..)
        | OrgEvent::MemberRenamed(..)
        | OrgEvent::MemberRemoved(..)
        | OrgEvent::InvitationRevoked(..)
        | OrgEvent::InvitationAccepted(..)
        | OrgEvent::GroupRolesChanged(..)
        | OrgEvent::DirectoryTokenCreated(..)
        | OrgEvent::DirectoryTokenRevoked(..)
        | OrgEvent::InboxChanged(..)
        | OrgEvent::Channel(..)
        | OrgEvent::SharedViewsChanged
        | OrgEvent::ViewDeleted(..)
        | OrgEvent::WebhookChanged(..)
        | OrgEvent::Webhook(..) => Vec::new(),
    }
}

/// Items of a project that is deleted or comes back no longer block others, or block them again. Its runs are stopped
/// as those of an organization are.
fn of_project(org: OrgId, event: &ProjectEvent, by: Option<&Actor>, at: Timestamp) -> Vec<Sent> {
    let note_blockers = |project: &ProjectKey, states: Vec<String>| {
        at_once(NoteBlockersOfStates { org, project: project.clone(), states, by: by.cloned() })
    };
    match event {
        ProjectEvent::WorkflowChanged(project, states) if !states.is_empty() => {
            vec![note_blockers(project, states.clone())]
        }
        ProjectEvent::Deleted(project) => {
            let purge = PurgeProject { org, project: project.clone(), at };
            vec![
                (purge.into(), KEPT.saturating_add(AFTER_THE_LAST_RESTORE)),
                note_blockers(project, Vec::new()),
                at_once(StopRuns { org, project: project.clone(), at }),
            ]
        }
        ProjectEvent::Restored(project) => vec![note_blockers(project, Vec::new())],
        ProjectEvent::ReplacementStarted(project, id) => {
            let message = ReplaceInItems { org, project: project.clone(), id: *id };
            vec![(message.into(), replacements::SETTLE)]
        }
        ProjectEvent::WorkflowChanged(..)
        | ProjectEvent::Created(..)
        | ProjectEvent::Changed(..)
        | ProjectEvent::ArchiveSet(..)
        | ProjectEvent::Purged(..)
        | ProjectEvent::MemberSet(..)
        | ProjectEvent::MemberRemoved(..)
        | ProjectEvent::LabelCreated(..)
        | ProjectEvent::LabelChanged(..)
        | ProjectEvent::LabelDeleted(..)
        | ProjectEvent::MilestoneDeleted(..)
        | ProjectEvent::TemplateDeleted(..)
        | ProjectEvent::ViewDeleted(..)
        | ProjectEvent::MilestonesChanged(..)
        | ProjectEvent::TemplatesChanged(..)
        | ProjectEvent::SharedViewsChanged(..)
        | ProjectEvent::TeamCreated(..)
        | ProjectEvent::TeamChanged(..)
        | ProjectEvent::IntakeCreated(..)
        | ProjectEvent::IntakeChanged(..)
        | ProjectEvent::IntakeRotated(..)
        | ProjectEvent::IntakeDeleted(..)
        | ProjectEvent::TeamDeleted(..) => Vec::new(),
    }
}

/// Items are blocked by an item that went to another state, was deleted or came back. An item that comes back may have
/// missed what happened to its own blockers.
fn of_blockers(org: OrgId, saved: &SavedItem, by: Option<&Actor>) -> Option<Sent> {
    let (before, after) = (saved.before.as_ref(), &saved.after);
    if !saved.gone && before.is_some_and(|before| before.state == after.state) {
        return None;
    }
    let back = before.is_none().then_some(&after.key).filter(|_| !after.item_links.is_empty());
    let items: Vec<_> = after.linked(LinkKind::Blocks).chain(back).cloned().collect();
    (!items.is_empty()).then(|| at_once(NoteBlockers { org, items, by: by.cloned() }))
}

fn of_item(app: &App, org: OrgId, event: &ItemEvent, by: Option<&Actor>, at: Timestamp) -> Option<Sent> {
    match event {
        ItemEvent::StateEntered { item, state, run } => {
            let (item, state) = (item.clone(), state.clone());
            let by = by.map(|by| by.id);
            Some(at_once(FireRules { org, item, state, at, id: app.uuid(), run: *run, by }))
        }
        // Mentions may wait for an item that a person releases.
        ItemEvent::FollowUpRequested(item) | ItemEvent::Released { item, run: None, .. } => {
            Some(at_once(AnswerMentions { org, item: item.clone() }))
        }
        ItemEvent::SubtasksLeftBehind(item, from) => {
            let (item, from, by) = (item.clone(), from.clone(), by?.clone());
            Some((FollowItem { org, item, from, by, at: Some(at) }.into(), AFTER_THE_REQUEST))
        }
        ItemEvent::Deleted(item) => {
            let message = PurgeItem { org, item: item.clone(), at };
            Some((message.into(), KEPT.saturating_add(AFTER_THE_LAST_RESTORE)))
        }
        ItemEvent::Transferred(from, _) => {
            Some((FinishTransfer { org, from: from.clone() }.into(), AFTER_THE_REQUEST))
        }
        ItemEvent::Released { run: Some(_), .. }
        | ItemEvent::Created(..)
        | ItemEvent::Imported(..)
        | ItemEvent::Received(..)
        | ItemEvent::Restored(..)
        | ItemEvent::Changed(..)
        | ItemEvent::Moved { .. }
        | ItemEvent::MoveSkipped { .. }
        | ItemEvent::Claimed { .. }
        | ItemEvent::PullRequestLinked { .. }
        | ItemEvent::PullRequestUnlinked(..)
        | ItemEvent::Linked(..)
        | ItemEvent::Unlinked(..)
        | ItemEvent::WatchSet(..)
        | ItemEvent::Attached(..)
        | ItemEvent::Detached(..)
        | ItemEvent::UploadAnnounced(..)
        | ItemEvent::RefinementChanged(..) => None,
    }
}

fn of_comment(org: OrgId, event: &CommentEvent) -> Option<Sent> {
    match event {
        CommentEvent::AgentsAsked(item) => Some(at_once(AnswerMentions { org, item: item.clone() })),
        CommentEvent::Deleted(comment) => {
            let message = ClearReactions { org, item: comment.item.clone(), comment: comment.id };
            Some((message.into(), CLEARED_AFTER))
        }
        CommentEvent::Created(..)
        | CommentEvent::Imported(..)
        | CommentEvent::Edited(..)
        | CommentEvent::ReactionSet(..) => None,
    }
}

fn of_sprint(org: OrgId, event: &SprintEvent, by: Option<&Actor>) -> Option<Sent> {
    match event {
        SprintEvent::Completed(sprint) | SprintEvent::Deleted(sprint) => {
            let (project, name, by) = (sprint.project.clone(), sprint.name.clone(), by?.clone());
            Some((SettleSprint { org, project, sprint: sprint.id, name, by }.into(), AFTER_THE_REQUEST))
        }
        SprintEvent::Planned(..) | SprintEvent::Changed(..) | SprintEvent::Started(..) => None,
    }
}

/// Mentions may wait for an item that a run lets go. What else an agent claimed and left is found when its claim is
/// stale.
fn of_run(org: OrgId, event: &RunEvent) -> Vec<Sent> {
    match event {
        RunEvent::Ended(item, run, _) => vec![
            at_once(ReleaseLeftovers { org, run: *run }),
            at_once(AnswerMentions { org, item: item.clone() }),
        ],
        RunEvent::ContinuesLater(run, after) => vec![(ContinueRun { org, run: *run }.into(), *after)],
        RunEvent::Queued(..)
        | RunEvent::Returned(..)
        | RunEvent::Taken(..)
        | RunEvent::Started(..)
        | RunEvent::CancelRequested(..) => Vec::new(),
    }
}
