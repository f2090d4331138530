//! A round of a refinement: its run is queued with the prompt that holds what people answered so far.

use svc_domain::access::Capability;
use svc_domain::harness::Harness;
use svc_domain::ids::{Actor, ItemKey};
use svc_domain::item::Item;
use svc_domain::playbook::FactorySettings;
use svc_domain::refinement::machine::{Event, NewRound, Workforce, step};
use svc_domain::refinement::submission::{self, Answer};
use svc_domain::refusal::Refusal;
use svc_domain::run::{Run, settle};
use svc_storage::{Condition, Op, RowOf, keys};

use super::super::dispatch::{queue, rows_of, standing_ops};
use super::super::draft::{self, Choice, RunSelection};
use super::super::runners;
use super::super::settings_row::settings_of;
use super::{Read, RefinementView, write};
use crate::App;
use crate::asker::Asker;
use crate::entry::{Caller, Entry};
use crate::error::Result;
use crate::tracker::ItemChange;
use crate::tracker::gone::item_row;
use crate::transaction::Transaction;

/// A wanted refinement.
#[derive(Clone, Debug, Default)]
pub struct StartRefinement {
    /// Id or name of the only runner that may take its runs.
    pub runner: Option<String>,
    /// Harness of its runs; the default playbook's when absent.
    pub harness: Option<Harness>,
}

/// What a person says to what an agent handed in.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// The version of the refinement last read.
    pub version: u64,
    /// Answers: the number of a question, from 1, and the text.
    pub answers: Vec<(u32, String)>,
    /// A note.
    pub note: Option<String>,
}

/// Starts a refinement of an item, or tries one again that failed.
///
/// # Errors
/// [`Refusal::FactoryNotPermitted`], [`Refusal::LiveRunExists`], [`Refusal::ItemClaimed`], [`Refusal::Conflict`]
/// while there are questions or a proposal, [`Refusal::Invalid`].
pub async fn start(
    app: &App,
    caller: Caller<'_>,
    item: &ItemKey,
    start: &StartRefinement,
) -> Result<RefinementView> {
    app.decide(|| next_round(app, Asker::Request(caller), item, Wanted::Start(start))).await
}

/// Answers the questions of an agent, which refines the item again.
///
/// # Errors
/// [`Refusal::StaleVersion`]; as [`start`].
pub async fn answer(app: &App, caller: Caller<'_>, item: &ItemKey, reply: &Reply) -> Result<RefinementView> {
    answer_by(app, Asker::Request(caller), item, reply).await
}

/// The same, for any asker.
pub(crate) async fn answer_by(
    app: &App,
    asker: Asker<'_>,
    item: &ItemKey,
    reply: &Reply,
) -> Result<RefinementView> {
    app.decide(|| next_round(app, asker, item, Wanted::Answer(reply))).await
}

/// Sends a note for another pass.
///
/// # Errors
/// As [`answer`].
pub async fn ask_for_changes(
    app: &App,
    caller: Caller<'_>,
    item: &ItemKey,
    reply: &Reply,
) -> Result<RefinementView> {
    ask_for_changes_by(app, Asker::Request(caller), item, reply).await
}

/// The same, for any asker.
pub(crate) async fn ask_for_changes_by(
    app: &App,
    asker: Asker<'_>,
    item: &ItemKey,
    reply: &Reply,
) -> Result<RefinementView> {
    app.decide(|| next_round(app, asker, item, Wanted::Changes(reply))).await
}

