//! The texts that the indexer must read again.

use svc_domain::event::{CommentEvent, Event, Occurrence, WikiEvent};
use svc_domain::search::Source;
use svc_storage::Op;

use crate::search::changed;

/// The row that has the event's text indexed.
pub(super) fn op(occurrence: &Occurrence) -> Option<Op> {
    Some(changed(occurrence.org?, &source(&occurrence.event)?))
}

fn source(event: &Event) -> Option<Source> {
    match event {
        Event::ItemSaved(saved) => {
            let (before, after) = (saved.before.as_ref(), &saved.after);
            let same =
                |before: &svc_domain::item::Item| before.title == after.title && before.body == after.body;
            (saved.gone || !before.is_some_and(same)).then(|| Source::Item(after.key.clone()))
        }
        Event::Comment(event) => match event {
            CommentEvent::Created(comment)
            | CommentEvent::Imported(comment)
            | CommentEvent::Edited(comment)
            | CommentEvent::Deleted(comment) => {
                Some(Source::Comment { item: comment.item.clone(), id: comment.id })
            }
            CommentEvent::AgentsAsked(..) | CommentEvent::ReactionSet(..) => None,
        },
        Event::Wiki(event) => match event {
            WikiEvent::Written(page, _)
            | WikiEvent::Moved(page, _)
            | WikiEvent::Deleted(page)
            | WikiEvent::Restored(page)
            | WikiEvent::AccessChanged(page) => {
                Some(Source::Page { project: page.project.clone(), id: page.id, path: page.path.clone() })
            }
            WikiEvent::MoveUnfinished(..) => None,
        },
        Event::Org(_)
        | Event::Account(_)
        | Event::Instance(_)
        | Event::Project(_)
        | Event::Item(_)
        | Event::Sprint(_)
        | Event::Factory(_)
        | Event::Runner(_)
        | Event::Run(_) => None,
    }
}
