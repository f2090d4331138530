//! Things that the tests of several modules need.

use svc_api::factory::{DeliveryMode, Harness, RepositorySource, RunKind};
use svc_api::runner::{AssignedAgent, AssignedItem, Assignment, Repository};
use svc_api::tracker::ItemType;

/// Makes a named pipe, which a plain read waits for without end.
pub(crate) fn pipe(path: &std::path::Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo runs");
    assert!(made.success());
}

/// An assignment as an instance would hand it out.
pub(crate) fn assignment(run_id: &str) -> Assignment {
    Assignment {
        run_id: run_id.into(),
        fence: 1,
        organization: "demo".into(),
        project: "PRJ".into(),
        item: AssignedItem { key: "PRJ-1".into(), item_type: ItemType::Task, title: "Title".into() },
        kind: RunKind::Implement,
        harness: Harness::Harness1,
        model: None,
        time_limit_seconds: 60,
        agent: AssignedAgent { id: "a".into(), name: "Ada".into(), email: "ada@agents.example".into() },
        token: "jrt_run-token-0123456789".into(),
        prompt: "Do PRJ-1".into(),
        repository: Repository {
            source: RepositorySource::RunnerLocal,
            path_hint: None,
            default_branch: "main".into(),
            clone_url: None,
            credential: None,
        },
        branch: "prj-1-title".into(),
        delivery_mode: DeliveryMode::BranchAndPullRequest,
        delivers: Default::default(),
        direct_target: None,
        resume_session: None,
        earlier_run_id: None,
        follow_up: None,
    }
}
