//! What mentions of agents in a comment ask for: rows that are written with the comment, so that none is forgotten.
//! Whether and when a run is started is decided later, in [`crate::factory::mentions`].
//!
//! Only a person who may start runs of the project asks. Mentions by everybody else, and by agents, only notify
//! (specification section 5).

use svc_domain::access::Capability;
use svc_domain::comment::Comment;
use svc_domain::event::CommentEvent;
use svc_domain::ids::{ActorId, ItemKey};
use svc_domain::mention::Mention;
use svc_domain::mention::request::MentionRequest;
use svc_storage::{Op, keys};

use crate::entry::Entry;
use crate::transaction::Transaction;

/// Puts into the transaction what the comment asks for in this version, and its text before did not. What it no longer
/// asks for is withdrawn at once.
pub(super) fn ask(
    transaction: &mut Transaction,
    entry: &Entry,
    item: &ItemKey,
    comment: (&Comment, u64),
    before: &[Mention],
) {
    let gone = |mention: &Mention| {
        let agent = matches!(mention.who.id, ActorId::Agent(_));
        agent && comment.0.mentions.iter().all(|now| now.who.id != mention.who.id)
    };
    let requests = match entry.access.may(Capability::OperateFactory) {
        true => MentionRequest::of(comment, before),
        false => Vec::new(),
    };
    if requests.is_empty() && !before.iter().any(gone) {
        return;
    }
    let row = |request: &MentionRequest| {
        let at = request.at.as_millisecond();
        Op::create(
            keys::mention(entry.org_id(), item, at, request.comment, (request.version, request.place)),
            request,
        )
    };
    transaction.write(requests.iter().map(row));
    transaction.tell(CommentEvent::AgentsAsked(item.clone()));
}
