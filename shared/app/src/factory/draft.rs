//! From a caller's selection to a run that may be queued: which playbook, agent and runner they mean, and the
//! prompt, captured as everything is now.

use jiff::Timestamp;
use svc_domain::agent::Agent;
use svc_domain::branch;
use svc_domain::budget::RunBudget;
use svc_domain::comment::Comment;
use svc_domain::harness::Harness;
use svc_domain::ids::{Actor, AgentId, OrgId, PlaybookId, ProjectKey, RunId, RunnerId};
use svc_domain::item::Item;
use svc_domain::playbook::{Delivers, DeliveryMode, FactorySettings, Playbook};
use svc_domain::prompt::{Material, RefinementMaterial, assemble, refine};
use svc_domain::refinement::{Refinement, RefinementSettings};
use svc_domain::refusal::Refusal;
use svc_domain::run::{Delivery, Named, Run, RunKind, RunRepository, State, Waiting};
use svc_domain::schedule::Schedule;
use svc_domain::template::Template;
use svc_domain::wiki::{Page, PagePath};

use super::discussion::Discussion;
use super::{agents, naming, playbooks, runners};
use crate::App;
use crate::error::Result;
use crate::heavy::on_texts;
use crate::wiki;

/// What a caller names of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct RunSelection<'a> {
    pub(super) playbook: Option<&'a str>,
    pub(super) agent: Option<&'a str>,
    pub(super) runner: Option<&'a str>,
    pub(super) harness: Option<Harness>,
}

/// The comment that asks for a run, and the one that began its thread if it is a reply.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) comment: Comment,
    pub(super) thread: Option<Comment>,
}

/// What the selection mean.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) playbook: (Playbook, u64),
    pub(super) agent: (Agent, u64),
    pub(super) runner: Option<Named<RunnerId>>,
    /// In place of the playbook's.
    pub(super) harness: Option<Harness>,
}

/// What there is to choose from.
pub(super) struct Offers {
    playbooks: Vec<(Playbook, u64)>,
    agents: Vec<(Agent, u64)>,
    runners: Vec<runners::RunnerView>,
    now: Timestamp,
}

impl Offers {
    /// What a project has; runners only where one is named.
    pub(super) async fn of(app: &App, org: OrgId, project: &ProjectKey, with_runners: bool) -> Result<Self> {
        let runners = async { if with_runners { runners::all(app, org).await } else { Ok(Vec::new()) } };
        let (playbooks, agents, runners) =
            futures::try_join!(playbooks::all(app, org, project), agents::all(app, org), runners)?;
        Ok(Self { playbooks, agents, runners, now: app.now() })
    }

    /// Whether there still is what a schedule names by id.
    pub(super) fn still_has(&self, schedule: &Schedule) -> Result<(), Refusal> {
        let gone = |field: &str, advice: &str| {
            let message = format!("The {field} that this schedule names was deleted. {advice}");
            Err(Refusal::invalid(field, message))
        };
        if !self.playbooks.iter().any(|(playbook, _)| playbook.id == schedule.playbook) {
            return gone("playbook", "Choose another one.");
        }
        if schedule.agent.is_some_and(|id| !self.agents.iter().any(|(agent, _)| agent.id == id)) {
            return gone("agent", "Choose another one, or none for the project's default.");
        }
        if schedule.runner.is_some_and(|id| !self.runners.iter().any(|known| known.runner.id == id)) {
            return gone("runner", "Choose another one, or none for any.");
        }
        Ok(())
    }

    /// Finds what a caller means, or the defaults.
    pub(super) fn choose(
        &self,
        settings: &FactorySettings,
        selection: &RunSelection<'_>,
    ) -> Result<Choice, Refusal> {
        Ok(Choice {
            playbook: playbook(&self.playbooks, settings, selection.playbook, self.now)?.clone(),
            agent: agent(&self.agents, settings, selection.agent, self.now)?.clone(),
            runner: selection.runner.map(|word| runner("runner", &self.runners, word)).transpose()?,
            harness: selection.harness,
        })
    }
}

/// The playbook and the agent that words name in a project.
pub(super) async fn name(
    app: &App,
    org: OrgId,
    project: &ProjectKey,
    settings: &FactorySettings,
    selection: &RunSelection<'_>,
) -> Result<(PlaybookId, Option<AgentId>)> {
    let (playbooks, agents) = futures::try_join!(playbooks::all(app, org, project), agents::all(app, org))?;
    let now = app.now();
    let found = selection.agent.map(|word| agent(&agents, settings, Some(word), now)).transpose()?;
    Ok((playbook(&playbooks, settings, selection.playbook, now)?.0.id, found.map(|(agent, _)| agent.id)))
}

/// The runner that a word names.
pub(super) async fn name_runner(app: &App, org: OrgId, word: &str) -> Result<RunnerId> {
    Ok(runner("runner", &runners::all(app, org).await?, word)?.id)
}

