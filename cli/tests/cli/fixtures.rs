//! What the stub answers with.

use std::collections::BTreeMap;

use jiff::Timestamp;
use svc_api::factory::{
    Agent, DeliveryMode, Harness, LogEntry, LogPage, LogStream, Playbook, Ref, Run, RunKind, RunStatus,
};
use svc_api::identity::{
    Actor, Invitation, InvitationDelivery, InvitationPreset, InvitationState, Me, Member, OrgRole,
    Organization, ProjectMember, ProjectRole, Scope, Token,
};
use svc_api::tracker::{
    Attachment, Claim, Comment, HistoryEntry, Item, ItemType, Label, Link, Priority, Project, StateGroup,
    Team, Template, Workflow, WorkflowMove, WorkflowState,
};
use svc_api::{Page, Problem};

pub(crate) fn at(text: &str) -> Timestamp {
    format!("2026-03-01T{text}Z").parse().unwrap()
}

/// What the history says where somebody changed the description of an item.
pub(crate) fn body_changed() -> HistoryEntry {
    HistoryEntry {
        id: "entry-1".into(),
        at: at("10:00:00"),
        actor: ada(),
        action: "changed".into(),
        field: Some("body".into()),
        from: None,
        to: None,
        run_id: None,
        has_diff: true,
    }
}

pub(crate) fn ada() -> Actor {
    Actor { id: "user-ada".into(), name: "Ada".into(), agent: false }
}

pub(crate) fn robin() -> Actor {
    Actor { id: "agent-robin".into(), name: "Robin".into(), agent: true }
}

pub(crate) fn org(slug: &str, name: &str) -> Organization {
    Organization {
        id: format!("org-{slug}"),
        slug: slug.into(),
        name: name.into(),
        role: OrgRole::Member,
        can_operate_factory: true,
        read_only: false,
        version: 1,
        deletion: None,
    }
}

pub(crate) fn me() -> Me {
    Me {
        id: "user-ada".into(),
        email: Some("ada@example.org".into()),
        display_name: "Ada".into(),
        agent: false,
        scopes: vec!["read".into(), "write".into()],
        organizations: vec![org("demo", "Demo"), org("other", "Other")],
        version: Some(1),
        connected: false,
        avatar_key: None,
        new_email: None,
        instance_admin: false,
        can_create_organizations: true,
    }
}

pub(crate) fn project(key: &str, name: &str, archived: bool) -> Project {
    Project {
        key: key.into(),
        name: name.into(),
        description: String::new(),
        archived,
        role: (!archived).then_some(ProjectRole::Admin),
        version: 1,
        deletion: None,
    }
}

/// A member at version 3.
pub(crate) fn member(name: &str, role: OrgRole) -> Member {
    let folded = name.to_lowercase();
    Member {
        user_id: format!("user-{folded}"),
        email: format!("{folded}@example.org"),
        display_name: name.into(),
        role,
        can_start_ai_work: false,
        avatar_key: None,
        invitation: None,
        version: 3,
    }
}

pub(crate) fn project_member(name: &str, role: ProjectRole) -> ProjectMember {
    let user_id = format!("user-{}", name.to_lowercase());
    ProjectMember { user_id, display_name: name.into(), role, version: 1 }
}

/// An invitation to the project PRJ that can be accepted, on an instance that sends no mail.
pub(crate) fn invitation(id: &str, email: &str, state: InvitationState) -> Invitation {
    Invitation {
        id: id.into(),
        email: email.into(),
        preset: InvitationPreset::Member,
        project: Some("PRJ".into()),
        can_start_ai_work: false,
        invited_by: ada(),
        created_at: at("09:00:00"),
        state,
        expires_at: (state == InvitationState::Pending).then(|| at("23:00:00")),
        delivery: InvitationDelivery::ByHand,
        mail_error: None,
        link: None,
    }
}

pub(crate) fn token(id: &str, name: &str) -> Token {
    Token {
        id: id.into(),
        name: name.into(),
        scopes: vec![Scope::Read, Scope::Write],
        organization: Some("demo".into()),
        created_at: at("09:00:00"),
        expires_at: None,
        last_used_at: Some(at("10:00:00")),
        current: false,
    }
}

/// A team at version 4.
pub(crate) fn team(key: &str, members: &[Actor]) -> Team {
    Team {
        id: format!("team-{key}"),
        key: key.into(),
        name: format!("The {key} people"),
        archived: false,
        members: members.to_vec(),
        created_at: at("09:00:00"),
        version: 4,
    }
}

/// A label at version 2 that three items carry.
pub(crate) fn label(name: &str) -> Label {
    Label {
        name: name.into(),
        color: "#6b7280".into(),
        description: format!("About {name}"),
        items: 3,
        version: 2,
    }
}

/// A template of bugs at version 5.
pub(crate) fn template(id: &str, name: &str) -> Template {
    Template {
        id: id.into(),
        version: 5,
        name: name.into(),
        item_type: ItemType::Bug,
        body: "## Steps\n\n1. \n".into(),
        priority: Some(Priority::High),
        labels: vec!["bug".into()],
    }
}

/// Three states in a row, at version 6.
pub(crate) fn workflow() -> Workflow {
    let state = |name: &str, group| WorkflowState::new(name, group);
    let step = |from: &str, to: &str| WorkflowMove { from: from.into(), to: to.into() };
    Workflow {
        version: 6,
        states: vec![
            state("Backlog", StateGroup::Backlog),
            state("In review", StateGroup::Active),
            state("Closed", StateGroup::Closed),
        ],
        moves: vec![step("Backlog", "In review"), step("In review", "Closed"), step("In review", "Backlog")],
    }
}

