//! The audit log of an organization: who changed what about its people, projects and factory, and when.
//!
//! Work on items is not in it: that is what their history is for.

use jiff::SignedDuration;
use svc_domain::audit::{AuditAction as Action, AuditEntry};
use svc_domain::event::{Event, Occurrence};
use svc_storage::{Op, keys};

use crate::App;

/// The row of the audit log that an event leaves.
pub(super) fn op(app: &App, occurrence: &Occurrence) -> Option<Op> {
    let org = occurrence.org?;
    let entry = entry(occurrence)?;
    let kept = SignedDuration::from_hours(24 * i64::from(app.settings.retention.audit_days));
    let key = keys::audit(org, occurrence.at.as_millisecond(), app.uuid());
    Some(Op::create(key, &entry).expiring((occurrence.at + kept).as_second()))
}

fn entry(occurrence: &Occurrence) -> Option<AuditEntry> {
    let new = |action: Action| AuditEntry::new(occurrence.at, occurrence.by.clone(), action);
    Some(match &occurrence.event {
        Event::OrgCreated(slug) => new(Action::OrgCreated).named(slug.as_str()),
        Event::OrgRenamed(from, to) => new(Action::OrgRenamed).between(from, to),
        Event::OrgReadOnlySet(on) => new(Action::OrgReadOnlySet).to(on),
        Event::OrgDeleted => new(Action::OrgDeleted),
        Event::OrgRestored => new(Action::OrgRestored),
        Event::MemberAdded(user, role) => new(Action::MemberAdded).about(user).to(role),
        Event::MemberChanged(user, from, to) => new(Action::MemberChanged).about(user).between(from, to),
        Event::MemberRemoved(user) => new(Action::MemberRemoved).about(user),
        Event::ProjectMemberSet(project, user, role) => {
            new(Action::ProjectMemberSet).within(project).about(user).to(role)
        }
        Event::ProjectMemberRemoved(project, user) => {
            new(Action::ProjectMemberRemoved).within(project).about(user)
        }
        Event::InvitationSent { invitation, email, .. } => {
            new(Action::InvitationSent).about(invitation).named(email)
        }
        Event::InvitationRevoked(invitation) => new(Action::InvitationRevoked).about(invitation),
        Event::InvitationAccepted(invitation, user) => {
            new(Action::InvitationAccepted).about(invitation).to(user)
        }
        Event::ProjectCreated(project) => new(Action::ProjectCreated).within(project),
        Event::ProjectChanged(project) => new(Action::ProjectChanged).within(project),
        Event::ProjectArchiveSet(project, on) => new(Action::ProjectArchiveSet).within(project).to(on),
        Event::ProjectDeleted(project) => new(Action::ProjectDeleted).within(project),
        Event::ProjectRestored(project) => new(Action::ProjectRestored).within(project),
        Event::ProjectPurged(project) => new(Action::ProjectPurged).within(project),
        Event::WorkflowChanged(project, _) => new(Action::WorkflowChanged).within(project),
        Event::TeamCreated(project, team) => new(Action::TeamCreated).within(project).about(team),
        Event::TeamChanged(project, team) => new(Action::TeamChanged).within(project).about(team),
        Event::TeamDeleted(project, team) => new(Action::TeamDeleted).within(project).about(team),
        Event::AgentCreated(agent, name) => new(Action::AgentCreated).about(agent).named(name),
        Event::AgentChanged(agent, name) => new(Action::AgentChanged).about(agent).named(name),
        Event::AgentDeleted(agent, name) => new(Action::AgentDeleted).about(agent).named(name),
        Event::AgentRestored(agent, name) => new(Action::AgentRestored).about(agent).named(name),
        Event::RunnerRegistered(runner, name) => new(Action::RunnerRegistered).about(runner).named(name),
        Event::RunnerChanged { runner, name, disabled } => new(Action::RunnerChanged)
            .about(runner)
            .named(name)
            .to(if *disabled { "disabled" } else { "enabled" }),
        Event::RunnerSecretRotated(runner, name) => {
            new(Action::RunnerSecretRotated).about(runner).named(name)
        }
        Event::RunnerRemoved(runner, name) => new(Action::RunnerRemoved).about(runner).named(name),
        Event::PlaybookCreated(playbook) => {
            new(Action::PlaybookCreated).within(&playbook.project).about(playbook.id).named(&playbook.name)
        }
        Event::PlaybookChanged(playbook) => {
            new(Action::PlaybookChanged).within(&playbook.project).about(playbook.id).named(&playbook.name)
        }
        Event::PlaybookDeleted(playbook) => {
            new(Action::PlaybookDeleted).within(&playbook.project).about(playbook.id).named(&playbook.name)
        }
        Event::PlaybookRestored(playbook) => {
            new(Action::PlaybookRestored).within(&playbook.project).about(playbook.id).named(&playbook.name)
        }
        Event::FactorySettingsChanged(project) => new(Action::FactorySettingsChanged).within(project),
        Event::RuleCreated(project, rule, name) => {
            new(Action::RuleCreated).within(project).about(rule).named(name)
        }
        Event::RuleChanged(project, rule, name) => {
            new(Action::RuleChanged).within(project).about(rule).named(name)
        }
        Event::RuleDeleted(project, rule, name) => {
            new(Action::RuleDeleted).within(project).about(rule).named(name)
        }
        Event::ScheduleCreated(project, schedule, name) => {
            new(Action::ScheduleCreated).within(project).about(schedule).named(name)
        }
        Event::ScheduleChanged(project, schedule, name) => {
            new(Action::ScheduleChanged).within(project).about(schedule).named(name)
        }
        Event::ScheduleDeleted(project, schedule, name) => {
            new(Action::ScheduleDeleted).within(project).about(schedule).named(name)
        }
        Event::RefinementSettingsChanged(project) => new(Action::RefinementSettingsChanged).within(project),
        Event::CodeHostConnected(account) => new(Action::CodeHostConnected).named(account),
        Event::BudgetsChanged => new(Action::BudgetsChanged),
        Event::WebhookSet => new(Action::WebhookSet),
        Event::WebhookDeleted => new(Action::WebhookDeleted),
        Event::CodeHostDisconnected(account) => new(Action::CodeHostDisconnected).named(account),
        Event::AccountCreated(..)
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
        | Event::LabelCreated(..)
        | Event::LabelChanged(..)
        | Event::LabelDeleted(..)
        | Event::MilestonesChanged(..)
        | Event::TemplatesChanged(..)
        | Event::SharedViewsChanged(..)
        | Event::ReplacementBegun(..)
        | Event::ItemSaved(..)
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
        | Event::PullRequestAsked(..)
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
        | Event::RefinementChanged(..)
        | Event::RunQueued(..)
        | Event::RunReturned(..)
        | Event::RunTaken(..)
        | Event::RunStarted(..)
        | Event::RunCancelAsked(..)
        | Event::RunEnded(..)
        | Event::RunContinuesLater(..) => return None,
    })
}
