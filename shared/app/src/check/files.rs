//! Checks attachments, the notes when to look at them, and their bytes.

use svc_domain::attachment::upload::State;
use svc_domain::attachment::{Attachment, Target};
use svc_domain::comment::Comment;
use svc_domain::ids::{AttachmentId, ItemKey, OrgId, RunId};
use svc_storage::{BlobInfo, keys};

use super::context::{CheckContext, Subject, Verdict};
use super::item_or_mark::item_or_mark;
use super::items;
use super::kind::Kind;
use crate::tracker::attachments::{Count, Note, blob, note};

pub(super) const KINDS: &[Kind] = &[
    Kind::new("ITEM#<org>#<PRJ-12>", "FILE#<attachment>", file),
    Kind::new("ITEM#<org>#<PRJ-12>", "FILES", count),
    Kind::new("FILEREF#<org>#<attach.>", "ITEM", file_ref),
    Kind::new("FILEDUE#<shard>", "<time>#<attachment>", due),
];

fn file(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, item) = items::item_of(subject, context)?;
    let file: Attachment = subject.read(context)?;
    subject.is_named(context, &keys::file(org, &item, file.id));
    context.demand(&keys::files(org, &item), "count of the item's attachments")?;
    let pointed: Option<ItemKey> = context.need(&keys::file_ref(org, file.id), "pointer to it by its id")?;
    if pointed.is_some_and(|pointed| pointed != item) {
        context.broken("the pointer by its id names another item");
    }
    if let Some(note) = note(&file) {
        context.demand(&note, "reminder to look at it again")?;
    }
    if let Target::Comment(Some(comment)) = file.target {
        let comment: Option<Comment> =
            context.need(&keys::comment(org, &item, comment), "comment that it belongs to")?;
        if comment.is_some_and(|comment| comment.deleted) {
            context.waiting("its comment is deleted");
        }
    }
    if file.is_public() && file.comment().is_none() {
        items::is_counted(context, org, &item, |counts| counts.attachments)?;
    }
    let arrived = matches!(file.state, State::Attached | State::Loose { .. });
    match context.blob(&blob(org, file.id))? {
        None if arrived => context.broken("its bytes are gone"),
        Some(size) if arrived && size != file.size => {
            context.broken(format!("it has {} bytes, and {size} are there", file.size));
        }
        Some(_) | None => {}
    }
    Ok(())
}

fn count(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, item) = items::item_of(subject, context)?;
    let counted: Count = subject.read(context)?;
    let files = context.rows(keys::item_pk(org, &item), keys::FILE_PREFIX)?.len();
    if counted.files != files as u64 {
        context.broken(format!("it counts {}, and there are {files}", counted.files));
    }
    Ok(())
}

fn file_ref(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, id): (OrgId, AttachmentId) = (subject.part("org", context)?, subject.part("attach.", context)?);
    let item: ItemKey = subject.read(context)?;
    context.demand(&keys::file(org, &item, id), "such attachment").map(drop)
}

/// A note may stand for bytes whose record went already. The tick takes it away when it is due.
fn due(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let noted: Note = subject.read(context)?;
    let (time, id): (String, AttachmentId) =
        (subject.part("time", context)?, subject.part("attachment", context)?);
    if noted.id != id {
        context.broken("it names another attachment");
    }
    item_or_mark(context, noted.org, &noted.item, "item of its attachment")?;
    if time <= keys::sortable(context.now().as_millisecond()) {
        context.waiting("it is due");
    }
    Ok(())
}

/// Bytes belong to an attachment, or somebody is told to look at them; batches of a log and results belong to a run.
pub(super) fn check_blob(info: &BlobInfo, context: &CheckContext<'_>) -> Verdict {
    let mut path = info.key.as_str().split('/');
    let mut next = || path.next().unwrap_or_default();
    match (next(), next().parse::<OrgId>(), next()) {
        ("attachment", Ok(org), id) => match id.parse::<AttachmentId>() {
            Ok(id) => bytes(context, org, id),
            Err(_) => Err(context.stop("its name is not the name of an attachment")),
        },
        ("log", Ok(org), run) => match run.parse::<RunId>() {
            Ok(run) => context.demand(&keys::run(org, run), "run of this log").map(drop),
            Err(_) => Err(context.stop("its name is not the name of a log batch")),
        },
        ("result", Ok(org), run) => match run.parse::<RunId>() {
            Ok(run) => context.demand(&keys::run(org, run), "run of this result").map(drop),
            Err(_) => Err(context.stop("it is named as no result of a run is")),
        },
        ("snapshot", ..) => Ok(()),
        _ => Err(context.stop("no kind of blob has such a name")),
    }
}

fn bytes(context: &CheckContext<'_>, org: OrgId, id: AttachmentId) -> Verdict {
    if context.has(&keys::file_ref(org, id))? {
        return Ok(());
    }
    let shard = keys::file_due(0, id).pk;
    let suffix = format!("#{id}");
    if !context.rows(shard, "")?.iter().any(|row| row.key.sk.ends_with(&suffix)) {
        context.broken("no attachment has these bytes, and no cleanup is due for them");
    }
    Ok(())
}
