//! The refinement machine (specification section 3.5): what becomes of the refinement of one item.
//!
//! | state             | event           | condition                     | next               | effects            |
//! |-------------------|-----------------|-------------------------------|--------------------|--------------------|
//! | none, confirmed   | start           |                               | running, round 1   | queue a run        |
//! | failed            | start           |                               | running, next round| queue a run        |
//! | running           | submit          | by the run of this round      | running            |                    |
//! | running           | run ended       | it submitted questions        | questions          |                    |
//! | running           | run ended       | it submitted a proposal only  | proposed           |                    |
//! | running           | run ended       | it submitted nothing          | failed             |                    |
//! | failed            | run continued   | the run of the last round     | running            |                    |
//! | questions         | answer          | an answer or a note           | running, next round| queue a run        |
//! | questions,        | ask for changes | a note                        | running, next round| queue a run        |
//! | proposed          |                 |                               |                    |                    |
//! | questions,        | confirm         | there is a proposal           | confirmed          | apply the proposal |
//! | proposed          |                 |                               |                    |                    |
//! | any               | run ended       | another run                   | unchanged          |                    |
//! | every other pair  |                 |                               | refused            |                    |
//!
//! A run may submit again as long as it lives: its last submission counts. A round that only asks keeps the proposal
//! of an earlier one, so that it can be confirmed without answering.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::submission::{Answer, Proposal, Submission};
use crate::harness::Harness;
use crate::ids::{Actor, AgentId, ItemKey, RunId, RunnerId};
use crate::refusal::Refusal;
use crate::run::Named;
use crate::word::word_enum;

/// Bytes of rounds that a refinement keeps, so that it fits a row; the oldest rounds go first.
const MAX_ROUNDS: usize = 180_000;

word_enum! {
    /// State of a refinement in a word.
    RefinementStatus {
        /// A run works on it.
        Running = "running",
        /// The agent has questions.
        Questions = "questions",
        /// There is a proposal to confirm.
        Proposed = "proposed",
        /// The run ended without handing anything in.
        Failed = "failed",
        /// The proposal was confirmed.
        Confirmed = "confirmed",
    }
}

/// The refinement of an item, as stored. Its version is the row's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refinement {
    /// The item.
    pub item: ItemKey,
    /// Who refines it.
    pub agent: Named<AgentId>,
    /// Runner that was asked for.
    pub runner: Option<Named<RunnerId>>,
    /// Harness that was asked for.
    pub harness: Option<Harness>,
    /// What happened to it.
    pub state: State,
    /// The rounds, oldest first: never empty.
    pub rounds: Vec<Round>,
    /// Rounds that were too many to keep.
    #[serde(default)]
    pub forgotten: u32,
    /// The newest proposal.
    pub proposal: Option<Proposal>,
}

/// What has become of a refinement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "status")]
pub enum State {
    /// A run works on it: that of the last round.
    Running,
    /// The agent has questions.
    Questions,
    /// There is a proposal to confirm.
    Proposed,
    /// The run ended without handing anything in.
    Failed,
    /// The proposal was confirmed.
    Confirmed {
        /// By whom.
        by: Actor,
        /// When.
        at: Timestamp,
    },
}

/// One run of a refinement: what it was given, and what it asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Round {
    /// The run.
    pub run: RunId,
    /// Who asked for it.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
    /// Answers that it was given.
    pub answers: Vec<Answer>,
    /// A note that it was given.
    pub note: Option<String>,
    /// When it handed in something.
    pub submitted_at: Option<Timestamp>,
    /// What it asked.
    pub questions: Vec<String>,
}

/// A new round, by somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRound {
    /// Who asks for it.
    pub by: Actor,
    /// Its run.
    pub run: RunId,
}

/// Who refines, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workforce {
    /// The agent.
    pub agent: Named<AgentId>,
    /// The runner that was asked for.
    pub runner: Option<Named<RunnerId>>,
    /// The harness that was asked for.
    pub harness: Option<Harness>,
}

