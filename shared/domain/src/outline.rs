//! The outline of a long discussion: of each comment what decides who sees it and where it stands, without its
//! text, so that a page of comments is found without reading the others.
//!
//! What a viewer sees of it is for [`crate::visibility`].

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::comment::Comment;
use crate::ids::{Actor, ActorId, AgentId, CommentId, UserId};

/// Comments from which an outline is worth its row.
pub const WORTH: usize = 100;

/// Comments that one row has room for; those after it are read.
pub const MOST: usize = 3_500;

/// An outline, as stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    /// How many comments of the item had been deleted when it was made: after another, it is out of date.
    pub deletions: i64,
    /// The first comments, oldest first.
    pub turns: Vec<Turn>,
}

/// A comment without its text: its id, the comment that it answers, and what [`Turn::flags`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn(CommentId, Option<CommentId>, u8);

const OF_AGENT: u8 = 1;
const OUTCOME: u8 = 2;
const IN_THREAD_OF_AGENT: u8 = 4;
const DELETED: u8 = 8;

impl Turn {
    /// What of a comment the outline keeps.
    pub fn of(comment: &Comment) -> Self {
        let flags = [
            (comment.author.id.is_agent(), OF_AGENT),
            (comment.outcome_of.is_some(), OUTCOME),
            (comment.in_thread_of_agent, IN_THREAD_OF_AGENT),
            (comment.deleted, DELETED),
        ];
        let flags = flags.into_iter().filter(|(set, _)| *set).map(|(_, flag)| flag).sum();
        Self(comment.id, comment.reply_to, flags)
    }

    /// Its id.
    pub const fn id(&self) -> CommentId {
        self.0
    }

    /// A comment that is seen by the same viewers in the same place, and says nothing.
    pub fn stand_in(&self) -> Comment {
        let Self(id, reply_to, flags) = *self;
        let is = |flag: u8| flags & flag != 0;
        let nobody = Uuid::nil();
        let author =
            if is(OF_AGENT) { ActorId::Agent(AgentId(nobody)) } else { ActorId::User(UserId(nobody)) };
        let author = Actor { id: author, name: String::new() };
        Comment {
            reply_to,
            in_thread_of_agent: is(IN_THREAD_OF_AGENT),
            run: None,
            outcome_of: is(OUTCOME).then_some(crate::ids::RunId(nobody)),
            deleted: is(DELETED),
            ..Comment::new(id, author, String::new(), jiff::Timestamp::UNIX_EPOCH)
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{MOST, Outline, Turn};
    use crate::comment::Comment;
    use crate::comment::tests::{agent, comment, person};
    use crate::ids::{CommentId, RunId};
    use crate::visibility::Viewer;

    #[test]
    fn each_viewer_sees_of_an_outline_what_they_see_of_the_comments() {
        let (by_person, by_agent) = (comment(1, person()), comment(2, agent()));
        let all = vec![
            by_person.clone(),
            by_agent.clone(),
            Comment { outcome_of: Some(RunId(Uuid::from_u128(9))), ..comment(3, person()) },
            comment(4, person()).answering(&by_person),
            comment(5, agent()).answering(&by_person),
            comment(6, person()).answering(&by_agent),
            Comment { deleted: true, ..comment(7, person()) },
            Comment { deleted: true, ..comment(8, person()) },
            Comment { reply_to: Some(CommentId(Uuid::from_u128(7))), ..comment(9, person()) },
        ];
        for viewer in [Viewer::Operator, Viewer::Agent, Viewer::Stakeholder] {
            let seen = |all: Vec<Comment>| {
                let seen = viewer.discussion(all.into_iter().map(|comment| (comment, 1)).collect());
                seen.into_iter().map(|(c, _)| (c.id, c.reply_to, c.in_thread_of_agent)).collect::<Vec<_>>()
            };
            let outlined = all.iter().map(|comment| Turn::of(comment).stand_in()).collect();
            assert_eq!(seen(outlined), seen(all.clone()), "{viewer:?}");
        }
    }

    #[test]
    fn a_full_outline_fits_into_a_row() {
        let id = |n: u128| CommentId(Uuid::from_u128(u128::MAX - n));
        let turns = (0..MOST as u128).map(|n| Turn(id(n), Some(id(n)), 15)).collect();
        let outline = Outline { deletions: 1, turns };
        let text = serde_json::to_string(&outline).unwrap();
        assert!(text.len() < 380_000, "{} bytes", text.len());
        assert_eq!(serde_json::from_str::<Outline>(&text).unwrap(), outline);
    }
}
