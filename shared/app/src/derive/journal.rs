//! The journal of an organization, which live pages follow: one line for each commit that changed something that
//! somebody may be looking at.

use std::collections::BTreeMap;

use jiff::SignedDuration;
use svc_domain::event::{Event, Occurrence, PageRef};
use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::journal::{Changed, Line};
use svc_storage::{Op, keys};
use uuid::Uuid;

use crate::App;
use crate::journal::KEPT;

/// Lines stay longer than anybody may ask for them.
const SLACK: SignedDuration = SignedDuration::from_hours(1);

/// The rows of the journal that the events of a commit make: one for each organization. They bear the id of the
/// commit.
pub(crate) fn ops(app: &App, occurrences: &[Occurrence], commit: Uuid) -> Vec<Op> {
    let mut lines: BTreeMap<OrgId, Line> = BTreeMap::new();
    for occurrence in occurrences {
        let Some(org) = occurrence.org else { continue };
        for changed in changed(&occurrence.event) {
            lines.entry(org).or_default().add(changed);
        }
    }
    let at = occurrences.first().map(|first| first.at);
    let row = |(org, line): (OrgId, Line)| {
        let at = at?;
        let key = keys::journal_line(org, app.feed_clock.place(at), commit.simple());
        Some(Op::create(key, &line).expiring((at + KEPT + SLACK).as_second()))
    };
    lines.into_iter().filter_map(row).collect()
}

