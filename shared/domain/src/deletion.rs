//! That something was deleted, by whom and when: kept in the row of agents and playbooks, which stays because history,
//! runs and settings name it.
//!
//! | state    | its row                       | it can                                                       |
//! |----------|-------------------------------|--------------------------------------------------------------|
//! | there    | without a [`Deletion`]        | be deleted by those who manage it                            |
//! | deleted  | with one                      | do nothing new; be restored by the same people for [`KEPT`]  |
//! | gone     | with one older than [`KEPT`]  | only be named by what happened                               |

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::ids::Actor;
use crate::refusal::Refusal;

/// For how long what was deleted can be restored.
pub const KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Who deleted something, and when. Part of stored rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Deletion {
    /// Who.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
}

/// Deleted things that a list has at most. Those that were deleted before them can be restored by their ids.
const MOST_LISTED: usize = 200;

/// What can be restored of these things, in their order: those that were deleted last, if there are many.
pub fn restorable<T>(things: Vec<T>, deletion: impl Fn(&T) -> Option<&Deletion>, now: Timestamp) -> Vec<T> {
    let at = |thing: &T| deletion(thing).filter(|deletion| deletion.can_be_undone(now)).map(|known| known.at);
    let mut times: Vec<Timestamp> = things.iter().filter_map(at).collect();
    times.sort_unstable_by(|one, other| other.cmp(one));
    let since = times.get(MOST_LISTED - 1).copied().unwrap_or(Timestamp::MIN);
    let mut listed: Vec<T> =
        things.into_iter().filter(|thing| at(thing).is_some_and(|deleted| deleted >= since)).collect();
    listed.truncate(MOST_LISTED);
    listed
}

impl Deletion {
    /// Until when it can be undone.
    pub fn until(&self) -> Timestamp {
        self.at.checked_add(KEPT).unwrap_or(Timestamp::MAX)
    }

    /// Whether it can be undone.
    pub fn can_be_undone(&self, now: Timestamp) -> bool {
        now < self.until()
    }

    /// Why what was deleted cannot be used; `restorers` are those who can restore it.
    pub fn refusal(&self, what: &'static str, restorers: &'static str, now: Timestamp) -> Refusal {
        let until = self.can_be_undone(now).then(|| self.until());
        Refusal::Deleted { what, restorers, until }
    }
}

/// Whether `name` was typed to confirm a deletion; `what` says whose name it is, as in "project's key".
///
/// # Errors
/// [`Refusal::Invalid`].
pub(crate) fn require_confirmed(what: &str, name: &str, typed: &str) -> Result<(), Refusal> {
    if typed.trim() == name {
        return Ok(());
    }
    let message = format!("To confirm the deletion, give the {what}: {name}.");
    Err(Refusal::invalid("confirm", message))
}

#[cfg(test)]
mod tests {
    use jiff::{SignedDuration, Timestamp};

    use super::{Deletion, KEPT, MOST_LISTED, restorable};
    use crate::ids::{Actor, ActorId, UserId};

    fn deleted(hours: i64) -> Option<Deletion> {
        let by = Actor { id: ActorId::User(UserId(uuid::Uuid::nil())), name: "ada".to_owned() };
        Some(Deletion { by, at: Timestamp::UNIX_EPOCH + SignedDuration::from_hours(hours) })
    }

    /// 3,000 deleted agents were an answer of 1.2 MB.
    #[test]
    fn what_was_deleted_last_is_listed_and_only_what_can_be_restored() {
        let things = vec![("there", None), ("late", deleted(1)), ("gone", deleted(0))];
        let now = Timestamp::UNIX_EPOCH + KEPT;
        let names = |things: Vec<(&'static str, Option<Deletion>)>| {
            let listed = restorable(things, |(_, deletion)| deletion.as_ref(), now);
            listed.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(names(things), ["late"]);
        let many =
            (0..3_000).map(|n| (if n < 20 { "last" } else { "before" }, deleted(500 - i64::from(n / 20))));
        let listed = names(many.collect());
        assert_eq!((listed.len(), listed.iter().filter(|name| **name == "last").count()), (MOST_LISTED, 20));
    }
}
