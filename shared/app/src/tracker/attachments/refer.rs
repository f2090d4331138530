//! A comment that refers to attachments: they are its own from then on.

use svc_domain::attachment::upload::{Event, step};
use svc_domain::attachment::{Attachment, Target};
use svc_domain::ids::{Actor, AttachmentId, CommentId, ItemKey, OrgId};
use svc_domain::refusal::FieldErrors;
use svc_storage::{Op, keys};

use super::replaced;
use crate::App;
use crate::error::Result;
use crate::wanted;

/// Attachments of one comment at most.
const MOST: usize = 20;

/// The operations that make attachments those of a comment that is written in the same commit. Adds to the
/// errors what cannot be.
pub(in crate::tracker) async fn refer(
    app: &App,
    org: OrgId,
    item: &ItemKey,
    author: &Actor,
    comment: CommentId,
    ids: &[String],
    errors: &mut FieldErrors,
) -> Result<Vec<Op>> {
    const FIELD: &str = "attachments";
    if ids.len() > MOST {
        errors.add(FIELD, format!("A comment has at most {MOST} attachments."));
        return Ok(vec![]);
    }
    let mut wanted: Vec<AttachmentId> = ids.iter().filter_map(|id| id.parse().ok()).collect();
    wanted.sort_unstable();
    wanted.dedup();
    if wanted.len() != ids.len() {
        errors.add(FIELD, "Give each attachment's id only once.");
        return Ok(vec![]);
    }
    let rows: Vec<_> = wanted.iter().map(|id| keys::file(org, item, *id)).collect();
    let mut ops = Vec::new();
    for (id, row) in wanted.iter().zip(wanted::load(app, rows).await?) {
        let found: Option<(Attachment, u64)> = match row {
            Some(row) => Some((row.read()?, row.version)),
            None => None,
        };
        let own = found.filter(|(attachment, _)| attachment.author.id == author.id);
        let Some((before, version)) = own else {
            errors.add(FIELD, format!("You have no attachment {id} on this item."));
            continue;
        };
        match step(before.state, before.target, Event::Refer, app.now()) {
            Ok((state, _)) => {
                let after = Attachment { state, target: Target::Comment(Some(comment)), ..before.clone() };
                ops.extend(replaced(org, &before, version, &after));
            }
            Err(refusal) => errors.add(FIELD, format!("{id}: {refusal}.")),
        }
    }
    Ok(ops)
}
