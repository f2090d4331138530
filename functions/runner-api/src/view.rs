//! A run handed to a runner, as it goes out.

use svc_api::runner::{AssignedAgent, AssignedItem, Assignment, Repository, RepositoryCredential};
use svc_api::tracker::ItemType;
use svc_app::{factory, ports};
use svc_domain::{agent, item};
use svc_http::words;

pub(crate) fn assignment(assignment: factory::Assignment) -> Assignment {
    let factory::Assignment { run, organization, item, token, prompt, hosted } = assignment;
    let (clone_url, opening) = hosted.map(|hosted| (hosted.clone_address, hosted.credential)).unzip();
    let (delivery_mode, direct_target) = words::delivery(&run.delivery);
    Assignment {
        run_id: run.id.to_string(),
        fence: run.fence,
        organization,
        project: item.key.project.to_string(),
        item: AssignedItem {
            key: item.key.to_string(),
            item_type: item_type(item.item_type),
            title: item.title,
        },
        kind: words::run_kind(run.kind),
        harness: words::harness(run.harness),
        model: run.model,
        time_limit_seconds: u64::from(run.time_limit_minutes) * 60,
        agent: AssignedAgent {
            id: run.agent.id.to_string(),
            name: run.agent.name,
            email: agent::commit_email(run.agent.id),
        },
        token,
        prompt,
        repository: Repository {
            source: words::repository_source(run.repository.source),
            path_hint: run.repository.path_hint,
            default_branch: run.repository.default_branch,
            clone_url,
            credential: opening.flatten().map(credential),
        },
        branch: run.branch,
        delivery_mode,
        direct_target,
        resume_session: run.resume_session,
        earlier_run_id: run.earlier_run.map(|run| run.to_string()),
    }
}

pub(crate) fn credential(credential: ports::RepositoryCredential) -> RepositoryCredential {
    let ports::RepositoryCredential { username, secret, expires_at } = credential;
    RepositoryCredential { username, password: secret, expires_at }
}

const fn item_type(item_type: item::ItemType) -> ItemType {
    match item_type {
        item::ItemType::Story => ItemType::Story,
        item::ItemType::Bug => ItemType::Bug,
        item::ItemType::Task => ItemType::Task,
        item::ItemType::Epic => ItemType::Epic,
        item::ItemType::Subtask => ItemType::Subtask,
    }
}