fn playbook<'a>(
    playbooks: &'a [(Playbook, u64)],
    settings: &FactorySettings,
    word: Option<&str>,
    now: Timestamp,
) -> Result<&'a (Playbook, u64), Refusal> {
    let default = settings.default_playbook.map(|id| id.to_string());
    let Some(word) = word.map(ToOwned::to_owned).or(default) else {
        return Err(Refusal::invalid("playbook", "The project has no default playbook. Name one."));
    };
    naming::playbook(&word, playbooks, now)
}

fn agent<'a>(
    agents: &'a [(Agent, u64)],
    settings: &FactorySettings,
    word: Option<&str>,
    now: Timestamp,
) -> Result<&'a (Agent, u64), Refusal> {
    let default = settings.default_agent.map(|id| id.to_string());
    let found = match word.map(ToOwned::to_owned).or(default) {
        Some(word) => naming::agent(&word, agents, now)?,
        None => match agents.iter().filter(|(agent, _)| agent.takes_runs()).collect::<Vec<_>>()[..] {
            [only] => only,
            [] => return Err(Refusal::invalid("agent", no_agent(agents, now))),
            _ => {
                return Err(Refusal::invalid(
                    "agent",
                    "The project has no default agent and the organization has several. Name one.",
                ));
            }
        },
    };
    if found.0.disabled {
        return Err(Refusal::invalid("agent", format!("The agent {} is disabled.", found.0.name)));
    }
    Ok(found)
}

/// Why no agent can be chosen, and what to do about it.
fn no_agent(agents: &[(Agent, u64)], now: Timestamp) -> &'static str {
    let is_restorable =
        |agent: &Agent| agent.deleted.as_ref().is_some_and(|deletion| deletion.can_be_undone(now));
    if agents.iter().any(|(agent, _)| agent.deleted.is_none()) {
        "All agents are disabled. Enable one, or create another."
    } else if agents.iter().any(|(agent, _)| is_restorable(agent)) {
        "All agents were deleted. Restore one, or create another."
    } else {
        "There is no agent yet. Create one."
    }
}

fn runner(field: &str, runners: &[runners::RunnerView], word: &str) -> Result<Named<RunnerId>, Refusal> {
    let found = naming::find(field, word, runners, |r| r.runner.id.to_string(), |r| &r.runner.name)?;
    // Not everybody who may name a runner may list them.
    let found = found.ok_or_else(|| Refusal::invalid(field, format!("There is no runner {word:?}.")))?;
    if found.runner.disabled {
        return Err(Refusal::invalid(field, format!("The runner {} is disabled.", found.runner.name)));
    }
    Ok(Named { id: found.runner.id, name: found.runner.name.clone() })
}

/// Finds who refines an item, and the playbook whose harness and time limit that has: the project's default, or
/// its only one.
pub(super) async fn choose_for_refining(
    app: &App,
    org: OrgId,
    item: &Item,
    settings: &FactorySettings,
    selection: &RunSelection<'_>,
) -> Result<Choice> {
    let default = match settings.default_playbook {
        Some(id) => Some(id.to_string()),
        None => match &playbooks::there(app, org, &item.key.project).await?[..] {
            [(only, _)] => Some(only.id.to_string()),
            _ => {
                let message = "A refinement takes its harness and time limit from the project's default playbook. \
                Make a playbook the default first.";
                return Err(Refusal::invalid("playbook", message).into());
            }
        },
    };
    let offers = Offers::of(app, org, &item.key.project, selection.runner.is_some()).await?;
    // Who starts a refinement names the runner in a field of another name than who starts a run.
    let named = selection.runner.map(|word| runner("runnerId", &offers.runners, word)).transpose()?;
    let selection = RunSelection { playbook: default.as_deref(), runner: None, ..*selection };
    Ok(Choice { runner: named, ..offers.choose(settings, &selection)? })
}

/// The refine run that a choice makes of an item: on the default branch, which it leaves as it is.
pub(super) fn refine_run(
    app: &App,
    item: &Item,
    settings: &FactorySettings,
    choice: &Choice,
    requested_by: Actor,
) -> Run {
    let run = run(app, item, settings, choice, requested_by, None, true);
    Run {
        kind: RunKind::Refine,
        refines: true,
        branch: settings.default_branch.clone(),
        delivery: Delivery::BranchAndPullRequest,
        success_state: None,
        failure_state: None,
        delivers: Delivers::Commit,
        ..run
    }
}

