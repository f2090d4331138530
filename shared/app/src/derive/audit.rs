//! The audit log of an organization: who changed what about its people, projects and factory, who deleted what, and who
//! started runs.
//!
//! Other work on items is not in it: that is what their history is for. What admins of the instance do is in a log of the
//! instance's own, and in that of each organization that it concerns.

use jiff::SignedDuration;
use svc_domain::audit::{AuditAction as Action, AuditEntry};
use svc_domain::budget::Scope;
use svc_domain::event::{
    AccountEvent, ChannelChange, CommentEvent, Event, FactoryEvent, InstanceEvent, ItemEvent, MAY_START,
    Occurrence, OrgEvent, PageRef, ProjectEvent, RunEvent, RunnerEvent, SprintEvent, TokenReach, Via,
    WebhookChange, WikiEvent,
};
use svc_domain::identity::Plan;
use svc_domain::ids::TokenId;
use svc_storage::{Op, keys};

use crate::App;

/// The rows of the audit log that the events of a commit leave.
pub(super) fn ops(app: &App, occurrences: &[Occurrence]) -> Vec<Op> {
    // A playbook that is made or changed has its own line; that of its page would say the same again.
    let of_playbook = |told: &Occurrence| {
        matches!(
            &told.event,
            Event::Factory(FactoryEvent::PlaybookCreated(_) | FactoryEvent::PlaybookChanged(_))
        )
    };
    let is_told = occurrences.iter().any(of_playbook);
    let repeats = |told: &&Occurrence| is_told && matches!(told.event, Event::Wiki(WikiEvent::Written(..)));
    occurrences.iter().filter(|told| !repeats(told)).filter_map(|told| op(app, told)).collect()
}

fn op(app: &App, occurrence: &Occurrence) -> Option<Op> {
    let millis = occurrence.at.as_millisecond();
    let key = match (occurrence.org, &occurrence.event) {
        (Some(org), _) => keys::audit(org, millis, app.uuid()),
        (None, Event::Instance(_)) => keys::instance_audit(millis, app.uuid()),
        (None, _) => return None,
    };
    let entry = entry(occurrence)?;
    let entry = match &occurrence.via {
        Some(via) => entry.via(occurrence.by.clone(), via),
        None => entry,
    };
    let kept = SignedDuration::from_hours(24 * i64::from(app.settings.retention.audit_days));
    Some(Op::create(key, &entry).expiring((occurrence.at + kept).as_second()))
}

