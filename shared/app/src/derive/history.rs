//! The history of an item, in the words in which people read it.

use std::collections::HashMap;

use svc_domain::event::{Event, ItemEvent, Occurrence, RunEvent, SavedItem};
use svc_domain::ids::ItemKey;
use svc_domain::item_link::ItemLink;
use svc_domain::project::{Action, HistoryEntry};
use svc_domain::text_change::TextChange;
use svc_storage::{Op, keys};

/// A line of an item's history. Its name keeps lines of one moment apart: the revision of the item that the same commit
/// makes and the line's place in it, or, where it makes none, a name of the event's own.
struct Line<'a> {
    item: &'a ItemKey,
    entry: HistoryEntry,
    own_name: Option<String>,
}

/// The rows of the history that these events of one commit make.
pub(super) fn ops(occurrences: &[Occurrence]) -> Vec<Op> {
    let written: HashMap<&ItemKey, &SavedItem> = occurrences.iter().filter_map(written).collect();
    let mut places: HashMap<&ItemKey, usize> = HashMap::new();
    let mut ops = Vec::new();
    for occurrence in occurrences {
        let (Some(org), Some(mut line)) = (occurrence.org, line(occurrence)) else { continue };
        let place = places.entry(line.item).or_default();
        let saved = written.get(line.item);
        let version = saved.map_or(0, |saved| saved.after.revision);
        let name = line.own_name.take().unwrap_or_else(|| format!("{version:012}.{place:03}"));
        *place += 1;
        let at = line.entry.at.as_millisecond();
        if let Some(change) = saved.and_then(|saved| text_change(&line.entry, saved)) {
            line.entry.text = true;
            ops.push(Op::create(keys::history_text(org, line.item, at, &name), &change));
        }
        ops.push(Op::create(keys::history(org, line.item, at, name), &line.entry));
    }
    ops
}

fn written(occurrence: &Occurrence) -> Option<(&ItemKey, &SavedItem)> {
    let Event::ItemSaved(saved) = &occurrence.event else { return None };
    Some((&saved.after.key, saved))
}

/// What changed of the description, where the entry tells that it did.
fn text_change(entry: &HistoryEntry, saved: &SavedItem) -> Option<TextChange> {
    let before = saved.before.as_ref().filter(|_| entry.field.as_deref() == Some("body"))?;
    Some(TextChange::between(&before.body, &saved.after.body))
}

fn line(occurrence: &Occurrence) -> Option<Line<'_>> {
    let actor = occurrence.by.clone()?;
    let new = |action| HistoryEntry::new(occurrence.at, actor.clone(), action);
    let plain = |item, entry| Some(Line { item, entry, own_name: None });
    match &occurrence.event {
        Event::Item(event) => match event {
            ItemEvent::Created(item) | ItemEvent::Imported(item) | ItemEvent::Received(item) => {
                plain(item, new(Action::Created))
            }
            ItemEvent::Deleted(item) => plain(item, new(Action::Deleted)),
            ItemEvent::Restored(item) => plain(item, new(Action::Restored)),
            ItemEvent::Transferred(from, to) => {
                plain(to, new(Action::Transferred).between(from.to_string(), to.to_string()))
            }
            ItemEvent::Changed(item, change) => {
                plain(item, HistoryEntry::changed(occurrence.at, actor, change.clone()))
            }
            ItemEvent::Moved { item, from, to, run } => {
                plain(item, HistoryEntry { run: *run, ..new(Action::Transitioned).between(from, to) })
            }
            ItemEvent::MoveSkipped { item, from, to, run } => {
                plain(item, new(Action::TransitionSkipped).between(from, to).about(*run))
            }
            ItemEvent::Claimed { item, from, run } => {
                plain(item, HistoryEntry { from: from.clone(), run: *run, ..new(Action::Claimed) })
            }
            ItemEvent::Released { item, from, run } => {
                plain(item, HistoryEntry { from: from.clone(), run: *run, ..new(Action::Released) })
            }
            ItemEvent::PullRequestLinked { item, url, run } => {
                plain(item, HistoryEntry { to: Some(url.clone()), run: *run, ..new(Action::Linked) })
            }
            ItemEvent::PullRequestUnlinked(item, url) => {
                plain(item, HistoryEntry { from: Some(url.clone()), ..new(Action::Unlinked) })
            }
            ItemEvent::Linked(item, link) => plain(
                item,
                HistoryEntry { to: Some(link.item.to_string()), ..of_link(new(Action::Linked), link) },
            ),
            ItemEvent::Unlinked(item, link) => plain(
                item,
                HistoryEntry { from: Some(link.item.to_string()), ..of_link(new(Action::Unlinked), link) },
            ),
            ItemEvent::Attached(item, attachment, name) => Some(Line {
                item,
                entry: HistoryEntry { to: Some(name.clone()), ..of_attachment(new(Action::Attached)) },
                own_name: Some(format!("{attachment}.{}", Action::Attached)),
            }),
            ItemEvent::Detached(item, attachment, name) => Some(Line {
                item,
                entry: HistoryEntry { from: Some(name.clone()), ..of_attachment(new(Action::Detached)) },
                own_name: Some(format!("{attachment}.{}", Action::Detached)),
            }),
            ItemEvent::StateEntered { .. }
            | ItemEvent::FollowUpRequested(..)
            | ItemEvent::SubtasksLeftBehind(..)
            | ItemEvent::WatchSet(..)
            | ItemEvent::UploadAnnounced(..)
            | ItemEvent::RefinementChanged(..) => None,
        },
        Event::Run(event) => match event {
            RunEvent::Queued(item, run, _) => plain(item, new(Action::RunQueued).about(*run)),
            RunEvent::Ended(item, run, status) => plain(
                item,
                HistoryEntry { to: Some(status.as_str().to_owned()), ..new(Action::RunFinished).about(*run) },
            ),
            RunEvent::Returned(..)
            | RunEvent::Taken(..)
            | RunEvent::Started(..)
            | RunEvent::CancelRequested(..)
            | RunEvent::ContinuesLater(..) => None,
        },
        Event::ItemSaved(_)
        | Event::Org(_)
        | Event::Account(_)
        | Event::Instance(_)
        | Event::Project(_)
        | Event::Comment(_)
        | Event::Sprint(_)
        | Event::Wiki(_)
        | Event::Factory(_)
        | Event::Runner(_) => None,
    }
}

fn of_link(entry: HistoryEntry, link: &ItemLink) -> HistoryEntry {
    HistoryEntry { field: Some(link.kind.to_string()), other: Some(link.item.clone()), ..entry }
}

fn of_attachment(entry: HistoryEntry) -> HistoryEntry {
    HistoryEntry { field: Some("attachment".to_owned()), ..entry }
}
