//! The journal of an organization, which live pages follow: one line for each commit that changed something that
//! somebody may be looking at.

use std::collections::BTreeMap;

use jiff::SignedDuration;
use svc_domain::event::{
    CommentEvent, Event, FactoryEvent, ItemEvent, Occurrence, OrgEvent, ProjectEvent, RunEvent, SprintEvent,
    WikiEvent,
};
use svc_domain::ids::OrgId;
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
    match event {
        Event::ItemSaved(saved) => {
            let key = &saved.after.key;
            vec![Changed::Items { project: key.project.clone(), numbers: vec![key.number] }]
        }
        Event::Org(event) => in_org(event),
        Event::Project(event) => in_project(event),
        Event::Item(event) => of_item(event).into_iter().collect(),
        Event::Comment(event) => of_comment(event).into_iter().collect(),
        Event::Sprint(event) => vec![of_sprint(event)],
        Event::Wiki(event) => of_page(event).into_iter().collect(),
        Event::Factory(event) => of_factory(event).into_iter().collect(),
        Event::Runner(_) => vec![Changed::Runners],
        Event::Run(event) => of_run(event).into_iter().collect(),
        Event::Account(_) | Event::Instance(_) => Vec::new(),
    }
}

fn in_org(event: &OrgEvent) -> Vec<Changed> {
    match event {
        OrgEvent::Renamed(..) | OrgEvent::ReadOnlySet(..) | OrgEvent::Deleted | OrgEvent::Restored => {
            vec![Changed::Organization]
        }
        OrgEvent::MemberAdded(..) | OrgEvent::MemberRenamed(..) => vec![Changed::Members],
        OrgEvent::MemberChanged(user, ..) | OrgEvent::MemberRemoved(user) => {
            vec![Changed::Members, Changed::Access { user: *user }]
        }
        OrgEvent::InvitationSent { .. } | OrgEvent::InvitationRevoked(..) => vec![Changed::Invitations],
        OrgEvent::InvitationAccepted(..) => vec![Changed::Invitations, Changed::Members],
        OrgEvent::SharedViewsChanged => vec![Changed::OrgViews],
        OrgEvent::InboxChanged(user) => vec![Changed::Inbox { user: *user }],
        // No page was open on it before, and none follows webhooks or the directory.
        OrgEvent::Created(..)
        | OrgEvent::GroupRolesChanged(..)
        | OrgEvent::DirectoryTokenCreated(..)
        | OrgEvent::DirectoryTokenRevoked(..)
        | OrgEvent::Channel(..)
        | OrgEvent::Webhook(..)
        | OrgEvent::WebhookChanged(..) => Vec::new(),
        // The change of the shelf that it was on says it.
        OrgEvent::ViewDeleted(..) => Vec::new(),
    }
}

fn in_project(event: &ProjectEvent) -> Vec<Changed> {
    match event {
        ProjectEvent::Created(project)
        | ProjectEvent::Changed(project)
        | ProjectEvent::ArchiveSet(project, _)
        | ProjectEvent::Deleted(project)
        | ProjectEvent::Restored(project)
        | ProjectEvent::Purged(project) => vec![Changed::Project { project: project.clone() }],
        ProjectEvent::MemberSet(project, user, _) | ProjectEvent::MemberRemoved(project, user) => {
            vec![Changed::ProjectMembers { project: project.clone() }, Changed::Access { user: *user }]
        }
        ProjectEvent::WorkflowChanged(project, _) => vec![Changed::Workflow { project: project.clone() }],
        ProjectEvent::LabelCreated(project, _)
        | ProjectEvent::LabelChanged(project, ..)
        | ProjectEvent::LabelDeleted(project, _) => vec![Changed::Labels { project: project.clone() }],
        ProjectEvent::MilestonesChanged(project) => vec![Changed::Milestones { project: project.clone() }],
        ProjectEvent::TemplatesChanged(project) => vec![Changed::Templates { project: project.clone() }],
        ProjectEvent::SharedViewsChanged(project) => vec![Changed::Views { project: project.clone() }],
        ProjectEvent::TeamCreated(project, _)
        | ProjectEvent::TeamChanged(project, _)
        | ProjectEvent::TeamDeleted(project, _) => vec![Changed::Teams { project: project.clone() }],
        // The change of all of them says it.
        ProjectEvent::MilestoneDeleted(..)
        | ProjectEvent::TemplateDeleted(..)
        | ProjectEvent::ViewDeleted(..)
        // Each item that it changes is told.
        | ProjectEvent::IntakeCreated(..)
        | ProjectEvent::IntakeChanged(..)
        | ProjectEvent::IntakeRotated(..)
        | ProjectEvent::IntakeDeleted(..)
        | ProjectEvent::ReplacementStarted(..) => Vec::new(),
    }
}

