//! What becomes of each kind of row that hangs on an item when the item gets a new key. Versions and times stay.

use serde_json::Value;
use svc_domain::ids::{CommentId, ItemKey, OrgId, RunId, UserId};
use svc_domain::refinement::Refinement;
use svc_domain::run::Run;
use svc_domain::search::Source;
use svc_domain::transfer::Transfer;
use svc_storage::{Condition, Key, Op, Row, keys};

use crate::App;
use crate::error::Result;
use crate::factory::{RunEntry, moved_op};
use crate::search::changed;
use crate::tracker::attachments;
use crate::tracker::watchers::Watcher;

/// The operations that bring rows of one kind to the new key.
pub(super) async fn follow(
    app: &App,
    org: OrgId,
    transfer: &Transfer,
    kind: &str,
    rows: Vec<Row>,
) -> Result<Vec<Op>> {
    let Transfer { from, to, .. } = transfer;
    if kind == keys::FILE_PREFIX {
        return attachments::follow(app, org, (from, to), rows).await;
    }
    let mut ops = Vec::new();
    for row in rows {
        ops.push(row.deleted());
        let id = row.key.sk.strip_prefix(kind).unwrap_or_default();
        match kind {
            keys::COMMENT_PREFIX => ops.extend(indexed(org, (from, to), id)),
            keys::ITEM_RUN_PREFIX => ops.extend(run(app, org, to, id).await?),
            keys::WATCHER_PREFIX => ops.extend(watcher(org, (from, to), id, &row)?),
            _ => {}
        }
        ops.extend(there(app, org, to, row).await?);
    }
    Ok(ops)
}

/// The row at the new key.
async fn there(app: &App, org: OrgId, to: &ItemKey, row: Row) -> Result<Option<Op>> {
    let key = Key::new(keys::item_pk(org, to), row.key.sk.clone());
    Ok(match row.key.sk.as_str() {
        // Counted anew, and written anew when somebody reads a long discussion.
        "FILES" | "OUTLINE" => None,
        // There is one only. A newer one stays.
        "REFINEMENT" if app.table.get(&key).await?.is_some() => None,
        "REFINEMENT" => {
            let refinement = Refinement { item: to.clone(), ..row.read()? };
            Some(Op::create_at(key, row.version, &refinement))
        }
        // The same person may have begun to watch it there.
        sk if sk.starts_with(keys::WATCHER_PREFIX) => {
            Some(Op::put(key, Condition::None, &row.read::<Value>()?))
        }
        _ => {
            let op = Op::create_at(key, row.version, &row.read::<Value>()?);
            Some(if let Some(at) = row.ttl { op.expiring(at) } else { op })
        }
    })
}

/// The text of a comment is indexed at its new key, and no longer at the old one.
fn indexed(org: OrgId, (from, to): (&ItemKey, &ItemKey), id: &str) -> Vec<Op> {
    let Ok(id) = id.parse::<CommentId>() else { return Vec::new() };
    [from, to].map(|item| changed(org, &Source::Comment { item: item.clone(), id })).into()
}

/// What says to those who remember the list of runs that these have followed, in the commit that they follow with.
pub(super) fn moved(
    app: &App,
    org: OrgId,
    transfer: &Transfer,
    kind: &str,
    rows: &[Row],
) -> Result<Option<Op>> {
    if kind != keys::ITEM_RUN_PREFIX {
        return Ok(None);
    }
    let runs: Vec<RunId> = rows.iter().map(Row::read).collect::<Result<_, _>>()?;
    Ok(Some(moved_op(app, org, &transfer.from, &runs)))
}

/// A run, and its entry in the list, name the new key.
async fn run(app: &App, org: OrgId, to: &ItemKey, id: &str) -> Result<Vec<Op>> {
    let Ok(id) = id.parse::<RunId>() else { return Ok(Vec::new()) };
    let Some(row) = app.table.find(&keys::run(org, id)).await? else { return Ok(Vec::new()) };
    let run = Run { item: to.clone(), ..row.read()? };
    let entry = Op::put(keys::run_entry(org, id), Condition::Present, &RunEntry::of(&run));
    Ok(vec![row.replaced_by(&run), entry])
}

fn watcher(org: OrgId, (from, to): (&ItemKey, &ItemKey), id: &str, row: &Row) -> Result<Vec<Op>> {
    let Ok(user) = id.parse::<UserId>() else { return Ok(Vec::new()) };
    let mut ops = vec![Op::delete(keys::watching(org, user, from), Condition::None)];
    if !row.read::<Watcher>()?.stopped {
        ops.push(Op::put(keys::watching(org, user, to), Condition::None, to));
    }
    Ok(ops)
}