/// What happens to a refinement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A person starts it.
    Start(NewRound, Workforce),
    /// A run hands in what it made.
    Submit(RunId, Submission),
    /// A run ended.
    RunEnded(RunId),
    /// A run that had failed goes on as another.
    RunContinued {
        /// The run that failed.
        from: RunId,
        /// The run that goes on.
        to: RunId,
    },
    /// A person answers questions.
    Answer(NewRound, Vec<Answer>, Option<String>),
    /// A person asks for changes.
    AskForChanges(NewRound, String),
    /// A person confirms the proposal.
    Confirm(Actor),
}

/// What a step demands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Queue the run of the new round.
    QueueRun,
    /// Make the item what the proposal says, and move it.
    Apply(Proposal),
}

impl Refinement {
    /// Its state in a word.
    pub const fn status(&self) -> RefinementStatus {
        match self.state {
            State::Running => RefinementStatus::Running,
            State::Questions => RefinementStatus::Questions,
            State::Proposed => RefinementStatus::Proposed,
            State::Failed => RefinementStatus::Failed,
            State::Confirmed { .. } => RefinementStatus::Confirmed,
        }
    }

    /// The last round.
    pub fn last(&self) -> Option<&Round> {
        self.rounds.last()
    }

    /// The questions that wait for answers.
    pub fn open_questions(&self) -> &[String] {
        match self.state {
            State::Questions => self.last().map_or(&[], |round| &round.questions),
            State::Running | State::Proposed | State::Failed | State::Confirmed { .. } => &[],
        }
    }

    fn is_of(&self, run: RunId) -> bool {
        self.last().is_some_and(|round| round.run == run)
    }

    /// The same with one more round, which runs.
    fn again(&self, new: NewRound, answers: Vec<Answer>, note: Option<String>, now: Timestamp) -> Self {
        let mut next = Self { state: State::Running, ..self.clone() };
        next.rounds.push(Round::new(new, answers, note, now));
        while next.rounds.len() > 1 && next.rounds.iter().map(Round::size).sum::<usize>() > MAX_ROUNDS {
            next.rounds.remove(0);
            next.forgotten += 1;
        }
        next
    }
}

impl Round {
    fn new(new: NewRound, answers: Vec<Answer>, note: Option<String>, at: Timestamp) -> Self {
        let NewRound { by, run } = new;
        Self { run, by, at, answers, note, submitted_at: None, questions: Vec::new() }
    }

    /// Bytes of its texts.
    fn size(&self) -> usize {
        let answers = self.answers.iter().map(|given| given.question.len() + given.answer.len());
        let questions = self.questions.iter().map(String::len);
        answers.chain(questions).sum::<usize>() + self.note.as_ref().map_or(0, String::len)
    }
}

/// The refinement after an event, and what that demands. `None` is an item that was never refined.
///
/// # Errors
/// [`Refusal::Conflict`] where the state does not permit it, [`Refusal::NotFound`] where there is no refinement.
pub fn step(
    refinement: Option<&Refinement>,
    item: &ItemKey,
    event: Event,
    now: Timestamp,
) -> Result<(Refinement, Vec<Effect>), Refusal> {
    let queue = |next| Ok((next, vec![Effect::QueueRun]));
    match event {
        Event::Start(new, workforce) => queue(begin(refinement, item, new, workforce, now)?),
        Event::Submit(run, submission) => submitted(there(refinement)?, run, submission, now),
        Event::RunEnded(run) => Ok((ended(there(refinement)?, run), Vec::new())),
        Event::RunContinued { from, to } => continued(there(refinement)?, from, to),
        Event::Answer(new, answers, note) => {
            let refinement = waiting(there(refinement)?)?;
            if refinement.state != State::Questions {
                return Err(Refusal::Conflict(
                    "there is no open question: confirm the proposal or ask for changes",
                ));
            }
            if answers.is_empty() && note.is_none() {
                return Err(Refusal::invalid("answers", "Answer at least one question, or leave a note."));
            }
            queue(refinement.again(new, answers, note, now))
        }
        Event::AskForChanges(new, note) => {
            queue(waiting(there(refinement)?)?.again(new, Vec::new(), Some(note), now))
        }
        Event::Confirm(by) => {
            let refinement = waiting(there(refinement)?)?;
            let Some(proposal) = refinement.proposal.clone() else {
                return Err(Refusal::Conflict("there is no proposal yet: answer the questions first"));
            };
            let next = Refinement { state: State::Confirmed { by, at: now }, ..refinement.clone() };
            Ok((next, vec![Effect::Apply(proposal)]))
        }
    }
}

