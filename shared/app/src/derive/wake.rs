//! Whom to wake in this process after the commit. Only a hint: other processes poll.

use svc_domain::event::{Event, Occurrence};

use crate::notifier::Notifier;

/// Wakes who follows what changes, runners that wait for a run where an event may have given them one, and those that
/// wait to hear of a cancel.
pub(crate) fn wake(notifier: &Notifier, occurrence: &Occurrence) {
    let Some(org) = occurrence.org else { return };
    notifier.notify_followers(org);
    if concerns_runners(&occurrence.event) {
        notifier.notify_runners(org);
    }
}

fn concerns_runners(event: &Event) -> bool {
    match event {
        // Its queued run waited for the items that blocked it.
        Event::ItemSaved(saved) => {
            saved.before.as_ref().is_some_and(|before| before.has_open_blocker)
                && !saved.after.has_open_blocker
        }
        // Runs that waited for a runner that is gone or disabled are anyone's.
        Event::RunQueued(..)
        | Event::RunReturned(..)
        | Event::RunnerChanged { .. }
        | Event::RunnerRemoved(..)
        | Event::RunCancelAsked(..)
        | Event::OrgDeleted
        | Event::OrgRestored
        | Event::BudgetsChanged => true,
        Event::OrgCreated(..)
        | Event::OrgRenamed(..)
        | Event::OrgReadOnlySet(..)
        | Event::MemberAdded(..)
        | Event::MemberChanged(..)
        | Event::MemberRemoved(..)
        | Event::ProjectMemberSet(..)
        | Event::ProjectMemberRemoved(..)
        | Event::InvitationSent { .. }
        | Event::InvitationRevoked(..)
        | Event::InvitationAccepted(..)
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
        | Event::ItemCreated(..)
        | Event::ItemDeleted(..)
        | Event::ItemRestored(..)
        | Event::ItemTransferred(..)
        | Event::ItemChanged(..)
        | Event::ItemMoved { .. }
        | Event::ItemMoveSkipped { .. }
        | Event::ItemClaimed { .. }
        | Event::ItemReleased { .. }
        | Event::PullRequestLinked { .. }
        | Event::PullRequestUnlinked(..)
        | Event::ItemLinked(..)
        | Event::ItemUnlinked(..)
        | Event::SubtasksLeftBehind(..)
        | Event::StateEntered { .. }
        | Event::WatchSet(..)
        | Event::InboxChanged(..)
        | Event::Attached(..)
        | Event::Detached(..)
        | Event::UploadAnnounced(..)
        | Event::Commented(..)
        | Event::CommentEdited(..)
        | Event::AgentMentioned(..)
        | Event::CommentDeleted(..)
        | Event::ReactionSet(..)
        | Event::SprintPlanned(..)
        | Event::SprintChanged(..)
        | Event::SprintStarted(..)
        | Event::SprintCompleted(..)
        | Event::SprintDeleted(..)
        | Event::PageWritten(..)
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
        | Event::RunnerSecretRotated(..)
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
        | Event::WebhookSet
        | Event::WebhookDeleted
        | Event::PullRequestAsked(..)
        | Event::RunTaken(..)
        | Event::RunStarted(..)
        | Event::RunEnded(..)
        | Event::RunContinuesLater(..) => false,
    }
}
