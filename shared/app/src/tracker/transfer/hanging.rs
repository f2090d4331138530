//! Brings what hangs on an item to its new key, batch by batch. Doing it again, or from two places at once, is harmless:
//! each commit demands the rows that it takes away as they were read.

use svc_domain::event::CommentEvent;
use svc_domain::ids::{ItemKey, OrgId};
use svc_domain::transfer::Transfer;
use svc_storage::{Condition, Limits, Op, Query, Range, RowOf, keys};

use super::rows;
use crate::App;
use crate::error::Result;
use crate::secrets;
use crate::tracker::item_links;
use crate::transaction::Transaction;

/// Rows that follow in one commit: each takes at most four operations.
const BATCH: usize = 20;

/// Brings all that hangs on the item that left this key.
pub(super) async fn rows_of(app: &App, org: OrgId, from: &ItemKey) -> Result<()> {
    while app.decide(|| bring_some(app, org, from)).await? {}
    Ok(())
}

/// The row of an item's way from this key, while it is not complete.
async fn underway(app: &App, org: OrgId, from: &ItemKey) -> Result<Option<(Transfer, RowOf<Transfer>)>> {
    let Some(row) = app.table.find(&keys::transfer(org, from)).await? else { return Ok(None) };
    let transfer: Transfer = row.read()?;
    Ok((!transfer.complete).then_some((transfer, row)))
}

/// Brings the next batch; answers whether there was one.
pub(super) async fn bring_some(app: &App, org: OrgId, from: &ItemKey) -> Result<bool> {
    let Some((transfer, _)) = underway(app, org, from).await? else { return Ok(false) };
    for kind in keys::FOLLOWS_ITEM {
        let query = Query::new(keys::item_pk(org, from), Range::Prefix(kind.to_owned()), BATCH);
        let found = app.table.query(&query).await?.rows;
        if !found.is_empty() {
            let moved = rows::moved(app, org, &transfer, kind, &found)?;
            let mut transaction =
                Transaction::by_itself(app, org).with(rows::follow(app, org, &transfer, kind, found).await?);
            transaction.write(moved);
            if kind == keys::MENTION_PREFIX {
                // A worker may have looked for it at the old key.
                transaction.tell(CommentEvent::AgentsAsked(transfer.to.clone()));
            }
            app.commit(transaction).await?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// Everything has followed: what names the old key names the new one, also where the item or those that it is linked with
/// have moved on.
pub(super) async fn complete(app: &App, org: OrgId, from: &ItemKey) -> Result<()> {
    let Some((transfer, row)) = underway(app, org, from).await? else { return Ok(()) };
    for other in &transfer.linked {
        item_links::agree(app, org, &transfer.to, other).await?;
        item_links::note_in(app, org, other).await?;
    }
    if !transfer.linked.is_empty() {
        item_links::note_in(app, org, &transfer.to).await?;
    }
    let pointer = |url: &String| keys::linked_item(org, &secrets::hash(url), &transfer.from);
    let mut ops: Vec<Op> =
        transfer.links.iter().map(|url| Op::delete(pointer(url), Condition::None)).collect();
    ops.truncate(Limits::OPS - 2);
    // Nothing comes to belong to it here any more.
    ops.push(Op::delete(keys::children(org, from), Condition::None));
    let done = Transfer { complete: true, links: Vec::new(), linked: Vec::new(), ..transfer };
    ops.push(row.replaced_by(&done));
    app.commit(Transaction::by_itself(app, org).with(ops)).await
}
