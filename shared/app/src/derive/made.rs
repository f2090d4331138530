//! What a request created or changed, remembered under its idempotency key.

use serde::{Deserialize, Serialize};
use svc_domain::event::Event;
use svc_domain::ids::{CommentId, ItemKey, OrgSlug, ProjectKey, RunId, SprintId};

/// What a request did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Made {
    /// Whether it was created by the request, or only changed.
    pub created: bool,
    /// What it is.
    pub what: What,
}

/// Something that has an address of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum What {
    /// An organization.
    Org(OrgSlug),
    /// A project.
    Project(ProjectKey),
    /// An item.
    Item(ItemKey),
    /// A comment on an item.
    Comment(ItemKey, CommentId),
    /// A sprint.
    Sprint(SprintId),
    /// A run.
    Run(RunId),
}

/// What an event says that its request made, where that can be read at an address.
pub(super) fn of(event: &Event) -> Option<Made> {
    let created = |what| Some(Made { created: true, what });
    let changed = |what| Some(Made { created: false, what });
    match event {
        Event::OrgCreated(slug) => created(What::Org(slug.clone())),
        Event::ProjectCreated(project) => created(What::Project(project.clone())),
        Event::ItemCreated(item) => created(What::Item(item.clone())),
        Event::ItemRestored(item) | Event::ItemTransferred(_, item) => changed(What::Item(item.clone())),
        Event::Commented(comment) => created(What::Comment(comment.item.clone(), comment.id)),
        Event::SprintPlanned(sprint) => created(What::Sprint(sprint.id)),
        Event::RunQueued(_, run) => created(What::Run(*run)),
        Event::ItemChanged(item, _)
        | Event::ItemMoved { item, .. }
        | Event::ItemClaimed { item, .. }
        | Event::ItemReleased { item, .. }
        | Event::PullRequestLinked { item, .. }
        | Event::PullRequestUnlinked(item, _)
        | Event::ItemLinked(item, _)
        | Event::ItemUnlinked(item, _) => changed(What::Item(item.clone())),
        Event::SprintStarted(sprint) => changed(What::Sprint(sprint.id)),
        Event::RunCancelAsked(_, run) | Event::RunEnded(_, run, _) => changed(What::Run(*run)),
        Event::OrgRenamed(..)
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
        | Event::ItemMoveSkipped { .. }
        | Event::SubtasksLeftBehind(..)
        | Event::StateEntered { .. }
        | Event::WatchSet(..)
        | Event::InboxChanged(..)
        | Event::Attached(..)
        | Event::Detached(..)
        | Event::UploadAnnounced(..)
        | Event::CommentEdited(..)
        | Event::AgentMentioned(..)
        | Event::CommentDeleted(..)
        | Event::ReactionSet(..)
        | Event::SprintChanged(..)
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
        | Event::RunReturned(..)
        | Event::RunTaken(..)
        | Event::RunStarted(..)
        | Event::RunContinuesLater(..) => None,
    }
}
