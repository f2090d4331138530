//! What becomes of a mention of an agent by a person who may start its runs (specification sections 3.2 and 6.4).
//!
//! | state   | event    | condition                               | next      | effects               |
//! |---------|----------|-----------------------------------------|-----------|-----------------------|
//! | waiting | start    | it is the item's oldest one that waits  | started   | (its run is queued)   |
//! | waiting | wait     | a run holds the item                    | unchanged | (the run's end tells) |
//! | waiting | wait     | no run has held the item for a day      | dropped   | reply                 |
//! | waiting | wait     | it was free of runs for less            | unchanged | look again            |
//! | waiting | refuse   | no run can ever start                   | dropped   | reply                 |
//! | waiting | withdraw | the comment does not say it any more    | withdrawn |                       |
//! | other   | any      |                                         | unchanged |                       |
//!
//! Requests of an item are answered in the order in which they were written, which is that of their rows. The day
//! counts from the mention, or from the end of the last run of the item if that was later.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::Mention;
use crate::comment::Comment;
use crate::ids::{Actor, ActorId, AgentId, CommentId, RunId};
use crate::refusal::Refusal;
use crate::run::Named;
use crate::word::word_enum;

/// How long a mention waits on an item that no run holds.
pub const PATIENCE: SignedDuration = SignedDuration::from_hours(24);

/// A mention that asks for a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MentionRequest {
    /// The comment.
    pub comment: CommentId,
    /// The agent, with the name that it had then.
    pub agent: Named<AgentId>,
    /// Who wrote the comment: the run starts with the rights that this person has then.
    pub by: Actor,
    /// When the comment was written, or the edit that brought the mention.
    pub at: Timestamp,
    /// The version of the comment that brought it: two edits may be of one moment.
    pub version: u64,
    /// Its place among the mentions of the comment, from 0.
    pub place: usize,
    /// What happened to it.
    pub state: State,
}

/// What has become of a mention.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "status")]
pub enum State {
    /// It waits until the item is free.
    Waiting,
    /// Its run was queued.
    Started {
        /// The run.
        run: RunId,
    },
    /// No run was started, and the agent said why.
    Dropped {
        /// Why, in a sentence.
        reason: String,
        /// When.
        at: Timestamp,
    },
    /// Its author took it back.
    Withdrawn {
        /// When that was noticed.
        at: Timestamp,
    },
}

word_enum! {
    /// State of a mention in a word.
    MentionStatus {
        /// It waits until the item is free.
        Waiting = "waiting",
        /// Its run was queued.
        Started = "started",
        /// No run was started, and the agent said why.
        Dropped = "dropped",
        /// Its author took it back.
        Withdrawn = "withdrawn",
    }
}

/// What happens to a mention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Its run is queued.
    Start {
        /// The run.
        run: RunId,
    },
    /// It cannot start now.
    Wait {
        /// Since when no run has held the item; `None` while one does.
        free_of_runs_since: Option<Timestamp>,
        /// Why it cannot start, in a sentence.
        why: String,
    },
    /// No run can ever start.
    Refuse {
        /// Why, in a sentence.
        reason: String,
    },
    /// The comment was deleted, or mentions the agent no longer.
    Withdraw,
}

/// What an event demands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The agent replies in the comment's thread.
    Reply {
        /// Text, Markdown.
        text: String,
    },
    /// Look again no later than this.
    LookAgain {
        /// When its patience ends.
        by: Timestamp,
    },
}

impl MentionRequest {
    /// The requests that new mentions of a comment in this version are: those of agents.
    pub fn of((comment, version): (&Comment, u64), before: &[Mention]) -> Vec<Self> {
        let is_new = |mention: &Mention| before.iter().all(|known| known.who.id != mention.who.id);
        let request = |(place, mention): (usize, &Mention)| match mention.who.id {
            ActorId::Agent(id) => Some(Self {
                comment: comment.id,
                agent: Named { id, name: mention.who.name.clone() },
                by: comment.author.clone(),
                at: mention.since,
                version,
                place,
                state: State::Waiting,
            }),
            ActorId::User(_) => None,
        };
        let mentions = comment.mentions.iter().enumerate();
        mentions.filter(|(_, mention)| is_new(mention)).filter_map(request).collect()
    }

    /// The agent as the one who does something.
    pub fn actor(&self) -> Actor {
        Actor { id: ActorId::Agent(self.agent.id), name: self.agent.name.clone() }
    }

    /// Whether the comment still says it: these are its mentions now.
    pub fn is_still_said(&self, mentions: &[Mention]) -> bool {
        let agent = ActorId::Agent(self.agent.id);
        mentions.iter().any(|mention| mention.who.id == agent && mention.since == self.at)
    }

    /// Its state in a word.
    pub const fn status(&self) -> MentionStatus {
        match self.state {
            State::Waiting => MentionStatus::Waiting,
            State::Started { .. } => MentionStatus::Started,
            State::Dropped { .. } => MentionStatus::Dropped,
            State::Withdrawn { .. } => MentionStatus::Withdrawn,
        }
    }
}

