//! What the factory keeps, as it goes out.

mod numbers;

pub use numbers::stats;

use svc_api::factory as wire;
use svc_app::factory::Forecast;
use svc_app::factory::code_host::CodeHostView;
use svc_app::factory::log::Page;
use svc_app::factory::mentions::{AgentPreview, MentionView, Preview};
use svc_app::factory::playbooks::PlaybookView;
use svc_app::factory::project_settings::SettingsView;
use svc_app::factory::refinement_settings::VersionedSettings;
use svc_app::factory::refinements::RefinementView;
use svc_app::factory::runners::RunnerView;
use svc_app::factory::runs::RunView;
use svc_domain::agent::Agent;
use svc_domain::mention::request::State;
use svc_domain::refinement;
use svc_domain::rule::{Firing, Outcome, Rule};
use svc_domain::run::artifacts::Artifact;
use svc_domain::run::changes::Changes;
use svc_domain::run::{Delivery, Ending, Named, outcome};

use crate::actor::{actor, deletion};
use crate::words::Word;

fn named<Id: ToString>(named: Named<Id>) -> wire::Ref {
    wire::Ref { id: named.id.to_string(), name: named.name }
}

/// An agent.
pub fn agent((agent, version): (Agent, u64)) -> wire::Agent {
    wire::Agent {
        id: agent.id.to_string(),
        name: agent.name,
        owner: actor(&agent.owner),
        model: agent.model,
        disabled: agent.disabled,
        version,
        deletion: agent.deleted.as_ref().map(deletion),
    }
}

/// A runner, with what it last said of itself.
pub fn runner(view: RunnerView) -> wire::Runner {
    let RunnerView { runner, version, status, last_heard, online, at_work: _ } = view;
    let mut out = wire::Runner {
        id: runner.id.to_string(),
        name: runner.name,
        online,
        disabled: runner.disabled,
        harnesses: Vec::new(),
        client_version: None,
        platform: None,
        machine_id: None,
        label: None,
        service: false,
        parallel: 0,
        last_seen_at: last_heard,
        version,
    };
    if let Some(status) = status {
        out.harnesses = status.harnesses.into_iter().map(Word::sent).collect();
        out.client_version = status.client_version;
        out.platform = status.platform;
        out.machine_id = status.machine_id;
        out.label = status.label;
        out.service = status.service;
        out.parallel = status.parallel;
    }
    out
}

/// A playbook. Who may not read its page sees no instructions.
pub fn playbook(view: PlaybookView) -> wire::Playbook {
    let PlaybookView { playbook, version, project_default, instructions } = view;
    wire::Playbook {
        id: playbook.id.to_string(),
        name: playbook.name,
        page_path: playbook.page_path,
        instructions,
        harness: playbook.harness.sent(),
        time_limit_minutes: playbook.time_limit_minutes,
        success_state: playbook.success_state,
        failure_state: playbook.failure_state,
        delivery_mode: playbook.delivery_mode.sent(),
        delivers: playbook.delivers.sent(),
        pull_request_follow_ups: playbook.pull_request_follow_ups,
        project_default,
        version,
        deletion: playbook.deleted.as_ref().map(deletion),
    }
}

/// The factory settings of a project.
pub fn settings(view: SettingsView) -> wire::FactorySettings {
    let SettingsView { settings, version, default_agent, default_playbook } = view;
    wire::FactorySettings {
        version,
        repository_source: settings.repository_source.sent(),
        repository: settings.repository.map(|name| name.to_string()),
        path_hint: settings.path_hint,
        default_branch: settings.default_branch,
        default_agent: default_agent.map(named),
        default_playbook: default_playbook.map(named),
    }
}

/// The refinement settings of a project.
pub fn refinement_settings(view: VersionedSettings) -> wire::RefinementSettings {
    let VersionedSettings { settings, version } = view;
    wire::RefinementSettings {
        version,
        product_description: settings.product_description,
        ticket_instructions: settings.ticket_instructions,
        naming_conventions: settings.naming_conventions,
        platforms: settings.platforms,
        refined_state: settings.refined_state,
    }
}