fn entry(occurrence: &Occurrence) -> Option<AuditEntry> {
    let new = |action: Action| AuditEntry::new(occurrence.at, occurrence.by.clone(), action);
    Some(match &occurrence.event {
        Event::Org(event) => match event {
            OrgEvent::Created(slug) => new(Action::OrgCreated).named(slug.as_str()),
            OrgEvent::Renamed(from, to) => new(Action::OrgRenamed).between(from, to),
            OrgEvent::ReadOnlySet(on) => new(Action::OrgReadOnlySet).to(on),
            OrgEvent::Deleted => new(Action::OrgDeleted),
            OrgEvent::Restored => new(Action::OrgRestored),
            OrgEvent::MemberAdded(user, standing) => new(Action::MemberAdded).about(user).to(standing),
            OrgEvent::MemberChanged(user, from, to) => {
                new(Action::MemberChanged).about(user).between(from, to)
            }
            OrgEvent::MemberRenamed(user, from, to) => {
                new(Action::MemberRenamed).about(user).between(from, to)
            }
            OrgEvent::MemberRemoved(user) => new(Action::MemberRemoved).about(user),
            OrgEvent::InvitationSent { invitation, email, terms, .. } => {
                let line = new(Action::InvitationSent).about(invitation).named(email);
                let flag = if terms.can_start_ai_work { MAY_START } else { "" };
                let line = line.to(format_args!("{}{flag}", terms.preset));
                terms.project.iter().fold(line, AuditEntry::within)
            }
            OrgEvent::InvitationRevoked(invitation) => new(Action::InvitationRevoked).about(invitation),
            OrgEvent::InvitationAccepted(invitation, user) => {
                new(Action::InvitationAccepted).about(invitation).to(user)
            }
            OrgEvent::GroupRolesChanged(from, to) => new(Action::GroupRolesChanged).between(from, to),
            OrgEvent::DirectoryTokenCreated(id, name) => {
                new(Action::TokenCreated).about(id).named(name).to("SCIM")
            }
            OrgEvent::DirectoryTokenRevoked(id, name) => {
                new(Action::TokenRevoked).about(id).named(name).to("SCIM")
            }
            OrgEvent::Channel(id, name, change) => new(of_channel(*change)).about(id).named(name),
            OrgEvent::Webhook(id, name, change) => new(of_webhook(*change)).about(id).named(name),
            OrgEvent::WebhookChanged(id, name, from, to) => {
                new(Action::OutboundWebhookChanged).about(id).named(name).between(from, to)
            }
            OrgEvent::ViewDeleted(view, name) => new(Action::ViewDeleted).about(view).named(name),
            OrgEvent::InboxChanged(..) | OrgEvent::SharedViewsChanged => return None,
        },
        Event::Project(event) => match event {
            ProjectEvent::MemberSet(project, user, role) => {
                new(Action::ProjectMemberSet).within(project).about(user).to(role)
            }
            ProjectEvent::MemberRemoved(project, user) => {
                new(Action::ProjectMemberRemoved).within(project).about(user)
            }
            ProjectEvent::Created(project) => new(Action::ProjectCreated).within(project),
            ProjectEvent::Changed(project) => new(Action::ProjectChanged).within(project),
            ProjectEvent::ArchiveSet(project, on) => new(Action::ProjectArchiveSet).within(project).to(on),
            ProjectEvent::Deleted(project) => new(Action::ProjectDeleted).within(project),
            ProjectEvent::Restored(project) => new(Action::ProjectRestored).within(project),
            ProjectEvent::Purged(project) => new(Action::ProjectPurged).within(project),
            ProjectEvent::WorkflowChanged(project, _) => new(Action::WorkflowChanged).within(project),
            ProjectEvent::TeamCreated(project, team) => new(Action::TeamCreated).within(project).about(team),
            ProjectEvent::TeamChanged(project, team) => new(Action::TeamChanged).within(project).about(team),
            ProjectEvent::TeamDeleted(project, team) => new(Action::TeamDeleted).within(project).about(team),
            ProjectEvent::LabelDeleted(project, name) => {
                new(Action::LabelDeleted).within(project).named(name)
            }
            ProjectEvent::MilestoneDeleted(project, milestone, name) => {
                new(Action::MilestoneDeleted).within(project).about(milestone).named(name)
            }
            ProjectEvent::TemplateDeleted(project, template, name) => {
                new(Action::TemplateDeleted).within(project).about(template).named(name)
            }
            ProjectEvent::ViewDeleted(project, view, name) => {
                new(Action::ViewDeleted).within(project).about(view).named(name)
            }
            ProjectEvent::IntakeCreated(project, intake, name) => {
                new(Action::IntakeCreated).within(project).about(intake).named(name)
            }
            ProjectEvent::IntakeChanged(project, intake, name) => {
                new(Action::IntakeChanged).within(project).about(intake).named(name)
            }
            ProjectEvent::IntakeRotated(project, intake, name) => {
                new(Action::IntakeRotated).within(project).about(intake).named(name)
            }
            ProjectEvent::IntakeDeleted(project, intake, name) => {
                new(Action::IntakeDeleted).within(project).about(intake).named(name)
            }
            ProjectEvent::LabelCreated(..)
            | ProjectEvent::LabelChanged(..)
            | ProjectEvent::MilestonesChanged(..)
            | ProjectEvent::TemplatesChanged(..)
            | ProjectEvent::SharedViewsChanged(..)
            | ProjectEvent::ReplacementStarted(..) => return None,
        },
        Event::Factory(event) => match event {
            FactoryEvent::AgentCreated(agent, name) => new(Action::AgentCreated).about(agent).named(name),
            FactoryEvent::AgentChanged(agent, name) => new(Action::AgentChanged).about(agent).named(name),
            FactoryEvent::AgentDeleted(agent, name) => new(Action::AgentDeleted).about(agent).named(name),
            FactoryEvent::AgentRestored(agent, name) => new(Action::AgentRestored).about(agent).named(name),
            FactoryEvent::PlaybookCreated(playbook) => new(Action::PlaybookCreated)
                .within(&playbook.project)
                .about(playbook.id)
                .named(&playbook.name),
            FactoryEvent::PlaybookChanged(playbook) => new(Action::PlaybookChanged)
                .within(&playbook.project)
                .about(playbook.id)
                .named(&playbook.name),
            FactoryEvent::PlaybookDeleted(playbook) => new(Action::PlaybookDeleted)
                .within(&playbook.project)
                .about(playbook.id)
                .named(&playbook.name),
            FactoryEvent::PlaybookRestored(playbook) => new(Action::PlaybookRestored)
                .within(&playbook.project)
                .about(playbook.id)
                .named(&playbook.name),
            FactoryEvent::SettingsChanged(project) => new(Action::FactorySettingsChanged).within(project),
            FactoryEvent::RuleCreated(project, rule, name) => {
                new(Action::RuleCreated).within(project).about(rule).named(name)
            }
            FactoryEvent::RuleChanged(project, rule, name) => {
                new(Action::RuleChanged).within(project).about(rule).named(name)
            }
            FactoryEvent::RuleDeleted(project, rule, name) => {
                new(Action::RuleDeleted).within(project).about(rule).named(name)
            }
            FactoryEvent::ScheduleCreated(project, schedule, name) => {
                new(Action::ScheduleCreated).within(project).about(schedule).named(name)
            }
            FactoryEvent::ScheduleChanged(project, schedule, name)
            | FactoryEvent::SchedulePaused(project, schedule, name) => {
                new(Action::ScheduleChanged).within(project).about(schedule).named(name)
            }
            FactoryEvent::ScheduleDeleted(project, schedule, name) => {
                new(Action::ScheduleDeleted).within(project).about(schedule).named(name)
            }
            FactoryEvent::RefinementSettingsChanged(project) => {
                new(Action::RefinementSettingsChanged).within(project)
            }
            FactoryEvent::CodeHostConnected(account) => new(Action::CodeHostConnected).named(account),
            FactoryEvent::BudgetChanged { of, from, to } => {
                let line = new(Action::BudgetsChanged).between(from, to);
                match of {
                    Scope::Organization => line,
                    Scope::Project(project) => line.within(project),
                    Scope::Agent(agent) => line.about(agent),
                }
            }
            FactoryEvent::WebhookSet => new(Action::WebhookSet),
            FactoryEvent::WebhookDeleted => new(Action::WebhookDeleted),
            FactoryEvent::CodeHostDisconnected(account) => new(Action::CodeHostDisconnected).named(account),
        },
        Event::Runner(event) => match event {
            RunnerEvent::Registered(runner, name) => new(Action::RunnerRegistered).about(runner).named(name),
            RunnerEvent::Changed { runner, name, disabled } => new(Action::RunnerChanged)
                .about(runner)
                .named(name)
                .to(if *disabled { "disabled" } else { "enabled" }),
            RunnerEvent::SecretRotated(runner, name) => {
                new(Action::RunnerSecretRotated).about(runner).named(name)
            }
            RunnerEvent::Removed(runner, name) => new(Action::RunnerRemoved).about(runner).named(name),
        },
        Event::Account(event) => match event {
            AccountEvent::TokenCreated(token, name, reach) => {
                of_token(new(Action::TokenCreated), token, name, *reach)
            }
            AccountEvent::TokenRevoked(token, name, reach) => {
                of_token(new(Action::TokenRevoked), token, name, *reach)
            }
            AccountEvent::Created(..)
            | AccountEvent::ProfileChanged(..)
            | AccountEvent::PasswordChanged(..)
            | AccountEvent::PasswordResetRequested(..)
            | AccountEvent::AddressChangeRequested(..)
            | AccountEvent::ProviderConnected(..)
            | AccountEvent::ProviderDisconnected(..)
            | AccountEvent::SessionOpened(..)
            | AccountEvent::SessionsEnded(..) => return None,
        },
        Event::Instance(event) => of_instance(occurrence, event),
        Event::Item(event) => match event {
            ItemEvent::Deleted(item) => new(Action::ItemDeleted).within(&item.project).about(item),
            ItemEvent::Restored(item) => new(Action::ItemRestored).within(&item.project).about(item),
            ItemEvent::Created(..)
            | ItemEvent::Imported(..)
            | ItemEvent::Received(..)
            | ItemEvent::Transferred(..)
            | ItemEvent::Changed(..)
            | ItemEvent::Moved { .. }
            | ItemEvent::StateEntered { .. }
            | ItemEvent::MoveSkipped { .. }
            | ItemEvent::Claimed { .. }
            | ItemEvent::Released { .. }
            | ItemEvent::PullRequestLinked { .. }
            | ItemEvent::PullRequestUnlinked(..)
            | ItemEvent::FollowUpRequested(..)
            | ItemEvent::Linked(..)
            | ItemEvent::Unlinked(..)
            | ItemEvent::SubtasksLeftBehind(..)
            | ItemEvent::WatchSet(..)
            | ItemEvent::Attached(..)
            | ItemEvent::Detached(..)
            | ItemEvent::UploadAnnounced(..)
            | ItemEvent::RefinementChanged(..) => return None,
        },
        Event::Comment(event) => match event {
            CommentEvent::Deleted(comment) => {
                new(Action::CommentDeleted).within(&comment.item.project).about(&comment.item)
            }
            CommentEvent::Created(..)
            | CommentEvent::Imported(..)
            | CommentEvent::Edited(..)
            | CommentEvent::AgentsAsked(..)
            | CommentEvent::ReactionSet(..) => return None,
        },
        Event::Sprint(event) => match event {
            SprintEvent::Deleted(sprint) => {
                new(Action::SprintDeleted).within(&sprint.project).about(sprint.id).named(&sprint.name)
            }
            SprintEvent::Planned(..)
            | SprintEvent::Changed(..)
            | SprintEvent::Started(..)
            | SprintEvent::Completed(..) => return None,
        },
        Event::Wiki(event) => match event {
            WikiEvent::Deleted(page) => {
                new(Action::PageDeleted).within(&page.project).about(page.id).named(page.path.as_str())
            }
            WikiEvent::Restored(page) => {
                new(Action::PageRestored).within(&page.project).about(page.id).named(page.path.as_str())
            }
            WikiEvent::AccessChanged(page) => {
                new(Action::PageAccessChanged).within(&page.project).about(page.id).named(page.path.as_str())
            }
            // The instructions of a playbook are the page of its name, so that this changes what agents are told.
            WikiEvent::Written(page, _) if page.path.is_in_factory_section() => {
                by_page(new(Action::PlaybookChanged), page)
            }
            WikiEvent::Moved(page, from) if *from != page.path && page.path.is_in_factory_section() => {
                by_page(new(Action::PlaybookChanged), page)
            }
            WikiEvent::Written(..) | WikiEvent::Moved(..) | WikiEvent::MoveUnfinished(..) => return None,
        },
        Event::Run(event) => match event {
            RunEvent::Queued(item, run, via) => {
                let line = new(Action::RunStarted).within(&item.project).about(run).to(item);
                via.iter().fold(line, |line, Via { what, by }| line.via(by.clone(), what))
            }
            RunEvent::CancelRequested(item, run) => {
                new(Action::RunCancelled).within(&item.project).about(run).to(item)
            }
            RunEvent::Returned(..)
            | RunEvent::Taken(..)
            | RunEvent::Started(..)
            | RunEvent::Ended(..)
            | RunEvent::ContinuesLater(..) => return None,
        },
        Event::ItemSaved(_) => return None,
    })
}