/// What a person asks for.
#[derive(Clone, Copy)]
enum Wanted<'a> {
    Start(&'a StartRefinement),
    Answer(&'a Reply),
    Changes(&'a Reply),
}

async fn next_round(
    app: &App,
    asker: Asker<'_>,
    key: &ItemKey,
    wanted: Wanted<'_>,
) -> Result<RefinementView> {
    let project = &key.project;
    let rows = |org| {
        (
            rows_of(org, key),
            keys::refinement(org, key),
            keys::refinement_settings(org, project),
            keys::templates(org, project),
        )
    };
    let (entry, ((row, settings), refinement, guidance, templates)) =
        asker.enter_project_with(app, project, Capability::OperateFactory, rows).await?;
    let row = item_row(app, &entry, row, key).await?;
    let item: Item = row.read()?;
    let read = Read::of(refinement.as_ref())?;
    wanted.require_version(read.as_ref())?;
    settle::admit(&item, app.now(), app.settings.claims.stale_after())?;
    let settings = settings_of(settings.as_ref())?;
    let choice = choose(app, &entry, (&item, &settings), wanted, read.as_ref()).await?;
    let run = draft::refine_run(app, &item, &settings, &choice, entry.actor().clone());
    let event = wanted.event(entry.actor().clone(), &run, &choice, read.as_ref())?;
    let (next, _) = step(read.as_ref().map(|read| &read.refinement), key, event, app.now())?;

    let org = entry.org_id();
    let guidance = RowOf::or_default(guidance.as_ref())?;
    let templates = RowOf::or_default(templates.as_ref())?;
    let template = templates.0.iter().find(|template| template.item_type == item.item_type);
    let prompt = draft::refine_prompt(app, org, &item, &run, &guidance, template, &next).await?;
    let item_version = item.revision + 1;
    let mut transaction = Transaction::of(app, &entry);
    queue(app, org, &mut transaction, &run, &prompt, ItemChange::update(org, item, row.version), None);
    let version = write(&mut transaction, org, read.as_ref(), &next);
    let agent = Op::check(keys::agent(org, run.agent.id), Condition::Version(choice.agent.1));
    app.commit(transaction.with(standing_ops(&entry)).with([agent])).await?;
    tracing::info!(run = %run.id, item = %key, agent = run.agent.name, "refine run queued");
    Ok(RefinementView { refinement: next, version, item_version })
}

/// Who does the round: who was asked for at the start, as long as there is such a runner.
async fn choose(
    app: &App,
    entry: &Entry,
    (item, settings): (&Item, &FactorySettings),
    wanted: Wanted<'_>,
    read: Option<&Read>,
) -> Result<Choice> {
    let org = entry.org_id();
    let (agent, runner) = match (wanted, read) {
        (Wanted::Start(start), _) => (None, start.runner.clone()),
        (Wanted::Answer(_) | Wanted::Changes(_), None) => (None, None),
        (Wanted::Answer(_) | Wanted::Changes(_), Some(read)) => {
            let chosen = read.refinement.runner.as_ref().map(|runner| runner.id);
            let gone = runners::gone(app, org, chosen).await?;
            let agent = read.refinement.agent.id.to_string();
            (Some(agent), chosen.filter(|id| !gone.contains(id)).map(|id| id.to_string()))
        }
    };
    let selection = RunSelection {
        playbook: None,
        agent: agent.as_deref(),
        runner: runner.as_deref(),
        harness: wanted.harness(read),
    };
    draft::choose_for_refining(app, org, item, settings, &selection).await
}

impl Wanted<'_> {
    fn require_version(self, read: Option<&Read>) -> Result<(), Refusal> {
        match self {
            Self::Start(_) => Ok(()),
            Self::Answer(reply) | Self::Changes(reply) => {
                read.ok_or(Refusal::NotFound)?.require_version(reply.version)
            }
        }
    }

    fn harness(self, read: Option<&Read>) -> Option<Harness> {
        match self {
            Self::Start(start) => start.harness,
            Self::Answer(_) | Self::Changes(_) => read.and_then(|read| read.refinement.harness),
        }
    }

    fn event(self, by: Actor, run: &Run, choice: &Choice, read: Option<&Read>) -> Result<Event, Refusal> {
        let new = NewRound { by, run: run.id };
        Ok(match self {
            Self::Start(start) => {
                let (runner, harness) = (choice.runner.clone(), start.harness);
                Event::Start(new, Workforce { agent: run.agent.clone(), runner, harness })
            }
            Self::Answer(reply) => {
                let questions = read.map_or(&[][..], |read| read.refinement.open_questions());
                // With no open question the machine says so.
                let answers: Vec<Answer> = if questions.is_empty() {
                    Vec::new()
                } else {
                    submission::answers(questions, &reply.answers)?
                };
                Event::Answer(new, answers, submission::note(reply.note.as_deref())?)
            }
            Self::Changes(reply) => {
                let note = submission::note(reply.note.as_deref())?;
                let note = note.ok_or_else(|| Refusal::invalid("note", "Say what should change."))?;
                Event::AskForChanges(new, note)
            }
        })
    }
}
