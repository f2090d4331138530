//! What people are told of: one message for each commit that may concern somebody. Who that is, a worker finds out.
//!
//! Whoever creates an item watches it from the beginning. Who comments on it or gets it assigned begins to later, in the
//! worker, because they may have stopped ([`crate::tracker::watchers`]).

use svc_domain::event::{Event, Occurrence};
use svc_domain::ids::{ActorId, ItemKey};
use svc_domain::refinement::RefinementStatus;
use svc_storage::{Condition, Op, keys};
use uuid::Uuid;

use crate::App;
use crate::messages::{Happened, Notify, Told};
use crate::outbox::Outgoing;
use crate::tracker::watchers::Watcher;

/// The message about the events of the commit of this id.
pub(super) fn message(app: &App, occurrences: &[Occurrence], commit: Uuid) -> Option<Outgoing> {
    let org = occurrences.iter().find_map(|occurrence| occurrence.org)?;
    let happened = |occurrence: &Occurrence| {
        let told = told(&occurrence.event, occurrences)?;
        Some(Happened { by: occurrence.by.clone(), at: occurrence.at, told })
    };
    let happened: Vec<Happened> = occurrences.iter().filter_map(happened).collect();
    let message = Notify { org, id: commit, happened };
    (!message.happened.is_empty()).then(|| Outgoing::of_commit(app, commit, message))
}

/// Whether an item that was created in a commit has an assignee.
fn is_assigned(item: &ItemKey, commit: &[Occurrence]) -> bool {
    commit.iter().any(|occurrence| {
        let Event::ItemSaved(saved) = &occurrence.event else { return false };
        saved.after.key == *item && saved.after.assignee.is_some()
    })
}

/// The rows that make the creator of an item its watcher.
pub(super) fn watches(occurrence: &Occurrence) -> Vec<Op> {
    let Event::ItemCreated(item) = &occurrence.event else { return Vec::new() };
    let (Some(org), Some(who)) = (occurrence.org, occurrence.by.clone()) else { return Vec::new() };
    let ActorId::User(user) = who.id else { return Vec::new() };
    vec![
        Op::put(keys::watcher(org, item, user), Condition::None, &Watcher { who, stopped: false }),
        Op::put(keys::watching(org, user, item), Condition::None, item),
    ]
}

fn told(event: &Event, commit: &[Occurrence]) -> Option<Told> {
    Some(match event {
        Event::ItemCreated(item) if is_assigned(item, commit) => Told::Assigned { item: item.clone() },
        Event::ItemChanged(item, change) if change.field == "assignee" && change.to.is_some() => {
            Told::Assigned { item: item.clone() }
        }
        Event::ItemMoved { item, to, run, .. } => {
            Told::Moved { item: item.clone(), to: to.clone(), run: run.is_some() }
        }
        Event::ItemClaimed { item, run, .. } => Told::Claimed { item: item.clone(), run: run.is_some() },
        Event::Commented(comment) => Told::Commented { item: comment.item.clone(), comment: comment.id },
        Event::CommentEdited(comment) => {
            Told::CommentEdited { item: comment.item.clone(), comment: comment.id }
        }
        Event::ReactionSet(comment, emoji, true) => {
            Told::Reacted { item: comment.item.clone(), comment: comment.id, emoji: *emoji }
        }
        Event::RunEnded(item, run, status) => {
            Told::RunEnded { item: item.clone(), run: *run, status: *status }
        }
        Event::RefinementChanged(item, RefinementStatus::Questions | RefinementStatus::Proposed) => {
            Told::NeedsInput { item: item.clone() }
        }
        Event::SprintStarted(sprint) => {
            Told::SprintStarted { project: sprint.project.clone(), sprint: sprint.id }
        }
        Event::SprintCompleted(sprint) => {
            Told::SprintCompleted { project: sprint.project.clone(), sprint: sprint.id }
        }
        Event::PageWritten(page, Some(version)) => {
            Told::PageWritten { project: page.project.clone(), path: page.path.clone(), version: *version }
        }
        Event::InvitationAccepted(invitation, user) => {
            Told::InvitationAccepted { invitation: *invitation, user: *user }
        }
        Event::ItemCreated(..)
        | Event::PageWritten(..)
        | Event::OrgCreated(..)
        | Event::OrgRenamed(..)
        | Event::OrgReadOnlySet(..)
        | Event::OrgDeleted
        | Event::OrgRestored
        | Event::MemberAdded(..)
        | Event::MemberChanged(..)
        | Event::MemberRemoved(..)
        | Event::ProjectMemberSet(..)
        | Event::ProjectMemberRemoved(..)
        | Event::InvitationSent { .. }
        | Event::InvitationRevoked(..)
        | Event::AccountCreated(..)
        | Event::ProfileChanged(..)
        | Event::PasswordChanged(..)
        | Event::PasswordResetAsked(..)
        | Event::NewAddressAsked(..)
        | Event::ProviderConnected(..)
        | Event::ProviderDisconnected(..)
        | Event::SessionOpened(..)
        | Event::SessionsEnded(..)
        | Event::TokenCreated(..)
        | Event::TokenRevoked(..)
        | Event::ProjectCreated(..)
        | Event::ProjectChanged(..)
        | Event::ProjectArchiveSet(..)
        | Event::ProjectDeleted(..)
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
        | Event::ReplacementBegun(..)
        | Event::ItemSaved(..)
        | Event::ItemDeleted(..)
        | Event::ItemRestored(..)
        | Event::ItemTransferred(..)
        | Event::ItemChanged(..)
        | Event::StateEntered { .. }
        | Event::ItemMoveSkipped { .. }
        | Event::ItemReleased { .. }
        | Event::PullRequestLinked { .. }
        | Event::PullRequestUnlinked(..)
        | Event::ItemLinked(..)
        | Event::ItemUnlinked(..)
        | Event::SubtasksLeftBehind(..)
        | Event::WatchSet(..)
        | Event::InboxChanged(..)
        | Event::Attached(..)
        | Event::Detached(..)
        | Event::UploadAnnounced(..)
        | Event::AgentMentioned(..)
        | Event::CommentDeleted(..)
        | Event::ReactionSet(..)
        | Event::SprintPlanned(..)
        | Event::SprintChanged(..)
        | Event::SprintDeleted(..)
        | Event::PageMoved(..)
        | Event::PageDeleted(..)
        | Event::PageBroughtBack(..)
        | Event::PageAccessChanged(..)
        | Event::PagesOnTheMove(..)
        | Event::AgentCreated(..)
        | Event::AgentChanged(..)
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
        | Event::RuleCreated(..)
        | Event::RuleChanged(..)
        | Event::RuleDeleted(..)
        | Event::ScheduleCreated(..)
        | Event::ScheduleChanged(..)
        | Event::ScheduleDeleted(..)
        | Event::FactorySettingsChanged(..)
        | Event::RefinementSettingsChanged(..)
        | Event::CodeHostConnected(..)
        | Event::CodeHostDisconnected(..)
        | Event::WebhookSet
        | Event::WebhookDeleted
        | Event::BudgetsChanged
        | Event::PullRequestAsked(..)
        | Event::RefinementChanged(..)
        | Event::RunQueued(..)
        | Event::RunReturned(..)
        | Event::RunTaken(..)
        | Event::RunStarted(..)
        | Event::RunCancelAsked(..)
        | Event::RunContinuesLater(..) => return None,
    })
}
