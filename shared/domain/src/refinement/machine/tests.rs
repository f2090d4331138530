//! The whole table, and what rounds keep.

use jiff::Timestamp;
use uuid::Uuid;

use super::{Event, MAX_ROUNDS, NewRound, Refinement, RefinementStatus, State, Workforce, step};
use crate::ids::{Actor, ActorId, AgentId, ItemKey, RunId, UserId};
use crate::refinement::submission::{Answer, Proposal, Submission};
use crate::run::Named;

fn now() -> Timestamp {
    "2026-01-01T12:00:00Z".parse().unwrap()
}

fn item() -> ItemKey {
    "PRJ-1".parse().unwrap()
}

fn run(n: u128) -> RunId {
    RunId(Uuid::from_u128(n))
}

fn ada() -> Actor {
    Actor { id: ActorId::User(UserId(Uuid::from_u128(1))), name: "Ada".into() }
}

fn round(n: u128) -> NewRound {
    NewRound { by: ada(), run: run(n) }
}

fn start(n: u128) -> Event {
    let agent = Named { id: AgentId(Uuid::from_u128(2)), name: "builder".into() };
    Event::Start(round(n), Workforce { agent, runner: None, harness: None })
}

fn submit(n: u128, questions: &[&str], proposes: bool) -> Event {
    let proposal = Proposal { title: "T".into(), description: "D".into(), priority: None, labels: None };
    let questions = questions.iter().map(|text| (*text).to_owned()).collect();
    Event::Submit(run(n), Submission { questions, proposal: proposes.then_some(proposal) })
}

fn answer(n: u128) -> Event {
    Event::Answer(round(n), vec![Answer { question: "Why?".into(), answer: "So.".into() }], None)
}

fn after(events: Vec<Event>) -> Option<Refinement> {
    events
        .into_iter()
        .fold(None, |before, event| Some(step(before.as_ref(), &item(), event, now()).unwrap().0))
}

fn states() -> Vec<(&'static str, Option<Refinement>)> {
    let ended = || Event::RunEnded(run(1));
    vec![
        ("none", None),
        ("running", after(vec![start(1)])),
        ("running, submitted", after(vec![start(1), submit(1, &["Why?"], true)])),
        ("questions", after(vec![start(1), submit(1, &["Why?"], false), ended()])),
        ("questions and proposal", after(vec![start(1), submit(1, &["Why?"], true), ended()])),
        ("proposed", after(vec![start(1), submit(1, &[], true), ended()])),
        ("failed", after(vec![start(1), ended()])),
        ("confirmed", after(vec![start(1), submit(1, &[], true), ended(), Event::Confirm(ada())])),
    ]
}

fn events() -> Vec<(&'static str, Event)> {
    vec![
        ("start", start(2)),
        ("submit questions", submit(1, &["How?"], false)),
        ("submit a proposal", submit(1, &[], true)),
        ("submit, other run", submit(9, &[], true)),
        ("run ended", Event::RunEnded(run(1))),
        ("other run ended", Event::RunEnded(run(9))),
        ("run continued", Event::RunContinued { from: run(1), to: run(3) }),
        ("other run continued", Event::RunContinued { from: run(9), to: run(3) }),
        ("answer", answer(4)),
        ("answer with nothing", Event::Answer(round(4), Vec::new(), None)),
        ("ask for changes", Event::AskForChanges(round(5), "Shorter.".into())),
        ("confirm", Event::Confirm(ada())),
    ]
}

#[test]
fn every_state_times_every_event() {
    let mut table = String::new();
    for (name, refinement) in states() {
        table += &format!("## {name}\n");
        for (event_name, event) in events() {
            let result = match step(refinement.as_ref(), &item(), event, now()) {
                Ok((next, effects)) => {
                    let (rounds, last) = (next.rounds.len(), next.last().unwrap());
                    let proposal = if next.proposal.is_some() { ", proposal" } else { "" };
                    let asks = last.questions.len();
                    let run = last.run.0.as_u128();
                    format!("{} round {rounds} run {run} asks {asks}{proposal}  {effects:?}", next.status())
                }
                Err(refusal) => format!("refused: {refusal}"),
            };
            table += &format!("{event_name:20} {result}\n");
        }
    }
    insta::assert_snapshot!(table);
}

#[test]
fn the_last_submission_of_a_run_counts() {
    let twice =
        after(vec![start(1), submit(1, &["Why?"], false), submit(1, &[], true), Event::RunEnded(run(1))]);
    assert_eq!(twice.unwrap().state, State::Proposed);
}

#[test]
fn a_round_that_only_asks_keeps_the_proposal() {
    let asked = after(vec![
        start(1),
        submit(1, &[], true),
        Event::RunEnded(run(1)),
        Event::AskForChanges(round(2), "Why so?".into()),
        submit(2, &["Why not?"], false),
        Event::RunEnded(run(2)),
    ])
    .unwrap();
    assert_eq!(asked.status(), RefinementStatus::Questions);
    assert_eq!(asked.open_questions(), ["Why not?"]);
    assert!(asked.proposal.is_some());
}

#[test]
fn what_a_failed_run_was_given_is_given_again() {
    let again = after(vec![
        start(1),
        submit(1, &["Why?"], false),
        Event::RunEnded(run(1)),
        answer(2),
        Event::RunEnded(run(2)),
        start(3),
    ])
    .unwrap();
    assert_eq!(again.rounds.len(), 3);
    assert_eq!(again.last().unwrap().answers[0].answer, "So.");
}

#[test]
fn a_long_refinement_forgets_its_oldest_rounds() {
    let mut refinement = after(vec![start(1), submit(1, &[], true), Event::RunEnded(run(1))]).unwrap();
    for n in 2..60 {
        let events = [
            Event::AskForChanges(round(n), "x".repeat(10_000)),
            submit(n, &[], true),
            Event::RunEnded(run(n)),
        ];
        for event in events {
            refinement = step(Some(&refinement), &item(), event, now()).unwrap().0;
        }
    }
    assert!(refinement.rounds.iter().map(super::Round::size).sum::<usize>() <= MAX_ROUNDS);
    assert_eq!(refinement.rounds.len() + refinement.forgotten as usize, 59);
    let row = serde_json::to_string(&refinement).unwrap();
    assert!(row.len() < 300_000);
    assert_eq!(serde_json::from_str::<Refinement>(&row).unwrap(), refinement);
}
