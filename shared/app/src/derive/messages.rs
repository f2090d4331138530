//! Which messages workers get, and when. Each has a row in the outbox, written in the commit of its event.

use jiff::SignedDuration;
use svc_domain::deletion::KEPT;
use svc_domain::event::{Event, Occurrence};
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

/// The messages that an event sends.
pub(super) fn of(app: &App, occurrence: &Occurrence) -> Vec<Outgoing> {
    let messages = message(app, occurrence).into_iter().chain(of_freed_item(occurrence));
    let messages = messages.chain(of_blockers(occurrence)).chain(of_deleted_place(occurrence));
    messages.map(|(message, delay)| Outgoing::new(app, message, delay)).collect()
}

/// Mentions may wait for an item that a run or a person lets go. What else an agent claimed and left is found
/// when its claim is stale.
fn of_freed_item(occurrence: &Occurrence) -> Option<(Message, SignedDuration)> {
    let (Event::RunEnded(item, ..) | Event::ItemReleased { item, run: None, .. }) = &occurrence.event else {
        return None;
    };
    Some((AnswerMentions { org: occurrence.org?, item: item.clone() }.into(), SignedDuration::ZERO))
}

/// Items are blocked by others, which went to another state, were deleted or came back, alone or with their project.
/// Whoever comes back may have missed what happened to its own.
fn of_blockers(occurrence: &Occurrence) -> Option<(Message, SignedDuration)> {
    let (org, by) = (occurrence.org?, occurrence.by.clone());
    if let Event::WorkflowChanged(project, states) = &occurrence.event {
        let (project, states) = (project.clone(), states.clone());
        let message = NoteBlockersOfStates { org, project, states, by };
        return (!message.states.is_empty()).then(|| (message.into(), SignedDuration::ZERO));
    }
    if let Event::ProjectDeleted(project) | Event::ProjectRestored(project) = &occurrence.event {
        let message = NoteBlockersOfStates { org, project: project.clone(), states: Vec::new(), by };
        return Some((message.into(), SignedDuration::ZERO));
    }
    let Event::ItemSaved(saved) = &occurrence.event else { return None };
    let (before, after) = (saved.before.as_ref(), &saved.after);
    if !saved.gone && before.is_some_and(|before| before.state == after.state) {
        return None;
    }
    let back = before.is_none().then_some(&after.key).filter(|_| !after.item_links.is_empty());
    let items: Vec<_> = after.linked(LinkKind::Blocks).chain(back).cloned().collect();
    (!items.is_empty()).then(|| (NoteBlockers { org, items, by }.into(), SignedDuration::ZERO))
}

/// What runs in a deleted project or organization is stopped. Nothing begins there any more: that demands its row.
fn of_deleted_place(occurrence: &Occurrence) -> Option<(Message, SignedDuration)> {
    let (org, at) = (occurrence.org?, occurrence.at);
    if let Event::ProjectDeleted(project) = &occurrence.event {
        return Some((StopRuns { org, project: project.clone(), at }.into(), SignedDuration::ZERO));
    }
    let Event::OrgDeleted = &occurrence.event else { return None };
    Some((StopOrgRuns { org, at }.into(), SignedDuration::ZERO))
}

