//! The two ends of a link: items under the keys that they have now, also where a row names one that it had before.
//!
//! Both ends are written in one commit that demands both rows as they were read. So a link is at both ends or at none,
//! whichever of the two items moves to another project meanwhile.

use std::collections::BTreeMap;

use svc_domain::deleted_item::DeletedItem;
use svc_domain::ids::{ItemKey, OrgId};
use svc_domain::item::Item;
use svc_domain::item_link::LinkKind;
use svc_storage::{Condition, Key, Op, keys};

use crate::App;
use crate::error::Result;
use crate::tracker::ItemChange;
use crate::tracker::gone::key_now;
use crate::tracker::load::Loaded;
use crate::transaction::Transaction;
use crate::wanted;

/// An item at an end of a link, as it was read.
pub(super) enum End {
    Here { change: Box<ItemChange>, version: u64 },
    Deleted { deleted: Box<DeletedItem>, version: u64 },
}

impl End {
    /// The key that the item has.
    pub(super) fn key(&self) -> &ItemKey {
        match self {
            Self::Here { change, .. } => &change.item.key,
            Self::Deleted { deleted, .. } => &deleted.key,
        }
    }

    /// The item; `None` where it can be brought back no more.
    pub(super) fn item(&mut self) -> Option<&mut Item> {
        match self {
            Self::Here { change, .. } => Some(&mut change.item),
            Self::Deleted { deleted, .. } => deleted.item.as_mut(),
        }
    }

    /// Takes a link with an item away, also where it names a key that the item had.
    pub(super) async fn forget(
        &mut self,
        app: &App,
        org: OrgId,
        kind: LinkKind,
        other: &ItemKey,
    ) -> Result<()> {
        if let Some(item) = self.item() {
            name_anew(app, org, item).await?;
            item.remove_link(kind, other);
        }
        Ok(())
    }

    fn is_linked(&mut self, kind: LinkKind, other: &ItemKey) -> bool {
        self.item().is_some_and(|item| item.is_linked(kind, other))
    }

    /// Writes the item. People would not call it a change.
    pub(super) fn write(self, org: OrgId, transaction: &mut Transaction) {
        match self {
            Self::Here { change, .. } => drop(transaction.save(change.as_heartbeat())),
            Self::Deleted { deleted, version } => {
                transaction.write([Op::replace(keys::deleted_item(org, &deleted.key), version, &deleted)]);
            }
        }
    }

    /// Demands the item as it was read.
    fn demand(&self, org: OrgId) -> Op {
        let (key, version): (Key, _) = match self {
            Self::Here { change, version } => (keys::item(org, &change.item.key).into(), *version),
            Self::Deleted { deleted, version } => (keys::deleted_item(org, &deleted.key).into(), *version),
        };
        Op::check(key, Condition::Version(version))
    }
}

/// The item that has this key, or had it; `None` where nothing is.
pub(super) async fn find(app: &App, org: OrgId, key: &ItemKey) -> Result<Option<End>> {
    let mut at = Some(key.clone());
    // A move between the two reads leaves both without a row: where it went is known then.
    while let Some(key) = at {
        match wanted::load(app, (keys::item(org, &key), keys::deleted_item(org, &key))).await? {
            (Some(row), _) => {
                let change = Box::new(ItemChange::update(org, row.read()?, row.version));
                return Ok(Some(End::Here { change, version: row.version }));
            }
            (None, Some(row)) => {
                return Ok(Some(End::Deleted { deleted: Box::new(row.read()?), version: row.version }));
            }
            _ => at = key_now(app, org, &key).await?,
        }
    }
    Ok(None)
}

/// Whether the item is this to the other one, which has this key now.
pub(super) async fn is_linked(app: &App, loaded: &Loaded, kind: LinkKind, other: &ItemKey) -> Result<bool> {
    let mut item = loaded.item.clone();
    name_anew(app, loaded.entry.org_id(), &mut item).await?;
    Ok(item.is_linked(kind, other))
}

/// Names the items that an item is linked with by the keys that they have now.
pub(super) async fn name_anew(app: &App, org: OrgId, item: &mut Item) -> Result<()> {
    let named: Vec<&ItemKey> = item.item_links.iter().map(|link| &link.item).collect();
    let wanted: Vec<_> = named.iter().map(|key| keys::transfer(org, key)).collect();
    let mut now = BTreeMap::new();
    for (key, row) in named.into_iter().zip(wanted::load(app, wanted).await?) {
        if let Some(row) = row {
            let to = row.read()?.to;
            now.insert(key.clone(), key_now(app, org, &to).await?.unwrap_or(to));
        }
    }
    item.rename_links(&now);
    Ok(())
}

/// Makes two items name each other by the keys that they have now, and takes away links that only one of them knows:
/// the other end was taken away while they moved. Doing it again is harmless.
///
/// # Errors
/// Those of storage.
pub(crate) async fn agree(app: &App, org: OrgId, one: &ItemKey, other: &ItemKey) -> Result<()> {
    app.decide(|| agree_once(app, org, one, other)).await
}

async fn agree_once(app: &App, org: OrgId, one: &ItemKey, other: &ItemKey) -> Result<()> {
    let (Some(mut one), Some(mut other)) = (find(app, org, one).await?, find(app, org, other).await?) else {
        return Ok(());
    };
    if one.key() == other.key() {
        return Ok(());
    }
    let mut changed = Vec::new();
    let mut before = Vec::new();
    for end in [&mut one, &mut other] {
        before.push(end.item().map(|item| item.item_links.clone()));
        if let Some(item) = end.item() {
            name_anew(app, org, item).await?;
        }
    }
    keep_known(&mut one, &mut other);
    keep_known(&mut other, &mut one);
    for (end, before) in [&mut one, &mut other].into_iter().zip(before) {
        changed.push(end.item().map(|item| item.item_links.clone()) != before);
    }
    if changed.iter().all(|changed| !changed) {
        return Ok(());
    }
    let mut transaction = Transaction::by_itself(app, org);
    for (end, changed) in [one, other].into_iter().zip(changed) {
        if changed {
            end.write(org, &mut transaction);
        } else {
            transaction.write([end.demand(org)]);
        }
    }
    app.commit(transaction).await
}

/// Takes from an item the links with another one that the other does not know.
fn keep_known(end: &mut End, other: &mut End) {
    let (own, there) = (end.key().clone(), other.key().clone());
    if let Some(item) = end.item() {
        item.item_links.retain(|link| link.item != there || other.is_linked(link.kind.inverse(), &own));
    }
}