/// An organization reads that it was not one of its own Admins; both logs, that it was done on the machine where no person
/// is named.
fn of_instance(occurrence: &Occurrence, event: &InstanceEvent) -> AuditEntry {
    let new = |action: Action| AuditEntry::new(occurrence.at, occurrence.by.clone(), action);
    let line = match event {
        InstanceEvent::AccountDisabled(user) => new(Action::AccountDisabled).about(user),
        InstanceEvent::AccountEnabled(user) => new(Action::AccountEnabled).about(user),
        InstanceEvent::AccountSignedOut(user) => new(Action::AccountSignedOut).about(user),
        InstanceEvent::PasswordLinkMade(user) => new(Action::PasswordLinkMade).about(user),
        InstanceEvent::PlanSet { org, from, to } => {
            let word = |plan: &Option<Plan>| plan.map_or("none", Plan::as_str);
            new(Action::PlanSet).named(org.as_str()).between(word(from), word(to))
        }
        InstanceEvent::MessagesReplayed(count) => new(Action::MessagesReplayed).to(count),
        InstanceEvent::MailTested(address) => new(Action::MailTested).to(address),
    };
    match (&occurrence.by, occurrence.org) {
        (None, _) => line.via(None, "svc-server"),
        (Some(_), Some(_)) => line.via(occurrence.by.clone(), "administration of the instance"),
        (Some(_), None) => line,
    }
}