/// The mention after an event, and what that demands.
pub fn step(request: &MentionRequest, event: Event, now: Timestamp) -> (MentionRequest, Vec<Effect>) {
    let to = |state| MentionRequest { state, ..request.clone() };
    match request.state {
        State::Started { .. } | State::Dropped { .. } | State::Withdrawn { .. } => {
            (request.clone(), Vec::new())
        }
        State::Waiting => match event {
            Event::Start { run } => (to(State::Started { run }), Vec::new()),
            Event::Withdraw => (to(State::Withdrawn { at: now }), Vec::new()),
            Event::Refuse { reason } => {
                let text = format!("I cannot start this. {reason}");
                (to(State::Dropped { reason, at: now }), vec![Effect::Reply { text }])
            }
            Event::Wait { free_of_runs_since: None, .. } => (request.clone(), Vec::new()),
            Event::Wait { free_of_runs_since: Some(since), why } => {
                let until = since.max(request.at).saturating_add(PATIENCE).unwrap_or(Timestamp::MAX);
                if now < until {
                    return (request.clone(), vec![Effect::LookAgain { by: until }]);
                }
                let reason = format!("It waited for a day and could not start. {why}");
                let text = format!("{reason} Mention me again to try again.");
                (to(State::Dropped { reason, at: now }), vec![Effect::Reply { text }])
            }
        },
    }
}

/// Why no run can start, in a sentence for who mentioned the agent.
pub fn reason(refusal: &Refusal) -> String {
    refusal.why_no_run("mentioned me")
}

#[cfg(test)]
mod tests {
    use super::{Effect, Event, MentionRequest, PATIENCE, State, step};
    use crate::comment::tests::{agent, comment, person};
    use crate::ids::RunId;
    use crate::mention::Mention;
    use jiff::{SignedDuration, Timestamp};
    use uuid::Uuid;

    fn at(second: i64) -> Timestamp {
        Timestamp::new(second, 0).unwrap()
    }

    fn request(state: State) -> MentionRequest {
        let mut said = comment(1, person());
        said.mentions = vec![Mention { who: agent(), since: at(100) }];
        MentionRequest { state, ..MentionRequest::of((&said, 1), &[]).remove(0) }
    }

    #[test]
    fn what_becomes_of_a_mention_in_every_state() {
        let (now, run) = (at(200_000), RunId(Uuid::from_u128(9)));
        let states = [
            State::Waiting,
            State::Started { run },
            State::Dropped { reason: "So.".into(), at: at(500) },
            State::Withdrawn { at: at(500) },
        ];
        let wait = |free_of_runs_since| Event::Wait { free_of_runs_since, why: "It is held.".into() };
        let events = [
            Event::Start { run },
            wait(None),
            wait(Some(at(190_000))),
            wait(Some(now - PATIENCE)),
            Event::Refuse { reason: "There is no default playbook.".into() },
            Event::Withdraw,
        ];
        let mut table = String::new();
        for state in &states {
            for event in &events {
                let (next, effects) = step(&request(state.clone()), event.clone(), now);
                if *state != State::Waiting {
                    assert_eq!((&next.state, &effects), (state, &Vec::new()), "what is over stays so");
                    continue;
                }
                table += &format!("{event:?}\n  → {:?} {effects:?}\n", next.state);
            }
        }
        insta::assert_snapshot!(table);
    }

    #[test]
    fn the_day_begins_with_the_mention_or_with_the_end_of_the_last_run() {
        let wait = |since| Event::Wait { free_of_runs_since: Some(at(since)), why: String::new() };
        let end = at(100) + PATIENCE;
        let second = SignedDuration::from_secs(1);
        let looked = |since, now| step(&request(State::Waiting), wait(since), now);
        assert_eq!(looked(0, end - second).1, [Effect::LookAgain { by: end }], "older than the mention");
        assert!(matches!(looked(0, end).0.state, State::Dropped { .. }));
        let later = at(5_000) + PATIENCE;
        assert_eq!(looked(5_000, end).1, [Effect::LookAgain { by: later }], "a run held the item meanwhile");
        assert!(matches!(looked(5_000, later).0.state, State::Dropped { .. }));
    }

    #[test]
    fn only_new_mentions_of_agents_ask() {
        let mention = |who, since| Mention { who, since: at(since) };
        let kept = mention(agent(), 1);
        let ask = |now: &[Mention], before: &[Mention]| {
            let mut said = comment(1, person());
            said.mentions = now.to_vec();
            MentionRequest::of((&said, 1), before).len()
        };
        assert_eq!(ask(&[mention(person(), 1), kept.clone()], &[]), 1);
        assert_eq!(ask(std::slice::from_ref(&kept), std::slice::from_ref(&kept)), 0, "an edit that keeps it");
        assert_eq!(ask(&[mention(agent(), 2)], &[]), 1, "an edit that brings it back");
        let asked = request(State::Waiting);
        assert!(asked.is_still_said(&[mention(agent(), 100)]));
        assert!(!asked.is_still_said(&[mention(agent(), 200)]) && !asked.is_still_said(&[]));
    }
}