fn changed(event: &Event) -> Vec<Changed> {
    let of = |project: &ProjectKey, kind: fn(ProjectKey) -> Changed| vec![kind(project.clone())];
    match event {
        Event::ItemSaved(saved) => {
            let key = &saved.after.key;
            vec![Changed::Items { project: key.project.clone(), numbers: vec![key.number] }]
        }
        Event::OrgRenamed(..) | Event::OrgReadOnlySet(..) | Event::OrgDeleted | Event::OrgRestored => {
            vec![Changed::Organization]
        }
        Event::MemberAdded(..) => vec![Changed::Members],
        Event::MemberChanged(user, ..) | Event::MemberRemoved(user) => {
            vec![Changed::Members, Changed::Access { user: *user }]
        }
        Event::ProjectMemberSet(project, user, _) | Event::ProjectMemberRemoved(project, user) => {
            vec![Changed::ProjectMembers { project: project.clone() }, Changed::Access { user: *user }]
        }
        Event::InvitationSent { .. } | Event::InvitationRevoked(..) => vec![Changed::Invitations],
        Event::InvitationAccepted(..) => vec![Changed::Invitations, Changed::Members],
        Event::ProjectCreated(project)
        | Event::ProjectChanged(project)
        | Event::ProjectArchiveSet(project, _)
        | Event::ProjectDeleted(project)
        | Event::ProjectRestored(project)
        | Event::ProjectPurged(project) => of(project, |project| Changed::Project { project }),
        Event::WorkflowChanged(project, _) => of(project, |project| Changed::Workflow { project }),
        Event::LabelCreated(project, _)
        | Event::LabelChanged(project, ..)
        | Event::LabelDeleted(project, _) => of(project, |project| Changed::Labels { project }),
        Event::MilestonesChanged(project) => of(project, |project| Changed::Milestones { project }),
        Event::TemplatesChanged(project) => of(project, |project| Changed::Templates { project }),
        Event::SharedViewsChanged(project) => of(project, |project| Changed::Views { project }),
        Event::TeamCreated(project, _) | Event::TeamChanged(project, _) | Event::TeamDeleted(project, _) => {
            of(project, |project| Changed::Teams { project })
        }
        Event::PlaybookCreated(playbook)
        | Event::PlaybookChanged(playbook)
        | Event::PlaybookDeleted(playbook)
        | Event::PlaybookRestored(playbook) => {
            of(&playbook.project, |project| Changed::Playbooks { project })
        }
        Event::RuleCreated(project, ..)
        | Event::RuleChanged(project, ..)
        | Event::RuleDeleted(project, ..) => of(project, |project| Changed::Rules { project }),
        Event::FactorySettingsChanged(project) => of(project, |project| Changed::FactorySettings { project }),
        Event::RefinementSettingsChanged(project) => {
            of(project, |project| Changed::RefinementSettings { project })
        }
        Event::SprintPlanned(sprint)
        | Event::SprintChanged(sprint)
        | Event::SprintStarted(sprint)
        | Event::SprintCompleted(sprint)
        | Event::SprintDeleted(sprint) => {
            vec![Changed::Sprint { project: sprint.project.clone(), id: sprint.id }]
        }
        Event::Attached(item, ..) | Event::Detached(item, ..) => {
            vec![Changed::Attachments { item: item.clone() }]
        }
        Event::InboxChanged(user) => vec![Changed::Inbox { user: *user }],
        Event::WatchSet(item, ..) => vec![Changed::Watchers { item: item.clone() }],
        Event::Commented(comment)
        | Event::CommentEdited(comment)
        | Event::CommentDeleted(comment)
        | Event::ReactionSet(comment, ..) => vec![Changed::Comment {
            item: comment.item.clone(),
            id: comment.id,
            agents_work: comment.agents_work,
        }],
        Event::PageWritten(page, _)
        | Event::PageDeleted(page)
        | Event::PageBroughtBack(page)
        | Event::PageAccessChanged(page)
        | Event::PageMoved(page, _) => vec![self::page(page)],
        Event::RunQueued(item, id)
        | Event::RunReturned(item, id)
        | Event::RunTaken(item, id)
        | Event::RunStarted(item, id)
        | Event::RunCancelAsked(item, id)
        | Event::RunEnded(item, id, _) => vec![Changed::Run { item: item.clone(), id: *id }],
        Event::RefinementChanged(item, _) => vec![Changed::Refinement { item: item.clone() }],
        Event::AgentCreated(..)
        | Event::AgentChanged(..)
        | Event::AgentDeleted(..)
        | Event::AgentRestored(..) => vec![Changed::Agents],
        Event::RunnerRegistered(..)
        | Event::RunnerChanged { .. }
        | Event::RunnerSecretRotated(..)
        | Event::RunnerRemoved(..) => vec![Changed::Runners],
        Event::CodeHostConnected(..)
        | Event::CodeHostDisconnected(..)
        | Event::WebhookSet
        | Event::WebhookDeleted => vec![Changed::CodeHosts],
        Event::BudgetsChanged => vec![Changed::Runners],
        // What is told beside the item that was saved, or is of no page that anybody looks at.
        Event::OrgCreated(..)
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
        | Event::ReplacementBegun(..)
        | Event::ScheduleCreated(..)
        | Event::ScheduleChanged(..)
        | Event::ScheduleDeleted(..)
        | Event::ItemCreated(..)
        | Event::ItemDeleted(..)
        | Event::ItemRestored(..)
        | Event::ItemTransferred(..)
        | Event::ItemChanged(..)
        | Event::ItemMoved { .. }
        | Event::StateEntered { .. }
        | Event::ItemMoveSkipped { .. }
        | Event::ItemClaimed { .. }
        | Event::ItemReleased { .. }
        | Event::PullRequestLinked { .. }
        | Event::PullRequestUnlinked(..)
        | Event::ItemLinked(..)
        | Event::ItemUnlinked(..)
        | Event::SubtasksLeftBehind(..)
        | Event::UploadAnnounced(..)
        | Event::AgentMentioned(..)
        | Event::PullRequestAsked(..)
        | Event::PagesOnTheMove(..)
        | Event::RunContinuesLater(..) => Vec::new(),
    }
}

fn page(page: &PageRef) -> Changed {
    Changed::Page { project: page.project.clone(), id: page.id, path: page.path.clone() }
}
