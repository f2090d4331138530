//! Attachments follow their item to the key that it has in another project. Their bytes stay where they are.

use svc_domain::attachment::Attachment;
use svc_domain::ids::{ItemKey, OrgId};
use svc_storage::{Condition, Op, Row, keys};

use super::{Note, counted, note};
use crate::App;
use crate::error::Result;
use crate::wanted;

/// The operations that bring attachments to the new key: record, pointer by id, reminder, and both counts.
pub(in crate::tracker) async fn follow(
    app: &App,
    org: OrgId,
    (from, to): (&ItemKey, &ItemKey),
    rows: Vec<Row>,
) -> Result<Vec<Op>> {
    let [old, new] = wanted::load(app, [keys::files(org, from), keys::files(org, to)]).await?;
    let moved = rows.len() as u64;
    let mut ops = vec![
        counted(org, from, old.as_ref(), |files| files.saturating_sub(moved))?,
        counted(org, to, new.as_ref(), |files| files + moved)?,
    ];
    for row in rows {
        let attachment = Attachment { item: to.clone(), ..row.read()? };
        ops.push(row.deleted());
        ops.push(Op::create_at(keys::file(org, to, attachment.id), row.version, &attachment));
        ops.push(Op::put(keys::file_ref(org, attachment.id), Condition::None, to));
        ops.extend(note(&attachment).map(|key| Op::put(key, Condition::None, &Note::of(org, &attachment))));
    }
    Ok(ops)
}
