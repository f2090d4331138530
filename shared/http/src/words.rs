//! Words of the factory that several areas read and write: the same set in the domain and on the wire, where a
//! later program may know more of them.

use svc_api::factory::{DeliveryMode, Harness, RepositorySource, RunKind};
use svc_domain::refusal::Refusal;
use svc_domain::{harness, playbook, run};

/// A harness as sent.
pub const fn harness(harness: harness::Harness) -> Harness {
    match harness {
        harness::Harness::Harness1 => Harness::Harness1,
        harness::Harness::Harness2 => Harness::Harness2,
        harness::Harness::Harness3 => Harness::Harness3,
        harness::Harness::Harness4 => Harness::Harness4,
        harness::Harness::Harness5 => Harness::Harness5,
    }
}

/// A harness as received; `None` for one that this program does not know.
pub const fn known_harness(harness: Harness) -> Option<harness::Harness> {
    Some(match harness {
        Harness::Harness1 => harness::Harness::Harness1,
        Harness::Harness2 => harness::Harness::Harness2,
        Harness::Harness3 => harness::Harness::Harness3,
        Harness::Harness4 => harness::Harness::Harness4,
        Harness::Harness5 => harness::Harness::Harness5,
        Harness::Unknown => return None,
    })
}

/// A harness as received in this field.
///
/// # Errors
/// [`Refusal::Invalid`] for one that this program does not know.
pub fn read_harness(field: &str, harness: Harness) -> Result<harness::Harness, Refusal> {
    known_harness(harness).ok_or_else(|| {
        let known: Vec<&str> = harness::Harness::ALL.iter().map(|harness| harness.as_str()).collect();
        Refusal::invalid(field, format!("The harnesses are {}.", known.join(", ")))
    })
}

/// Where a result goes, as sent.
pub const fn delivery_mode(mode: playbook::DeliveryMode) -> DeliveryMode {
    match mode {
        playbook::DeliveryMode::BranchAndPullRequest => DeliveryMode::BranchAndPullRequest,
        playbook::DeliveryMode::PushToDefaultBranch => DeliveryMode::PushToDefaultBranch,
    }
}

/// Where a result goes, as received.
///
/// # Errors
/// [`Refusal::Invalid`] for a mode that this program does not know.
pub fn read_delivery_mode(mode: DeliveryMode) -> Result<playbook::DeliveryMode, Refusal> {
    match mode {
        DeliveryMode::BranchAndPullRequest => Ok(playbook::DeliveryMode::BranchAndPullRequest),
        DeliveryMode::PushToDefaultBranch => Ok(playbook::DeliveryMode::PushToDefaultBranch),
        DeliveryMode::Unknown => Err(Refusal::invalid(
            "deliveryMode",
            "The modes are branchAndPullRequest and pushToDefaultBranch.",
        )),
    }
}

/// Where a run's result goes, as sent: the mode, and the branch of direct delivery.
pub fn delivery(delivery: &run::Delivery) -> (DeliveryMode, Option<String>) {
    match delivery {
        run::Delivery::BranchAndPullRequest => (DeliveryMode::BranchAndPullRequest, None),
        run::Delivery::PushToDefaultBranch { target } => {
            (DeliveryMode::PushToDefaultBranch, Some(target.clone()))
        }
    }
}

/// Where a repository is, as sent.
pub const fn repository_source(source: playbook::RepositorySource) -> RepositorySource {
    match source {
        playbook::RepositorySource::RunnerLocal => RepositorySource::RunnerLocal,
        playbook::RepositorySource::CodeHost => RepositorySource::CodeHost,
    }
}

/// Where a repository is, as received.
///
/// # Errors
/// [`Refusal::Invalid`] for a source that this program does not know.
pub fn read_repository_source(source: RepositorySource) -> Result<playbook::RepositorySource, Refusal> {
    match source {
        RepositorySource::RunnerLocal => Ok(playbook::RepositorySource::RunnerLocal),
        RepositorySource::CodeHost => Ok(playbook::RepositorySource::CodeHost),
        RepositorySource::Unknown => {
            Err(Refusal::invalid("repositorySource", "The sources are runnerLocal and codeHost."))
        }
    }
}

/// Why a run exists, as sent.
pub const fn run_kind(kind: run::RunKind) -> RunKind {
    match kind {
        run::RunKind::Implement => RunKind::Implement,
        run::RunKind::Refine => RunKind::Refine,
        run::RunKind::Continue => RunKind::Continue,
        run::RunKind::Retry => RunKind::Retry,
        run::RunKind::FollowUp => RunKind::FollowUp,
    }
}
