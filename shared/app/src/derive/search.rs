//! The texts that the indexer must read again.

use svc_domain::event::{Event, Occurrence};
use svc_domain::search::Source;
use svc_storage::Op;

use crate::search::changed;

/// The row that has the event's text indexed.
pub(super) fn op(occurrence: &Occurrence) -> Option<Op> {
    Some(changed(occurrence.org?, &source(&occurrence.event)?))
}

fn source(event: &Event) -> Option<Source> {
    match event {
        Event::ItemSaved(saved) => {
            let (before, after) = (saved.before.as_ref(), &saved.after);
            let same =
                |before: &svc_domain::item::Item| before.title == after.title && before.body == after.body;
            (saved.gone || !before.is_some_and(same)).then(|| Source::Item(after.key.clone()))
        }
        Event::Commented(comment) | Event::CommentEdited(comment) | Event::CommentDeleted(comment) => {
            Some(Source::Comment { item: comment.item.clone(), id: comment.id })
        }
        Event::PageWritten(page, _)
        | Event::PageMoved(page, _)
        | Event::PageDeleted(page)
        | Event::PageBroughtBack(page)
        | Event::PageAccessChanged(page) => {
            Some(Source::Page { project: page.project.clone(), id: page.id, path: page.path.clone() })
        }
        Event::OrgCreated(..)
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
        | Event::AgentMentioned(..)
        | Event::ReactionSet(..)
        | Event::SprintPlanned(..)
        | Event::SprintChanged(..)
        | Event::SprintStarted(..)
        | Event::SprintCompleted(..)
        | Event::SprintDeleted(..)
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
        | Event::PullRequestAsked(..)
        | Event::RunQueued(..)
        | Event::RunReturned(..)
        | Event::RunTaken(..)
        | Event::RunStarted(..)
        | Event::RunCancelAsked(..)
        | Event::RunEnded(..)
        | Event::RunContinuesLater(..) => None,
    }
}
