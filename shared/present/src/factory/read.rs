//! What requests ask of the factory, in the words of the use cases.

use std::str::FromStr;

use svc_api::factory as wire;
use svc_app::factory::StartRun;
use svc_app::factory::playbooks::{NewPlaybook, PlaybookEdit};
use svc_app::factory::project_settings::SettingsEdit;
use svc_app::factory::refinements::{Reply, StartRefinement};
use svc_app::factory::rules::{NewRule, RuleEdit};
use svc_app::factory::runs::RunFilter;
use svc_app::factory::stats::StatsQuery;
use svc_domain::code_host::{BadRepositoryName, RepositoryName};
use svc_domain::ids::RuleId;
use svc_domain::playbook::DeliveryMode;
use svc_domain::refinement::{Proposal, Submission};
use svc_domain::refusal::{FieldErrors, Refusal};

use crate::words::read;

/// A playbook to make.
///
/// # Errors
/// A word that this program does not know.
pub fn new_playbook(new: wire::NewPlaybook) -> Result<NewPlaybook, Refusal> {
    let delivers = new.delivers.map(|delivers| read("delivers", delivers)).transpose()?;
    let mode = new.delivery_mode.map(|mode| read("deliveryMode", mode)).transpose()?;
    Ok(NewPlaybook {
        name: new.name,
        instructions: new.instructions,
        harness: read("harness", new.harness)?,
        time_limit_minutes: new.time_limit_minutes,
        success_state: new.success_state,
        failure_state: new.failure_state,
        delivery_mode: mode.unwrap_or(DeliveryMode::BranchAndPullRequest),
        delivers: delivers.unwrap_or_default(),
        pull_request_follow_ups: new.pull_request_follow_ups,
        project_default: new.project_default,
    })
}

/// A change of a playbook.
///
/// # Errors
/// A word that this program does not know.
pub fn playbook_edit(change: wire::UpdatePlaybook) -> Result<PlaybookEdit, Refusal> {
    Ok(PlaybookEdit {
        version: change.version,
        instructions: change.instructions,
        harness: change.harness.map(|harness| read("harness", harness)).transpose()?,
        time_limit_minutes: change.time_limit_minutes,
        success_state: change.success_state.into_option(),
        failure_state: change.failure_state.into_option(),
        delivery_mode: change.delivery_mode.map(|mode| read("deliveryMode", mode)).transpose()?,
        delivers: change.delivers.map(|delivers| read("delivers", delivers)).transpose()?,
        pull_request_follow_ups: change.pull_request_follow_ups,
        project_default: change.project_default,
    })
}

/// A change of a project's factory settings.
///
/// # Errors
/// What is no id, no name of a repository, or a word that this program does not know.
pub fn settings_edit(change: wire::UpdateFactorySettings) -> Result<SettingsEdit, Refusal> {
    let source = change.repository_source.map(|source| read("repositorySource", source));
    Ok(SettingsEdit {
        version: change.version,
        repository_source: source.transpose()?,
        repository: change.repository.map(repository).transpose()?,
        path_hint: change.path_hint.into_option(),
        default_branch: change.default_branch,
        default_agent: id("defaultAgent", change.default_agent.into_option())?,
        default_playbook: id("defaultPlaybook", change.default_playbook.into_option())?,
    })
}

fn repository(text: String) -> Result<RepositoryName, Refusal> {
    text.parse().map_err(|why: BadRepositoryName| Refusal::invalid("repository", why.to_string()))
}

fn id<Id: FromStr>(field: &str, wanted: Option<Option<String>>) -> Result<Option<Option<Id>>, Refusal> {
    let id = |text: String| text.parse().map_err(|_| Refusal::invalid(field, "This is not an id."));
    wanted.map(|wanted| wanted.map(id).transpose()).transpose()
}

/// A run to start.
///
/// # Errors
/// A harness that this program does not know.
pub fn start_run(start: wire::StartRun) -> Result<StartRun, Refusal> {
    Ok(StartRun {
        playbook: start.playbook,
        agent: start.agent,
        runner: start.runner,
        harness: start.harness.map(|harness| read("harness", harness)).transpose()?,
        scheduled_for: start.scheduled_for,
    })
}