fn message(app: &App, occurrence: &Occurrence) -> Option<(Message, SignedDuration)> {
    const NOW: SignedDuration = SignedDuration::ZERO;
    let (org, by) = (occurrence.org, occurrence.by.as_ref());
    Some(match &occurrence.event {
        Event::InvitationSent { invitation, mail, .. } => {
            (MailInvitation { org: org?, invitation: *invitation, generation: (*mail)? }.into(), NOW)
        }
        Event::StateEntered { item, state, run } => {
            let (item, state, at) = (item.clone(), state.clone(), occurrence.at);
            (FireRules { org: org?, item, state, at, id: app.uuid(), run: *run }.into(), NOW)
        }
        Event::AgentMentioned(item) | Event::PullRequestAsked(item) => {
            (AnswerMentions { org: org?, item: item.clone() }.into(), NOW)
        }
        Event::ProfileChanged(user) => (SpreadProfile { user: *user }.into(), NOW),
        Event::AgentChanged(agent, _) => (SpreadAgentName { org: org?, agent: *agent }.into(), NOW),
        Event::PasswordResetAsked(email) => (MailPasswordReset { email: email.clone() }.into(), NOW),
        Event::NewAddressAsked(user, email) => {
            (MailNewAddress { user: *user, email: email.clone() }.into(), NOW)
        }
        Event::ReplacementBegun(project, id) => {
            let message = ReplaceInItems { org: org?, project: project.clone(), id: *id };
            (message.into(), replacements::SETTLE)
        }
        Event::SubtasksLeftBehind(item, from) => {
            let (item, from, by) = (item.clone(), from.clone(), by?.clone());
            let at = Some(occurrence.at);
            (FollowItem { org: org?, item, from, by, at }.into(), AFTER_THE_REQUEST)
        }
        Event::ItemDeleted(item) => {
            let message = PurgeItem { org: org?, item: item.clone(), at: occurrence.at };
            (message.into(), KEPT.saturating_add(AFTER_THE_LAST_RESTORE))
        }
        Event::ProjectDeleted(project) => {
            let message = PurgeProject { org: org?, project: project.clone(), at: occurrence.at };
            (message.into(), KEPT.saturating_add(AFTER_THE_LAST_RESTORE))
        }
        Event::OrgDeleted => {
            let message = PurgeOrg { org: org?, at: occurrence.at };
            (message.into(), KEPT.saturating_add(AFTER_THE_LAST_RESTORE))
        }
        Event::ItemTransferred(from, _) => {
            (FinishTransfer { org: org?, from: from.clone() }.into(), AFTER_THE_REQUEST)
        }
        Event::CommentDeleted(comment) => {
            let message = ClearReactions { org: org?, item: comment.item.clone(), comment: comment.id };
            (message.into(), CLEARED_AFTER)
        }
        Event::SprintCompleted(sprint) | Event::SprintDeleted(sprint) => {
            let (project, name) = (sprint.project.clone(), sprint.name.clone());
            let leaving = SettleSprint { org: org?, project, sprint: sprint.id, name, by: by?.clone() };
            (leaving.into(), AFTER_THE_REQUEST)
        }
        Event::PagesOnTheMove(project) => {
            (FinishPageMove { org: org?, project: project.clone() }.into(), AFTER_THE_REQUEST)
        }
        Event::RunEnded(_, run, _) => (ReleaseLeftovers { org: org?, run: *run }.into(), NOW),
        Event::RunContinuesLater(run, after) => (ContinueRun { org: org?, run: *run }.into(), *after),
        Event::OrgCreated(..)
        | Event::OrgRenamed(..)
        | Event::OrgReadOnlySet(..)
        | Event::OrgRestored
        | Event::MemberAdded(..)
        | Event::MemberChanged(..)
        | Event::MemberRemoved(..)
        | Event::ProjectMemberSet(..)
        | Event::ProjectMemberRemoved(..)
        | Event::InvitationRevoked(..)
        | Event::InvitationAccepted(..)
        | Event::AccountCreated(..)
        | Event::PasswordChanged(..)
        | Event::ProviderConnected(..)
        | Event::ProviderDisconnected(..)
        | Event::SessionOpened(..)
        | Event::SessionsEnded(..)
        | Event::TokenCreated(..)
        | Event::TokenRevoked(..)
        | Event::ProjectCreated(..)
        | Event::ProjectChanged(..)
        | Event::ProjectArchiveSet(..)
        | Event::ProjectRestored(..)
        | Event::ProjectPurged(..)
        | Event::WorkflowChanged(..)
        | Event::LabelCreated(..)
        | Event::LabelChanged(..)
        | Event::LabelDeleted(..)
        | Event::MilestonesChanged(..)
        | Event::TemplatesChanged(..)
        | Event::SharedViewsChanged(..)
        | Event::TeamCreated(..)
        | Event::TeamChanged(..)
        | Event::TeamDeleted(..)
        | Event::ItemSaved(..)
        | Event::ItemCreated(..)
        | Event::ItemRestored(..)
        | Event::ItemChanged(..)
        | Event::ItemMoved { .. }
        | Event::ItemMoveSkipped { .. }
        | Event::ItemClaimed { .. }
        | Event::ItemReleased { .. }
        | Event::PullRequestLinked { .. }
        | Event::PullRequestUnlinked(..)
        | Event::ItemLinked(..)
        | Event::ItemUnlinked(..)
        | Event::WatchSet(..)
        | Event::InboxChanged(..)
        | Event::Attached(..)
        | Event::Detached(..)
        | Event::UploadAnnounced(..)
        | Event::Commented(..)
        | Event::CommentEdited(..)
        | Event::ReactionSet(..)
        | Event::SprintPlanned(..)
        | Event::SprintChanged(..)
        | Event::SprintStarted(..)
        | Event::PageWritten(..)
        | Event::PageMoved(..)
        | Event::PageDeleted(..)
        | Event::PageBroughtBack(..)
        | Event::PageAccessChanged(..)
        | Event::AgentCreated(..)
        | Event::AgentDeleted(..)
        | Event::AgentRestored(..)
        | Event::RunnerRegistered(..)
        | Event::RunnerChanged { .. }
        | Event::RunnerSecretRotated(..)
        | Event::RunnerRemoved(..)
        | Event::PlaybookCreated(..)
        | Event::PlaybookChanged(..)
        | Event::PlaybookDeleted(..)
        | Event::PlaybookRestored(..)
        | Event::FactorySettingsChanged(..)
        | Event::RefinementSettingsChanged(..)
        | Event::RuleCreated(..)
        | Event::RuleChanged(..)
        | Event::RuleDeleted(..)
        | Event::ScheduleCreated(..)
        | Event::ScheduleChanged(..)
        | Event::ScheduleDeleted(..)
        | Event::RefinementChanged(..)
        | Event::CodeHostConnected(..)
        | Event::CodeHostDisconnected(..)
        | Event::BudgetsChanged
        | Event::WebhookSet
        | Event::WebhookDeleted
        | Event::RunQueued(..)
        | Event::RunReturned(..)
        | Event::RunTaken(..)
        | Event::RunStarted(..)
        | Event::RunCancelAsked(..) => return None,
    })
}
