//! The machine of an attachment's upload.
//!
//! | state    | event                   | condition                | next     | effects                          |
//! |----------|-------------------------|--------------------------|----------|----------------------------------|
//! | awaited  | upload                  | its time is not over     | awaited  |                                  |
//! | awaited  | commit, bytes are right | its time is not over     | attached | unwatch; of an item: tell        |
//! |          |                         | of a comment             | loose    | unwatch, watch                   |
//! | awaited  | commit, bytes are wrong |                          | removed  | discard: announce it anew        |
//! | awaited  | commit, no bytes        |                          | refused  | upload them first                |
//! | loose    | refer                   |                          | attached | unwatch                          |
//! | loose,   | commit                  |                          | the same | (repeated: harmless)             |
//! | attached | upload, refer           |                          | refused  |                                  |
//! | any      | remove                  |                          | removed  | discard; of an item: tell        |
//! | awaited, | look                    | its time is over         | removed  | discard                          |
//! | loose    |                         | its time is not over     | the same |                                  |
//! | attached | look                    |                          | the same | unwatch (left by a crash)        |
//! | removed  | look                    |                          | removed  | discard (left by a crash)        |
//! | removed  | anything else           |                          | refused  | there is nothing                 |
//!
//! *Awaited* has been announced; its bytes may arrive until a time. *Loose* is committed for a comment that is
//! not written yet; without one it goes after a time. *Removed* is never stored: there is no row then.
//!
//! *Discard* takes the rows first and the bytes after them, and keeps a note to look again until no upload
//! that was permitted can still be on its way: whatever is cut off in the middle is found by the next look.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::target::Target;
use crate::refusal::Refusal;

/// How far an attachment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "is")]
pub enum State {
    /// Its bytes may arrive.
    Awaited {
        /// End of the period.
        until: Timestamp,
    },
    /// Committed; no comment refers to it yet.
    Loose {
        /// When it goes.
        until: Timestamp,
    },
    /// It belongs to its item or comment.
    Attached,
    /// There is none.
    Removed,
}

/// What a look at the bytes said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bytes {
    /// None have arrived.
    Missing,
    /// They are not what was announced.
    Wrong,
    /// They are.
    Right,
}

/// What happens to an attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Bytes are about to arrive.
    Upload,
    /// The caller says that they have arrived.
    Commit {
        /// What a look at them said.
        bytes: Bytes,
        /// When it goes if no comment refers to it.
        loose_until: Timestamp,
    },
    /// A comment is written that refers to it.
    Refer,
    /// Somebody who may takes it away.
    Remove,
    /// The worker looks whether its time is over.
    Look,
}

/// What a step demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Look at it again at this time.
    Watch(Timestamp),
    /// Look at it no more.
    Unwatch,
    /// Note it in the item's history.
    Tell,
    /// Its rows and bytes go.
    Discard,
}

/// The state after an event, and what that demands.
///
/// # Errors
/// [`Refusal::Conflict`] where the state does not permit it, [`Refusal::NotFound`] where there is nothing.
pub fn step(
    state: State,
    target: Target,
    event: Event,
    now: Timestamp,
) -> Result<(State, Vec<Effect>), Refusal> {
    match state {
        State::Awaited { until } => awaited(until, target, event, now),
        State::Loose { until } => loose(until, event, now),
        State::Attached => attached(target, event),
        State::Removed => removed(event),
    }
}

fn awaited(
    until: Timestamp,
    target: Target,
    event: Event,
    now: Timestamp,
) -> Result<(State, Vec<Effect>), Refusal> {
    let state = State::Awaited { until };
    let over = now >= until;
    match event {
        Event::Upload if over => Err(TOO_LATE),
        Event::Upload => Ok((state, vec![])),
        Event::Commit { bytes: Bytes::Wrong, .. } => Ok((State::Removed, vec![Effect::Discard])),
        Event::Commit { bytes: Bytes::Missing, .. } if over => Err(TOO_LATE),
        Event::Commit { bytes: Bytes::Missing, .. } => {
            Err(Refusal::Conflict("no bytes have arrived; upload them, then commit"))
        }
        Event::Commit { bytes: Bytes::Right, .. } if over => Err(TOO_LATE),
        Event::Commit { bytes: Bytes::Right, loose_until } => match target {
            Target::Item => Ok((State::Attached, vec![Effect::Unwatch, Effect::Tell])),
            Target::Comment(_) => {
                Ok((State::Loose { until: loose_until }, vec![Effect::Unwatch, Effect::Watch(loose_until)]))
            }
        },
        Event::Refer => Err(Refusal::Conflict("the attachment is not committed yet")),
        Event::Remove => Ok((State::Removed, vec![Effect::Discard])),
        Event::Look if over => Ok((State::Removed, vec![Effect::Discard])),
        Event::Look => Ok((state, vec![])),
    }
}