/// A playbook is changed by its page in the wiki.
fn by_page(line: AuditEntry, page: &PageRef) -> AuditEntry {
    let by = line.by.clone();
    let line = line.within(&page.project).about(page.id).named(page.path.title());
    line.via(by, &format!("wiki page {}", page.path))
}

/// A token of the account reaches more than the organization whose log says it.
fn of_token(line: AuditEntry, token: &TokenId, name: &str, reach: TokenReach) -> AuditEntry {
    let line = line.about(token).named(name);
    match reach {
        TokenReach::Organization => line,
        TokenReach::Account => line.to("all organizations of its owner"),
    }
}

const fn of_channel(change: ChannelChange) -> Action {
    match change {
        ChannelChange::Created => Action::ChannelCreated,
        ChannelChange::Changed => Action::ChannelChanged,
        ChannelChange::Deleted => Action::ChannelDeleted,
    }
}

const fn of_webhook(change: WebhookChange) -> Action {
    match change {
        WebhookChange::Created => Action::OutboundWebhookCreated,
        WebhookChange::SecretRotated => Action::OutboundWebhookSecretRotated,
        WebhookChange::Deleted => Action::OutboundWebhookDeleted,
        WebhookChange::Disabled => Action::OutboundWebhookDisabled,
    }
}