/// The refinement of an item.
pub fn refinement(view: RefinementView) -> wire::Refinement {
    let RefinementView { refinement, version, item_version } = view;
    let (confirmed_by, confirmed_at) = match &refinement.state {
        refinement::machine::State::Confirmed { by, at } => (Some(actor(by)), Some(*at)),
        refinement::machine::State::Running
        | refinement::machine::State::Questions
        | refinement::machine::State::Proposed
        | refinement::machine::State::Failed => (None, None),
    };
    let questions = refinement.open_questions().iter().zip(1..);
    wire::Refinement {
        item: refinement.item.to_string(),
        status: refinement.status().sent(),
        run: refinement.last().map(|round| round.run.to_string()).unwrap_or_default(),
        questions: questions
            .map(|(question, number)| wire::RefinementQuestion { number, question: question.clone() })
            .collect(),
        agent: named(refinement.agent),
        runner: refinement.runner.map(named),
        harness: refinement.harness.map(Word::sent),
        proposal: refinement.proposal.map(|proposal| wire::RefinementProposal {
            title: proposal.title,
            description: proposal.description,
            priority: proposal.priority.map(Word::sent),
            labels: proposal.labels,
        }),
        rounds: refinement.rounds.into_iter().map(round).collect(),
        forgotten_rounds: refinement.forgotten,
        confirmed_by,
        confirmed_at,
        item_version,
        version,
    }
}

fn round(round: refinement::Round) -> wire::RefinementRound {
    let answer =
        |given: refinement::Answer| wire::RefinementAnswer { question: given.question, answer: given.answer };
    wire::RefinementRound {
        run: round.run.to_string(),
        requested_by: actor(&round.by),
        requested_at: round.at,
        answers: round.answers.into_iter().map(answer).collect(),
        note: round.note,
        submitted_at: round.submitted_at,
        questions: round.questions,
    }
}

/// A rule.
pub fn rule(rule: Rule) -> wire::Rule {
    wire::Rule {
        id: rule.id.to_string(),
        name: rule.name,
        state: rule.state,
        label: rule.label,
        playbook: rule.playbook.to_string(),
        agent: rule.agent.map(|agent| agent.to_string()),
        only_ai_starters: rule.only_ai_starters,
        disabled: rule.disabled,
        saved_by: actor(&rule.by),
        version: rule.version,
    }
}

/// What a rule did.
pub fn firing(firing: Firing) -> wire::RuleFiring {
    let (run, skipped_reason) = match firing.outcome {
        Outcome::Started { run } => (Some(run.to_string()), None),
        Outcome::Skipped { reason } => (None, Some(reason)),
    };
    wire::RuleFiring {
        rule: firing.rule.to_string(),
        rule_name: firing.name,
        item: firing.item.to_string(),
        state: firing.state,
        at: firing.at,
        run,
        skipped_reason,
    }
}

/// A mention of an agent.
pub fn mention(view: MentionView) -> wire::AgentMention {
    let MentionView { request, waiting } = view;
    let status = request.status().sent();
    let (run, reason) = match request.state {
        State::Waiting => (None, waiting),
        State::Started { run } => (Some(run.to_string()), None),
        State::Dropped { reason, .. } => (None, Some(reason)),
        State::Withdrawn { .. } => (None, None),
    };
    wire::AgentMention {
        comment: request.comment.to_string(),
        agent: named(request.agent),
        requested_by: actor(&request.by),
        requested_at: request.at,
        status,
        run,
        reason,
    }
}

/// What a comment would start.
pub fn mention_preview(preview: Preview) -> wire::MentionPreview {
    let previewed = |AgentPreview { agent, effect, reason }| wire::PreviewedMention {
        agent: actor(&agent),
        effect: effect.sent(),
        reason,
    };
    wire::MentionPreview {
        agents: preview.agents.into_iter().map(previewed).collect(),
        people: preview.people.iter().map(actor).collect(),
    }
}

/// The code host, and the organization's connection with it.
pub fn code_host(view: CodeHostView) -> wire::CodeHost {
    let connection = view.connection.map(|connection| wire::CodeHostConnection {
        account: connection.account,
        connected_at: connection.connected_at,
        connected_by: actor(&connection.connected_by),
    });
    let webhook = view.webhook.map(|webhook| wire::Webhook {
        created_at: webhook.created_at,
        created_by: actor(&webhook.created_by),
    });
    wire::CodeHost { available: view.address.is_some(), url: view.address, connection, webhook }
}

/// Where a run's result goes: the mode, and the branch of direct delivery.
pub(crate) fn delivery(delivery: &Delivery) -> (wire::DeliveryMode, Option<String>) {
    match delivery {
        Delivery::BranchAndPullRequest => (wire::DeliveryMode::BranchAndPullRequest, None),
        Delivery::PushToDefaultBranch { target } => {
            (wire::DeliveryMode::PushToDefaultBranch, Some(target.clone()))
        }
    }
}