/// The run that a choice makes of an item.
pub(super) fn run(
    app: &App,
    item: &Item,
    settings: &FactorySettings,
    choice: &Choice,
    requested_by: Actor,
    scheduled_for: Option<Timestamp>,
    first_of_item: bool,
) -> Run {
    let (playbook, agent) = (&choice.playbook.0, &choice.agent.0);
    let (id, now) = (RunId(app.uuid()), app.now());
    let target = &settings.default_branch;
    let (delivery, branch) = match playbook.delivery_mode {
        DeliveryMode::PushToDefaultBranch => {
            (Delivery::PushToDefaultBranch { target: target.clone() }, target.clone())
        }
        DeliveryMode::BranchAndPullRequest if first_of_item => {
            (Delivery::BranchAndPullRequest, branch::of_item(&item.key, &item.title))
        }
        DeliveryMode::BranchAndPullRequest => {
            (Delivery::BranchAndPullRequest, branch::of_further_run(&item.key, &item.title, id))
        }
    };
    Run {
        id,
        item: item.key.clone(),
        kind: RunKind::Implement,
        agent: Named { id: agent.id, name: agent.name.clone() },
        playbook: Named { id: playbook.id, name: playbook.name.clone() },
        chosen_runner: choice.runner.clone(),
        harness: choice.harness.unwrap_or(playbook.harness),
        harness_is_chosen: choice.harness.is_some(),
        model: agent.model.clone(),
        requested_by,
        branch,
        delivery,
        repository: RunRepository {
            source: settings.repository_source,
            name: settings.repository.clone(),
            path_hint: settings.path_hint.clone(),
            default_branch: target.clone(),
        },
        time_limit_minutes: playbook.time_limit_minutes,
        success_state: playbook.success_state.clone(),
        failure_state: playbook.failure_state.clone(),
        scheduled_for,
        queued_at: now,
        earlier_run: None,
        comment: None,
        resume_session: None,
        refines: false,
        rule: None,
        schedule: None,
        rule_chain: Vec::new(),
        follow_up: None,
        budget: RunBudget::default(),
        despite_blockers: false,
        auto_continues: 0,
        delivers: playbook.delivers,
        fence: 0,
        held_by: std::collections::BTreeSet::new(),
        state: State::Queued(Waiting { available_at: scheduled_for.unwrap_or(now) }),
    }
}

/// The prompt of a run.
pub(super) async fn prompt(
    app: &App,
    org: OrgId,
    item: &Item,
    playbook: &Playbook,
    run: &Run,
    asked: Option<&Comment>,
) -> Result<String> {
    let (instructions, discussion) =
        futures::try_join!(instructions(app, org, item, playbook), Discussion::of(app, org, item, asked))?;
    let asked_bytes = asked.map_or(0, |asked| asked.body.len());
    let bytes = instructions.len() + item.body.len() + discussion.bytes() + asked_bytes;
    let (item, run, asked, delivery) = (item.clone(), run.clone(), asked.cloned(), playbook.delivery_mode);
    on_texts(bytes, move || {
        assemble(&Material {
            run: run.id,
            agent: &run.agent.name,
            playbook: &run.playbook.name,
            instructions: &instructions,
            item: discussion.item(&item),
            comments: discussion.parts(),
            branch: &run.branch,
            default_branch: &run.repository.default_branch,
            delivery,
            delivers: run.delivers,
            asked: asked.as_ref().map(|asked| discussion.part(asked)),
            mends: run.follow_up.as_ref().and_then(|follow_up| follow_up.request.as_ref()),
            new_branch: run.follow_up.as_ref().map(|follow_up| follow_up.new_branch.as_str()),
        })
    })
    .await
}

/// The prompt of a refine run.
pub(super) async fn refine_prompt(
    app: &App,
    org: OrgId,
    item: &Item,
    run: &Run,
    settings: &RefinementSettings,
    template: Option<&Template>,
    refinement: &Refinement,
) -> Result<String> {
    let discussion = Discussion::of(app, org, item, None).await?;
    let (id, agent, item) = (run.id, run.agent.name.clone(), item.clone());
    let (settings, template, refinement) = (settings.clone(), template.cloned(), refinement.clone());
    on_texts(item.body.len() + discussion.bytes(), move || {
        refine(&RefinementMaterial {
            run: id,
            agent: &agent,
            settings: &settings,
            item: discussion.item(&item),
            template: template.as_ref(),
            comments: discussion.parts(),
            refinement: &refinement,
        })
    })
    .await
}

async fn instructions(app: &App, org: OrgId, item: &Item, playbook: &Playbook) -> Result<String> {
    let page = page(app, org, &item.key.project, playbook).await?;
    Ok(wiki::text(app, org, page.id, page.version).await?.body)
}

/// The page of a playbook's instructions.
///
/// # Errors
/// [`Refusal::Conflict`] where it is gone.
pub(super) async fn page(app: &App, org: OrgId, project: &ProjectKey, playbook: &Playbook) -> Result<Page> {
    let path = PagePath::try_from(playbook.page_path.clone()).map_err(Refusal::from)?;
    match wiki::current(app, org, project, &path).await? {
        Some(current) => Ok(current.page),
        None => Err(Refusal::Conflict("the page with the playbook's instructions is gone").into()),
    }
}
