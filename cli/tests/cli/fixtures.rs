//! What the stub answers with.

use std::collections::BTreeMap;

use jiff::Timestamp;
use svc_api::factory::{
    Agent, DeliveryMode, Harness, LogEntry, LogPage, LogStream, Playbook, Ref, Run, RunKind, RunStatus,
};
use svc_api::identity::{Actor, Me, OrgRole, Organization, ProjectRole};
use svc_api::tracker::{Attachment, Claim, Comment, Item, ItemType, Link, Priority, Project, StateGroup};
use svc_api::{Page, Problem};

pub(crate) fn at(text: &str) -> Timestamp {
    format!("2026-03-01T{text}Z").parse().unwrap()
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
    }
}

pub(crate) fn project(key: &str, name: &str, archived: bool) -> Project {
    Project {
        key: key.into(),
        name: name.into(),
        description: String::new(),
        archived,
        role: (!archived).then_some(ProjectRole::Member),
        version: 1,
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
        blocked: false,
        claim: Some(Claim {
            holder: "agent-robin".into(),
            holder_name: "Robin".into(),
            agent: true,
            since: at("10:00:00"),
            heartbeat_at: at("10:05:00"),
            stale: false,
        }),
        live_run: Some("run-1".into()),
        links: vec![Link { url: "https://code.example/pull/5".into() }],
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
        deleted: false,
        created_at: at("11:00:00"),
        version: 1,
        edited_at: None,
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
    Agent { id: id.into(), name: name.into(), owner: ada(), model: None, disabled: false, version: 1 }
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
        project_default: false,
        version: 1,
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
    LogPage { next_after: entries.last().map_or(first - 1, |entry| entry.seq), entries, truncated: false }
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
    }
}