fn loose(until: Timestamp, event: Event, now: Timestamp) -> Result<(State, Vec<Effect>), Refusal> {
    let state = State::Loose { until };
    match event {
        Event::Upload => Err(COMMITTED),
        Event::Commit { .. } => Ok((state, vec![])),
        Event::Refer => Ok((State::Attached, vec![Effect::Unwatch])),
        Event::Remove => Ok((State::Removed, vec![Effect::Discard])),
        Event::Look if now >= until => Ok((State::Removed, vec![Effect::Discard])),
        Event::Look => Ok((state, vec![])),
    }
}

fn attached(target: Target, event: Event) -> Result<(State, Vec<Effect>), Refusal> {
    match event {
        Event::Upload => Err(COMMITTED),
        Event::Commit { .. } => Ok((State::Attached, vec![])),
        Event::Refer => Err(Refusal::Conflict("the attachment is already in use")),
        Event::Remove => match target {
            Target::Item => Ok((State::Removed, vec![Effect::Discard, Effect::Tell])),
            Target::Comment(_) => Ok((State::Removed, vec![Effect::Discard])),
        },
        Event::Look => Ok((State::Attached, vec![Effect::Unwatch])),
    }
}

fn removed(event: Event) -> Result<(State, Vec<Effect>), Refusal> {
    match event {
        Event::Look => Ok((State::Removed, vec![Effect::Discard])),
        Event::Upload | Event::Commit { .. } | Event::Refer | Event::Remove => Err(Refusal::NotFound),
    }
}

const TOO_LATE: Refusal = Refusal::Conflict("the upload took too long; announce the attachment again");
const COMMITTED: Refusal =
    Refusal::Conflict("the attachment is already committed and cannot change; announce a new one");

#[cfg(test)]
mod tests {
    use super::{Bytes, Effect, Event, State, step};
    use crate::attachment::Target;
    use jiff::Timestamp;
    use proptest::prelude::{Strategy, prop_assert, proptest};

    const NOW: Timestamp = Timestamp::constant(1_000, 0);
    const LATER: Timestamp = Timestamp::constant(2_000, 0);
    const EVENTS: [Event; 7] = [
        Event::Upload,
        Event::Commit { bytes: Bytes::Missing, loose_until: LATER },
        Event::Commit { bytes: Bytes::Wrong, loose_until: LATER },
        Event::Commit { bytes: Bytes::Right, loose_until: LATER },
        Event::Refer,
        Event::Remove,
        Event::Look,
    ];

    fn named(state: State) -> String {
        match state {
            State::Awaited { until } if until <= NOW => "awaited, over".into(),
            State::Awaited { .. } => "awaited".into(),
            State::Loose { until } if until <= NOW => "loose, over".into(),
            State::Loose { .. } => "loose".into(),
            State::Attached => "attached".into(),
            State::Removed => "removed".into(),
        }
    }

    #[test]
    fn every_state_times_every_event() {
        let states = [
            State::Awaited { until: LATER },
            State::Awaited { until: NOW },
            State::Loose { until: LATER },
            State::Loose { until: NOW },
            State::Attached,
            State::Removed,
        ];
        let mut table = String::new();
        for (of, target) in [("item", Target::Item), ("comment", Target::Comment(None))] {
            for state in states {
                for event in EVENTS {
                    let happens = match event {
                        Event::Commit { bytes, .. } => format!("Commit {bytes:?}"),
                        other => format!("{other:?}"),
                    };
                    let result = match step(state, target, event, NOW) {
                        Ok((next, effects)) => format!("{:13} {effects:?}", named(next)),
                        Err(refusal) => format!("refused: {refusal}"),
                    };
                    table += &format!("{of:8} {:14} {happens:15} {result}\n", named(state));
                }
            }
        }
        insta::assert_snapshot!(table);
    }

    proptest! {
        /// Whatever happens: what is attached was committed with the right bytes, what is not attached is
        /// watched, and what was removed stays so.
        #[test]
        fn nothing_is_lost_and_nothing_unchecked_is_shown(
            events in proptest::collection::vec((0..EVENTS.len()).prop_map(|index| EVENTS[index]), 0..12),
            of_item in proptest::bool::ANY,
            late in proptest::bool::ANY,
        ) {
            let target = if of_item { Target::Item } else { Target::Comment(None) };
            let now = if late { LATER } else { NOW };
            let (mut state, mut watched, mut right, mut gone) = (State::Awaited { until: LATER }, true, false, false);
            for event in events {
                let Ok((next, effects)) = step(state, target, event, now) else { continue };
                right |= matches!(event, Event::Commit { bytes: Bytes::Right, .. }) && next != State::Removed;
                for effect in effects {
                    match effect {
                        Effect::Watch(_) => watched = true,
                        Effect::Unwatch => watched = false,
                        Effect::Tell => prop_assert!(of_item),
                        Effect::Discard => gone = true,
                    }
                }
                state = next;
                let committed = matches!(state, State::Attached | State::Loose { .. });
                prop_assert!(!committed || right);
                prop_assert!(watched || matches!(state, State::Attached | State::Removed));
                prop_assert!(gone == (state == State::Removed));
            }
        }
    }
}