fn there(refinement: Option<&Refinement>) -> Result<&Refinement, Refusal> {
    refinement.ok_or(Refusal::NotFound)
}

/// A refinement that waits for a person.
fn waiting(refinement: &Refinement) -> Result<&Refinement, Refusal> {
    match refinement.state {
        State::Questions | State::Proposed => Ok(refinement),
        State::Running => {
            Err(Refusal::Conflict("a run is still refining the item: wait for it or cancel it"))
        }
        State::Failed => Err(Refusal::Conflict("the last run submitted nothing: refine the item again")),
        State::Confirmed { .. } => {
            Err(Refusal::Conflict("the refinement was confirmed: refine the item again"))
        }
    }
}

fn begin(
    refinement: Option<&Refinement>,
    item: &ItemKey,
    new: NewRound,
    workforce: Workforce,
    now: Timestamp,
) -> Result<Refinement, Refusal> {
    let Workforce { agent, runner, harness } = workforce;
    match refinement.map(|refinement| (refinement, &refinement.state)) {
        None | Some((_, State::Confirmed { .. })) => Ok(Refinement {
            item: item.clone(),
            agent,
            runner,
            harness,
            state: State::Running,
            rounds: vec![Round::new(new, Vec::new(), None, now)],
            forgotten: 0,
            proposal: None,
        }),
        Some((failed, State::Failed)) => {
            // What the failed run was given was never used.
            let (answers, note) =
                failed.last().map(|round| (round.answers.clone(), round.note.clone())).unwrap_or_default();
            Ok(Refinement { agent, runner, harness, ..failed.again(new, answers, note, now) })
        }
        Some((_, State::Running)) => {
            Err(Refusal::Conflict("a run is already refining the item: wait for it or cancel it"))
        }
        Some((_, State::Questions)) => {
            Err(Refusal::Conflict("the last refinement has questions: answer them or ask for changes"))
        }
        Some((_, State::Proposed)) => {
            Err(Refusal::Conflict("the last refinement has a proposal: confirm it or ask for changes"))
        }
    }
}

fn submitted(
    refinement: &Refinement,
    run: RunId,
    submission: Submission,
    now: Timestamp,
) -> Result<(Refinement, Vec<Effect>), Refusal> {
    if refinement.state != State::Running || !refinement.is_of(run) {
        return Err(Refusal::Conflict("this run does not refine the item"));
    }
    let mut next = refinement.clone();
    if let Some(round) = next.rounds.last_mut() {
        round.questions = submission.questions;
        round.submitted_at = Some(now);
    }
    next.proposal = submission.proposal.or(next.proposal);
    Ok((next, Vec::new()))
}

fn ended(refinement: &Refinement, run: RunId) -> Refinement {
    if refinement.state != State::Running || !refinement.is_of(run) {
        return refinement.clone();
    }
    let state = match refinement.last() {
        Some(round) if round.submitted_at.is_none() => State::Failed,
        Some(round) if !round.questions.is_empty() => State::Questions,
        Some(_) | None => State::Proposed,
    };
    Refinement { state, ..refinement.clone() }
}

fn continued(refinement: &Refinement, from: RunId, to: RunId) -> Result<(Refinement, Vec<Effect>), Refusal> {
    if refinement.state != State::Failed || !refinement.is_of(from) {
        return Err(Refusal::Conflict("the refinement continued without this run"));
    }
    let mut next = Refinement { state: State::Running, ..refinement.clone() };
    if let Some(round) = next.rounds.last_mut() {
        round.run = to;
    }
    Ok((next, Vec::new()))
}

#[cfg(test)]
mod tests;
