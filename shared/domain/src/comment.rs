//! Comments as stored, and the threads that they form (specification section 2.3).
//!
//! A thread is one comment and its replies, all on one level: a reply to a reply joins the thread. Decides
//! nothing about who may write or see what ([`crate::access`], [`crate::visibility`]).

use std::collections::HashMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::failure::FailureReason;
use crate::ids::{Actor, CommentId, RunId};
use crate::mention::Mention;
use crate::name::text_problem;
use crate::refusal::FieldErrors;

/// Longest comment, in characters.
pub const MAX_COMMENT: usize = 50_000;

/// Why a run failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunFailure {
    /// The reason.
    pub reason: FailureReason,
    /// The reason in a sentence about this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// A comment on an item. Its version is the row's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Comment {
    /// Id.
    pub id: CommentId,
    /// Text, Markdown; empty when deleted.
    pub body: String,
    /// Who wrote it.
    pub author: Actor,
    /// The comment that began its thread; `None` for one that begins a thread. Rows of earlier servers name
    /// the reply that was answered instead: [`join_threads`] reads both.
    pub reply_to: Option<CommentId>,
    /// Whether an agent began the thread that it replies in.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_thread_of_agent: bool,
    /// The run whose agent wrote it. Absent of comments from before this was noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// Set for the comment that tells what came of a run.
    pub outcome_of: Option<RunId>,
    /// Why that run failed, where it did: for factory operators only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<RunFailure>,
    /// Whether it was deleted. The row stays, without text, so that its thread does.
    pub deleted: bool,
    /// When it was written.
    pub created_at: Timestamp,
    /// When its text last changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited_at: Option<Timestamp>,
    /// When it was brought in from elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported_at: Option<Timestamp>,
    /// Who deleted it, and when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletion: Option<(Actor, Timestamp)>,
    /// Whom its text mentions, in its order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mentions: Vec<Mention>,
}

impl Comment {
    /// Everybody whom it names.
    pub fn named(&mut self) -> impl Iterator<Item = &mut Actor> {
        std::iter::once(&mut self.author).chain(self.mentions.iter_mut().map(|mention| &mut mention.who))
    }

    /// A comment that begins a thread.
    pub const fn new(id: CommentId, author: Actor, body: String, now: Timestamp) -> Self {
        Self {
            id,
            body,
            author,
            reply_to: None,
            in_thread_of_agent: false,
            run: None,
            outcome_of: None,
            failure: None,
            deleted: false,
            created_at: now,
            edited_at: None,
            imported_at: None,
            deletion: None,
            mentions: Vec::new(),
        }
    }

    /// The same, in the thread of the comment that it answers.
    #[must_use]
    pub fn answering(mut self, answered: &Self) -> Self {
        self.reply_to = Some(answered.thread());
        self.in_thread_of_agent = answered.is_in_thread_of_agent();
        self
    }

    /// Takes away what it said.
    pub fn delete(&mut self, by: Actor, now: Timestamp) {
        self.body.clear();
        self.mentions.clear();
        self.failure = None;
        self.deleted = true;
        self.deletion = Some((by, now));
    }

    /// Id of the comment that began its thread: its own where it began one.
    pub fn thread(&self) -> CommentId {
        self.reply_to.unwrap_or(self.id)
    }

    /// Whether it is a part of what agents and runs leave behind ([`crate::visibility`]).
    pub const fn is_agents_work(&self) -> bool {
        self.author.id.is_agent() || self.outcome_of.is_some() || self.is_in_thread_of_agent()
    }

    /// Whether an agent began its thread.
    pub const fn is_in_thread_of_agent(&self) -> bool {
        match self.reply_to {
            Some(_) => self.in_thread_of_agent,
            None => self.author.id.is_agent(),
        }
    }
}

/// Lets every reply name the comment that began its thread, also those in rows of earlier servers, which name
/// the reply that they answered. Needs all comments of the item, oldest first: who answers is younger.
pub fn join_threads<'a>(comments: impl IntoIterator<Item = &'a mut Comment>) {
    let mut threads: HashMap<CommentId, (CommentId, bool)> = HashMap::new();
    for comment in comments {
        if let Some((thread, of_agent)) = comment.reply_to.and_then(|answered| threads.get(&answered)) {
            comment.reply_to = Some(*thread);
            comment.in_thread_of_agent = *of_agent;
        }
        threads.insert(comment.id, (comment.thread(), comment.is_in_thread_of_agent()));
    }
}

/// Whether a text can be that of a comment.
///
/// # Errors
/// The error of the field `body`.
pub fn check_comment(body: &str) -> Result<(), FieldErrors> {
    let length = body.chars().count();
    if body.trim().is_empty() || length > MAX_COMMENT {
        return Err(FieldErrors::one(
            "body",
            format!("Write 1 to {MAX_COMMENT} characters; this has {length}."),
        ));
    }
    if let Some(problem) = text_problem("A comment", body, MAX_COMMENT) {
        return Err(FieldErrors::one("body", problem));
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{Comment, join_threads};
    use crate::ids::{Actor, ActorId, AgentId, CommentId, UserId};
    use uuid::Uuid;

    pub(crate) fn person() -> Actor {
        Actor { id: ActorId::User(UserId(Uuid::from_u128(1))), name: "Ada".into() }
    }

    pub(crate) fn agent() -> Actor {
        Actor { id: ActorId::Agent(AgentId(Uuid::from_u128(2))), name: "bot".into() }
    }

    pub(crate) fn comment(id: u128, author: Actor) -> Comment {
        let now = "2026-01-01T12:00:00Z".parse().unwrap();
        Comment::new(CommentId(Uuid::from_u128(id)), author, format!("Text {id}"), now)
    }

    #[test]
    fn a_reply_to_a_reply_joins_the_thread() {
        let root = comment(1, agent());
        let reply = comment(2, person()).answering(&root);
        let deeper = comment(3, person()).answering(&reply);
        assert_eq!((deeper.reply_to, deeper.in_thread_of_agent), (Some(root.id), true));
        assert!(!comment(4, agent()).answering(&comment(5, person())).in_thread_of_agent);
    }

    #[test]
    fn rows_of_earlier_servers_name_what_they_answer_and_join_the_same_thread() {
        let earlier = |id: u128, answered: u128| Comment {
            reply_to: Some(CommentId(Uuid::from_u128(answered))),
            ..comment(id, person())
        };
        let mut all =
            [comment(1, agent()), comment(2, person()), earlier(3, 1), earlier(4, 3), earlier(5, 2)];
        join_threads(&mut all);
        let told: Vec<_> = all.iter().map(|c| (c.thread().0.as_u128(), c.is_in_thread_of_agent())).collect();
        assert_eq!(told, [(1, true), (2, false), (1, true), (1, true), (2, false)]);
    }

    #[test]
    fn a_row_without_what_came_later_reads() {
        let row = r#"{"id":"00000000-0000-0000-0000-000000000001","body":"Text","author":{"id":{"user":
            "00000000-0000-0000-0000-000000000001"},"name":"Ada"},"replyTo":null,"outcomeOf":null,
            "deleted":false,"createdAt":"2026-01-01T12:00:00Z"}"#;
        assert_eq!(
            serde_json::from_str::<Comment>(row).unwrap(),
            Comment { body: "Text".into(), ..comment(1, person()) }
        );
    }
}