/// An item in the middle of its life, at version 7.
pub(crate) fn item(key: &str, title: &str) -> Item {
    Item {
        key: key.into(),
        version: 7,
        item_type: ItemType::Bug,
        title: title.into(),
        body: "Open the search.\n\nType **two** words.".into(),
        state: "In progress".into(),
        state_group: StateGroup::Active,
        priority: Priority::High,
        labels: vec!["bug".into(), "search".into()],
        estimate: Some(3.0),
        remaining: Some(1.5),
        assignee: Some(ada()),
        parent: Some("PRJ-1".into()),
        sprint: None,
        milestone: None,
        rank: "0000001c00000c".into(),
        blocked: false,
        due: None,
        resolved_at: None,
        started_at: None,
        claim: Some(Claim {
            holder: "agent-robin".into(),
            holder_name: "Robin".into(),
            agent: true,
            since: at("10:00:00"),
            heartbeat_at: at("10:05:00"),
            stale: false,
        }),
        branch: None,
        live_run: Some("run_1".into()),
        subtask_count: None,
        comment_count: None,
        attachment_count: None,
        last_run: None,
        can: None,
        links: vec![Link { url: "https://code.example/pull/5".into(), pull_request: None }],
        created_by: ada(),
        created_at: at("09:00:00"),
        updated_at: at("10:00:00"),
    }
}

/// An item that nobody has touched.
pub(crate) fn fresh_item(key: &str, title: &str) -> Item {
    Item {
        body: String::new(),
        state: "Backlog".into(),
        state_group: StateGroup::Backlog,
        priority: Priority::Medium,
        labels: vec![],
        estimate: None,
        remaining: None,
        assignee: None,
        parent: None,
        claim: None,
        live_run: None,
        links: vec![],
        ..item(key, title)
    }
}

pub(crate) fn comment(id: &str, author: Actor, body: &str) -> Comment {
    Comment {
        id: id.into(),
        body: body.into(),
        author,
        reply_to: None,
        reactions: vec![],
        can_react: true,
        can_edit: false,
        can_delete: false,
        run_id: None,
        outcome_of: None,
        failure_reason: None,
        failure_detail: None,
        deleted: false,
        created_at: at("11:00:00"),
        version: 1,
        edited_at: None,
        reach: Vec::new(),
        mentions: Vec::new(),
    }
}

/// A committed attachment of PRJ-12.
pub(crate) fn attachment(id: &str, name: &str, content_type: &str, size: u64) -> Attachment {
    Attachment {
        id: id.into(),
        item: "PRJ-12".into(),
        comment: None,
        name: name.into(),
        size,
        content_type: content_type.into(),
        is_image: content_type.starts_with("image/"),
        width: None,
        height: None,
        committed: true,
        url: format!("/api/v1/orgs/demo/attachments/{id}/content"),
        author: ada(),
        created_at: at("12:00:00"),
        can_delete: true,
    }
}

pub(crate) fn agent(id: &str, name: &str) -> Agent {
    Agent {
        id: id.into(),
        name: name.into(),
        owner: ada(),
        model: None,
        disabled: false,
        version: 1,
        deletion: None,
    }
}

pub(crate) fn playbook(id: &str, name: &str) -> Playbook {
    Playbook {
        id: id.into(),
        name: name.into(),
        page_path: format!("Factory/{name}"),
        instructions: None,
        harness: Harness::Harness1,
        time_limit_minutes: 60,
        success_state: None,
        failure_state: None,
        delivery_mode: DeliveryMode::BranchAndPullRequest,
        delivers: Default::default(),
        pull_request_follow_ups: false,
        project_default: false,
        version: 1,
        deletion: None,
    }
}

pub(crate) fn run(id: &str, status: RunStatus) -> Run {
    Run {
        id: id.into(),
        organization: "demo".into(),
        project: "PRJ".into(),
        item: "PRJ-12".into(),
        kind: RunKind::Implement,
        status,
        agent: Ref { id: "agent-robin".into(), name: "Robin".into() },
        playbook: Ref { id: "playbook-fix".into(), name: "Fix a bug".into() },
        runner: None,
        harness: Harness::Harness1,
        requested_by: ada(),
        branch: "prj-12-search-forgets".into(),
        delivery_mode: DeliveryMode::BranchAndPullRequest,
        direct_target: None,
        scheduled_for: None,
        queued_at: at("10:00:00"),
        assigned_at: None,
        started_at: None,
        finished_at: None,
        waiting_reason: None,
        continues_at: None,
        outcome: None,
        pull_request: None,
        exit_code: None,
        cost: None,
        tokens: None,
        earlier_run: None,
        comment: None,
        prompt_snapshot: None,
        failure_reason: None,
        failure_detail: None,
        harness_session: None,
        version: 1,
    }
}

/// A page of a log whose first entry has this `seq`.
pub(crate) fn log(first: u64, entries: &[(LogStream, &str)]) -> LogPage {
    let entries: Vec<_> = (first..)
        .zip(entries)
        .map(|(seq, &(stream, text))| LogEntry { seq, at: at("10:00:01"), stream, text: text.into() })
        .collect();
    let last_seq = entries.last().map_or(first - 1, |entry| entry.seq);
    LogPage { next_after: last_seq, entries, truncated: false, last_seq, bytes: 0, over: false }
}

pub(crate) fn page<T>(items: Vec<T>) -> Page<T> {
    Page { page: 1, page_size: 100, total_count: items.len() as u64, items }
}

pub(crate) fn problem(status: u16, kind: &str, title: &str, detail: Option<&str>) -> Problem {
    Problem {
        kind: kind.into(),
        title: title.into(),
        status,
        detail: detail.map(str::to_owned),
        trace_id: "0af7651916cd43dd8448eb211c80319c".into(),
        errors: BTreeMap::new(),
        current_version: None,
        holder: None,
        run_id: None,
        error: None,
    }
}
