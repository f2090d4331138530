//! Items that are linked with one that got a new key name that key.

use svc_domain::deleted_item::DeletedItem;
use svc_domain::ids::{ItemKey, OrgId};
use svc_domain::item::Item;
use svc_domain::item_link::LinkKind;
use svc_storage::{Op, keys};

use crate::App;
use crate::error::Result;
use crate::tracker::ItemChange;
use crate::tracker::gone::key_now;
use crate::transaction::Transaction;

/// Replaces a key in the links of another item, and takes away what is no link any more: `still` tells whether the
/// item under its new key is this to the other. Doing it again is harmless.
pub(crate) async fn rename(
    app: &App,
    org: OrgId,
    other: &ItemKey,
    keys: (&ItemKey, &ItemKey),
    still: impl Fn(LinkKind) -> bool,
) -> Result<()> {
    app.decide(|| rename_once(app, org, other, keys, &still)).await
}

async fn rename_once(
    app: &App,
    org: OrgId,
    other: &ItemKey,
    (from, to): (&ItemKey, &ItemKey),
    still: &impl Fn(LinkKind) -> bool,
) -> Result<()> {
    // It may have moved as well.
    let now = key_now(app, org, other).await?.unwrap_or_else(|| other.clone());
    let rows = app.table.get_many(&[keys::item(org, &now), keys::deleted_item(org, &now)]).await?;
    let mut transaction = Transaction::by_itself(app, org);
    match &rows[..] {
        [Some(row), _] => {
            // People would not call it a change.
            let mut change = ItemChange::update(org, row.read()?, row.version).as_heartbeat();
            if !renamed(&mut change.item, (from, to), still) {
                return Ok(());
            }
            transaction.save(change);
        }
        [None, Some(row)] => {
            let mut deleted: DeletedItem = row.read()?;
            let Some(item) = &mut deleted.item else { return Ok(()) };
            if !renamed(item, (from, to), still) {
                return Ok(());
            }
            transaction.write([Op::replace(row.key.clone(), row.version, &deleted)]);
        }
        _ => return Ok(()),
    }
    app.commit(transaction).await
}

/// Answers whether anything changed.
fn renamed(item: &mut Item, (from, to): (&ItemKey, &ItemKey), still: &impl Fn(LinkKind) -> bool) -> bool {
    let kinds: Vec<LinkKind> =
        item.item_links.iter().filter(|link| link.item == *from).map(|link| link.kind).collect();
    for kind in &kinds {
        item.remove_link(*kind, from);
        if still(kind.inverse()) {
            item.add_link(*kind, to);
        }
    }
    !kinds.is_empty()
}