/// A run. Prompt, failure and session are for factory operators only.
pub fn run(view: RunView) -> wire::Run {
    let RunView { run, version, organization, waiting, continues_at, operator, prompt } = view;
    let (hold, ended) = (run.hold().cloned(), run.ended().cloned());
    let report = ended.as_ref().map(|ended| ended.report.clone()).unwrap_or_default();
    let words = match (&ended, operator) {
        (_, true) => report.outcome.clone(),
        (Some(ended), false) => Some(outcome::ending(&run, ended)),
        (None, false) => None,
    };
    let (reason, detail) = match ended.as_ref().map(|ended| &ended.ending) {
        Some(Ending::Failed { reason, detail }) if operator => {
            let sentence = detail.clone().unwrap_or_else(|| reason.sentence().to_owned());
            (Some(reason.as_str().to_owned()), Some(sentence))
        }
        _ => (None, None),
    };
    let (delivery_mode, direct_target) = delivery(&run.delivery);
    wire::Run {
        id: run.id.to_string(),
        organization: organization.to_string(),
        project: run.item.project.to_string(),
        item: run.item.to_string(),
        kind: run.kind.sent(),
        status: run.status().sent(),
        runner: hold.as_ref().map(|hold| named(hold.runner.clone())),
        harness: run.harness.sent(),
        delivery_mode,
        direct_target,
        scheduled_for: run.scheduled_for,
        queued_at: run.queued_at,
        assigned_at: hold.map(|hold| hold.since),
        started_at: run.started_at(),
        finished_at: ended.map(|ended| ended.at),
        waiting_reason: waiting,
        continues_at,
        outcome: words,
        pull_request: report.pull_request,
        exit_code: report.exit_code,
        cost: report.cost,
        tokens: report.tokens.map(|tokens| wire::TokenCounts {
            input: tokens.input,
            output: tokens.output,
            cache_read: tokens.cache_read,
            cache_write: tokens.cache_write,
        }),
        earlier_run: run.earlier_run.map(|run| run.to_string()),
        comment: run.comment.map(|comment| comment.to_string()),
        prompt_snapshot: prompt.filter(|_| operator),
        failure_reason: reason,
        failure_detail: detail,
        harness_session: run.session().filter(|_| operator).map(ToOwned::to_owned),
        version,
        agent: named(run.agent),
        playbook: named(run.playbook),
        requested_by: actor(&run.requested_by),
        // A follow-up may have begun another one.
        branch: report.pushed_branch.unwrap_or(run.branch),
    }
}

/// A file that a run left.
pub fn artifact(file: &Artifact) -> wire::RunArtifact {
    wire::RunArtifact { name: file.name.to_string(), size: file.size }
}

/// What a run changed, with or without the patch.
pub fn changes(changes: Changes, patch: bool) -> wire::RunChanges {
    let file = |file: svc_domain::run::changes::File| wire::ChangedFile {
        path: file.path,
        previous_path: file.previous_path,
        additions: file.additions,
        deletions: file.deletions,
        in_patch: file.in_patch,
    };
    let commit =
        |commit: svc_domain::run::changes::Commit| wire::RunCommit { hash: commit.hash, title: commit.title };
    wire::RunChanges {
        base: changes.base,
        head: changes.head,
        commits: changes.commits.into_iter().map(commit).collect(),
        commit_count: changes.commit_count,
        files: changes.files.into_iter().map(file).collect(),
        file_count: changes.file_count,
        additions: changes.additions,
        deletions: changes.deletions,
        patch: patch.then_some(changes.patch),
        truncated: changes.truncated,
    }
}

/// What a run would be.
pub fn run_preview(forecast: Forecast) -> wire::RunPreview {
    let Forecast { run, begins_on, blocked_by } = forecast;
    let (runner, waiting_reason) = match begins_on {
        Ok(runner) => (Some(named(runner)), None),
        Err(why) => (None, Some(why)),
    };
    wire::RunPreview {
        starts_now: runner.is_some(),
        runner,
        waiting_reason,
        blocked_by: blocked_by.into_iter().map(String::from).collect(),
        agent: named(run.agent),
        playbook: named(run.playbook),
        harness: run.harness.sent(),
        branch: run.branch,
        delivery_mode: delivery(&run.delivery).0,
        scheduled_for: run.scheduled_for,
    }
}

/// A page of a run's log.
pub fn log(page: Page) -> wire::LogPage {
    let entry = |(seq, line): (u64, svc_app::factory::log::Line)| wire::LogEntry {
        seq,
        at: line.at,
        stream: line.stream.sent(),
        text: line.text,
    };
    wire::LogPage {
        entries: page.lines.into_iter().map(entry).collect(),
        truncated: page.truncated,
        next_after: page.next_after,
        last_seq: page.last_seq,
        bytes: page.bytes,
        over: page.over,
    }
}