/// A rule to make.
pub fn new_rule(new: wire::NewRule) -> NewRule {
    let wire::NewRule { name, state, label, playbook, agent, only_ai_starters } = new;
    NewRule { name, state, label, playbook, agent, for_everybody: only_ai_starters == Some(false) }
}

/// A change of a rule.
pub fn rule_edit(change: wire::UpdateRule) -> RuleEdit {
    RuleEdit {
        version: change.version,
        name: change.name,
        state: change.state,
        label: change.label.into_option(),
        playbook: change.playbook,
        agent: change.agent.into_option(),
        only_ai_starters: change.only_ai_starters,
        disabled: change.disabled,
    }
}

/// The rule whose firings are asked for.
///
/// # Errors
/// What is no id.
pub fn firing_rule(query: &wire::FiringQuery) -> Result<Option<RuleId>, Refusal> {
    let mut errors = FieldErrors::default();
    let rule = query.rule.as_ref().map(|text| text.parse()).transpose();
    let rule = rule.unwrap_or_else(|_| {
        errors.add("rule", "This is not an id.");
        None
    });
    errors.into_result().map(|()| rule).map_err(Refusal::InvalidQuery)
}

/// A refinement to start.
///
/// # Errors
/// A harness that this program does not know.
pub fn start_refinement(start: wire::StartRefinement) -> Result<StartRefinement, Refusal> {
    let harness = start.harness.map(|harness| read("harness", harness)).transpose()?;
    Ok(StartRefinement { runner: start.runner_id, harness })
}

/// Answers to the questions of an agent.
pub fn refinement_answers(answers: wire::AnswerRefinement) -> Reply {
    let wire::AnswerRefinement { version, answers, note } = answers;
    Reply {
        version,
        answers: answers.into_iter().map(|given| (given.question, given.answer)).collect(),
        note,
    }
}

/// A note for another pass.
pub fn refinement_changes(changes: wire::AskForChanges) -> Reply {
    Reply { version: changes.version, answers: Vec::new(), note: Some(changes.note) }
}

/// What an agent hands in.
///
/// # Errors
/// A priority that this program does not know.
pub fn submission(submission: wire::SubmitRefinement) -> Result<Submission, Refusal> {
    let proposal = |proposal: wire::SubmittedProposal| -> Result<Proposal, Refusal> {
        let priority = proposal.priority.map(|priority| read("proposal.priority", priority)).transpose()?;
        let wire::SubmittedProposal { title, description, priority: _, labels } = proposal;
        Ok(Proposal { title, description, priority, labels })
    };
    let wire::SubmitRefinement { questions, proposal: proposed } = submission;
    Ok(Submission { questions, proposal: proposed.map(proposal).transpose()? })
}

/// Which runs to list.
///
/// # Errors
/// Every term that is not acceptable.
pub fn run_filter(query: &wire::RunQuery) -> Result<RunFilter, Refusal> {
    let mut errors = FieldErrors::default();
    let filter = RunFilter {
        project: term("project", query.project.as_deref(), &mut errors),
        status: term("status", query.status.as_deref(), &mut errors),
        agent: term("agent", query.agent.as_deref(), &mut errors),
        item: term("item", query.item.as_deref(), &mut errors),
    };
    errors.into_result()?;
    Ok(filter)
}

/// What numbers are asked for.
///
/// # Errors
/// [`Refusal::InvalidQuery`] for what is no time, project or group.
pub fn stats_query(query: &wire::StatsQuery) -> Result<StatsQuery, Refusal> {
    let mut errors = FieldErrors::default();
    let stats = StatsQuery {
        from: term("from", query.from.as_deref(), &mut errors),
        until: term("until", query.until.as_deref(), &mut errors),
        project: term("project", query.project.as_deref(), &mut errors),
        by: term("by", query.by.as_deref(), &mut errors),
        weekly: query.weekly.unwrap_or(false),
    };
    errors.into_result().map(|()| stats).map_err(Refusal::InvalidQuery)
}

fn term<T: FromStr<Err: std::fmt::Display>>(
    field: &str,
    text: Option<&str>,
    errors: &mut FieldErrors,
) -> Option<T> {
    text?.parse().map_err(|error| errors.add(field, format!("{error}."))).ok()
}
