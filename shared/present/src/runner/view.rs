//! A run handed to a runner, as it goes out.

use svc_api::runner::{
    AssignedAgent, AssignedFollowUp, AssignedItem, Assignment, Repository, RepositoryCredential,
};
use svc_app::{factory, ports};
use svc_domain::agent;

use crate::factory::view::delivery;
use crate::words::Word as _;

/// A run as its runner gets it.
pub fn assignment(assignment: factory::Assignment) -> Assignment {
    let factory::Assignment { run, organization, item, token, prompt, hosted } = assignment;
    let (clone_url, opening) = hosted.map(|hosted| (hosted.clone_address, hosted.credential)).unzip();
    let (delivery_mode, direct_target) = delivery(&run.delivery);
    let follow_up = run.follow_up.map(|work| {
        let known = item.pull_requests.iter().find(|known| work.pull_request.as_ref() == Some(&known.url));
        AssignedFollowUp {
            pull_request_state: known.map(|known| known.state.sent()),
            pull_request: work.pull_request,
            new_branch: work.new_branch,
        }
    });
    Assignment {
        run_id: run.id.to_string(),
        fence: run.fence,
        organization,
        project: item.key.project.to_string(),
        item: AssignedItem { key: item.key.to_string(), item_type: item.item_type.sent(), title: item.title },
        kind: run.kind.sent(),
        harness: run.harness.sent(),
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
            source: run.repository.source.sent(),
            path_hint: run.repository.path_hint,
            default_branch: run.repository.default_branch,
            clone_url,
            credential: opening.flatten().map(credential),
        },
        branch: run.branch,
        delivery_mode,
        delivers: run.delivers.sent(),
        direct_target,
        resume_session: run.resume_session,
        earlier_run_id: run.earlier_run.map(|run| run.to_string()),
        follow_up,
    }
}

/// What opens the run's repository.
pub fn credential(credential: ports::RepositoryCredential) -> RepositoryCredential {
    let ports::RepositoryCredential { username, secret, expires_at } = credential;
    RepositoryCredential { username, password: secret, expires_at }
}
