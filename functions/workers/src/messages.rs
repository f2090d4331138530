//! What a worker does about each kind of message: a file per kind.
//!
//! A handler calls one use case. It never acknowledges, retries or counts: [`attempt`](crate::attempt) does.

mod answer_mentions;
mod clear_reactions;
mod continue_run;
mod deliver;
mod deliver_webhook;
mod finish_page_move;
mod finish_transfer;
mod fire_rules;
mod follow_item;
mod mail_invitation;
mod mail_new_address;
mod mail_password_reset;
mod note_blockers;
mod note_blockers_of_states;
mod notify;
mod pack_feed;
mod purge_item;
mod purge_org;
mod purge_project;
mod release_leftovers;
mod replace_in_items;
mod settle_sprint;
mod spread_agent_name;
mod spread_profile;
mod stop_org_runs;
mod stop_runs;
mod tell_broken;
mod watch_run;

use std::time::Duration;

use jiff::SignedDuration;
use svc_app::messages::Message;
use svc_app::{App, Result};

use crate::retries::Retries;
use crate::shares::Share;

/// A kind of message.
#[async_trait::async_trait]
pub(crate) trait Handle: Send + Sync {
    /// What the message is about. A worker handles messages of one subject one after the other, in the order in which
    /// they came, and those of different subjects at the same time.
    fn subject(&self) -> String;

    /// Its shares beside that of its subject, the owner's first: those of work that waits for a server outside.
    fn shares(&self) -> Vec<Share> {
        Vec::new()
    }

    /// Does what the message asks for. It looks at the rows and decides, because a message may come twice, or late.
    ///
    /// # Errors
    /// When it has to be tried again.
    async fn handle(&self, app: &App) -> Result<Done>;

    /// How often, and when, it is tried again after a failure.
    fn retries(&self) -> Retries {
        Retries::USUAL
    }
}

/// What became of a message that was handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    /// Nothing is left to do.
    Finished,
    /// The same message comes again after this time.
    Again(Duration),
}

impl Done {
    /// Again after this time, where there is one.
    fn again_after(again: Option<SignedDuration>) -> Self {
        again.map_or(Self::Finished, |delay| Self::Again(Duration::try_from(delay).unwrap_or_default()))
    }
}

/// The handler of a message. A kind without one does not compile.
pub(crate) fn handler(message: &Message) -> &dyn Handle {
    match message {
        Message::WatchRun(message) => message,
        Message::ClearReactions(message) => message,
        Message::ReplaceInItems(message) => message,
        Message::ReleaseLeftovers(message) => message,
        Message::ContinueRun(message) => message,
        Message::FireRules(message) => message,
        Message::AnswerMentions(message) => message,
        Message::Notify(message) => message,
        Message::SettleSprint(message) => message,
        Message::FollowItem(message) => message,
        Message::PurgeItem(message) => message,
        Message::StopRuns(message) => message,
        Message::PurgeProject(message) => message,
        Message::StopOrgRuns(message) => message,
        Message::PurgeOrg(message) => message,
        Message::NoteBlockers(message) => message,
        Message::NoteBlockersOfStates(message) => message,
        Message::FinishPageMove(message) => message,
        Message::FinishTransfer(message) => message,
        Message::MailInvitation(message) => message,
        Message::MailPasswordReset(message) => message,
        Message::MailNewAddress(message) => message,
        Message::PackFeed(message) => message,
        Message::SpreadProfile(message) => message,
        Message::SpreadAgentName(message) => message,
        Message::Deliver(message) => message,
        Message::TellBroken(message) => message,
        Message::DeliverWebhook(message) => message,
    }
}

/// Handles one message, once, and sends it again if it asks for that: what tests of a use case need of a worker.
///
/// # Errors
/// Those of the handler and of the queue.
pub async fn handle(app: &App, message: &Message) -> Result<()> {
    match handler(message).handle(app).await? {
        Done::Finished => Ok(()),
        Done::Again(delay) => {
            let body = serde_json::to_string(message)
                .map_err(|error| svc_storage::StorageError::Corrupt(format!("a message: {error}")))?;
            Ok(app.queue.send(&body, delay).await?)
        }
    }
}