fn of_item(event: &ItemEvent) -> Option<Changed> {
    match event {
        ItemEvent::Attached(item, ..) | ItemEvent::Detached(item, ..) => {
            Some(Changed::Attachments { item: item.clone() })
        }
        ItemEvent::WatchSet(item, ..) => Some(Changed::Watchers { item: item.clone() }),
        ItemEvent::RefinementChanged(item, _) => Some(Changed::Refinement { item: item.clone() }),
        // The row that was written tells it.
        ItemEvent::Created(..)
        | ItemEvent::Imported(..)
        | ItemEvent::Received(..)
        | ItemEvent::Deleted(..)
        | ItemEvent::Restored(..)
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
        | ItemEvent::UploadAnnounced(..) => None,
    }
}

fn of_comment(event: &CommentEvent) -> Option<Changed> {
    match event {
        CommentEvent::Created(comment)
        | CommentEvent::Imported(comment)
        | CommentEvent::Edited(comment)
        | CommentEvent::Deleted(comment)
        | CommentEvent::ReactionSet(comment, ..) => Some(Changed::Comment {
            item: comment.item.clone(),
            id: comment.id,
            agents_work: comment.agents_work,
        }),
        CommentEvent::AgentsAsked(..) => None,
    }
}

fn of_sprint(event: &SprintEvent) -> Changed {
    let (SprintEvent::Planned(sprint)
    | SprintEvent::Changed(sprint)
    | SprintEvent::Started(sprint)
    | SprintEvent::Completed(sprint)
    | SprintEvent::Deleted(sprint)) = event;
    Changed::Sprint { project: sprint.project.clone(), id: sprint.id }
}

fn of_page(event: &WikiEvent) -> Option<Changed> {
    match event {
        WikiEvent::Written(page, _)
        | WikiEvent::Deleted(page)
        | WikiEvent::Restored(page)
        | WikiEvent::AccessChanged(page)
        | WikiEvent::Moved(page, _) => {
            Some(Changed::Page { project: page.project.clone(), id: page.id, path: page.path.clone() })
        }
        WikiEvent::MoveUnfinished(..) => None,
    }
}

fn of_factory(event: &FactoryEvent) -> Option<Changed> {
    Some(match event {
        FactoryEvent::AgentCreated(..)
        | FactoryEvent::AgentChanged(..)
        | FactoryEvent::AgentDeleted(..)
        | FactoryEvent::AgentRestored(..) => Changed::Agents,
        FactoryEvent::PlaybookCreated(playbook)
        | FactoryEvent::PlaybookChanged(playbook)
        | FactoryEvent::PlaybookDeleted(playbook)
        | FactoryEvent::PlaybookRestored(playbook) => {
            Changed::Playbooks { project: playbook.project.clone() }
        }
        FactoryEvent::RuleCreated(project, ..)
        | FactoryEvent::RuleChanged(project, ..)
        | FactoryEvent::RuleDeleted(project, ..) => Changed::Rules { project: project.clone() },
        FactoryEvent::SettingsChanged(project) => Changed::FactorySettings { project: project.clone() },
        FactoryEvent::RefinementSettingsChanged(project) => {
            Changed::RefinementSettings { project: project.clone() }
        }
        FactoryEvent::CodeHostConnected(..)
        | FactoryEvent::CodeHostDisconnected(..)
        | FactoryEvent::WebhookSet
        | FactoryEvent::WebhookDeleted => Changed::CodeHosts,
        FactoryEvent::BudgetChanged { .. } => Changed::Runners,
        FactoryEvent::ScheduleCreated(..)
        | FactoryEvent::ScheduleChanged(..)
        | FactoryEvent::SchedulePaused(..)
        | FactoryEvent::ScheduleDeleted(..) => return None,
    })
}

fn of_run(event: &RunEvent) -> Option<Changed> {
    match event {
        RunEvent::Queued(item, id, _)
        | RunEvent::Returned(item, id)
        | RunEvent::Taken(item, id)
        | RunEvent::Started(item, id)
        | RunEvent::CancelRequested(item, id)
        | RunEvent::Ended(item, id, _) => Some(Changed::Run { item: item.clone(), id: *id }),
        RunEvent::ContinuesLater(..) => None,
    }
}
