//! Brings to its end what is on the move in a wiki: steps of the protocol in [`super::moves`] that whoever comes next
//! takes, too.

use svc_domain::event::WikiEvent;
use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::refusal::Refusal;
use svc_domain::wiki::Page;
use svc_domain::wiki::moves::{Moving, Tree};
use svc_storage::{Condition, Op, Query, Range, StorageError, keys};

use super::rows::{CurrentPage, TreeRow};
use super::store::named;
use crate::App;
use crate::error::{Result, is_conflict};
use crate::transaction::Transaction;

/// Pages that one commit moves: three operations each, and some for the page above them.
pub(super) const BATCH: usize = 30;

/// How often to begin again after somebody else's commit.
const ATTEMPTS: u32 = 200;

/// Brings what is on the move to its end, if anything is.
///
/// # Errors
/// Those of storage; it may be repeated.
pub async fn finish(app: &App, org: OrgId, project: &ProjectKey) -> Result<()> {
    settled(app, org, project).await.map(drop)
}

/// The tree's row with nothing on the move: what is, is brought to its end first.
pub(super) async fn settled(app: &App, org: OrgId, project: &ProjectKey) -> Result<TreeRow> {
    for _ in 0..ATTEMPTS {
        let tree = TreeRow::load(app, org, project).await?;
        let Some(moving) = tree.tree.moving.clone() else { return Ok(tree) };
        match move_rest(app, org, project, tree, &moving).await {
            // Somebody else moves the same pages, or wrote one of them.
            Err(error) if is_conflict(&error) => {}
            result => return result,
        }
    }
    Err(StorageError::Contention.into())
}

async fn move_rest(
    app: &App,
    org: OrgId,
    project: &ProjectKey,
    mut tree: TreeRow,
    moving: &Moving,
) -> Result<TreeRow> {
    let below = format!("{}/", keys::wiki_page(org, project, moving.from.as_str()).sk);
    let query = Query::new(keys::wiki_pk(org, project), Range::Prefix(below), 10_000);
    let rows = app.table.query_all(query).await?;
    let rows = rows.iter().map(CurrentPage::of).collect::<Result<Vec<_>>>()?;
    let left: Vec<&CurrentPage> = rows
        .iter()
        .filter(|row| row.page.path.moved(&moving.from, &moving.to).is_ok_and(|path| path != row.page.path))
        .collect();
    for batch in left.chunks(BATCH) {
        let mut transaction = Transaction::by_itself(app, org);
        move_batch(&mut transaction, org, project, batch, moving)?;
        app.commit(transaction.with([tree.becomes(org, project, &tree.tree)])).await?;
        tree = tree.written(tree.tree.clone());
    }
    let settled = Transaction::by_itself(app, org).with([tree.becomes(org, project, &Tree::default())]);
    app.commit(settled).await?;
    Ok(tree.written(Tree::default()))
}

/// Moves some of the pages below in the transaction.
pub(super) fn move_batch(
    transaction: &mut Transaction,
    org: OrgId,
    project: &ProjectKey,
    rows: &[&CurrentPage],
    moving: &Moving,
) -> Result<()> {
    for CurrentPage { page, row_version } in rows.iter().copied() {
        let path = page.path.moved(&moving.from, &moving.to).map_err(Refusal::from)?;
        let moved = Page { path, ..page.clone() };
        let old = keys::wiki_page(org, project, page.path.as_str());
        let new = keys::wiki_page(org, project, moved.path.as_str());
        if old == new {
            transaction.write([Op::replace(new, *row_version, &moved)]);
        } else {
            transaction.write([Op::delete(old, Condition::Version(*row_version)), Op::create(new, &moved)]);
        }
        transaction.tell(WikiEvent::Moved(named(project, &moved), page.path.clone()));
    }
    Ok(())
}
