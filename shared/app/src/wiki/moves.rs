//! Moves and renames a page with its subtree, and places it among its siblings (specification section 2.5).
//!
//! Protocol. The path of a page is in its row's key, so a move writes one row for each page that moves.
//! 1. The first commit moves the page itself and up to [`BATCH`] pages below it. If more are left, it writes a
//!    note about the move into the tree's row and sends a message to a worker.
//! 2. Further commits move the rest. Each is conditional on the tree's row as it was read; the last one removes
//!    the note. A caller that finds the note completes the move first ([`finish`]). So a move may be interrupted
//!    anywhere, and nobody sees it, or works with it, half done.
//! 3. Every change of the tree raises the version of the tree's row, so two moves never mix. A commit that
//!    creates a page is conditional on that version, so no page is created at a path that another page just left
//!    or took.
//! 4. A reader reads the tree's row before and after the pages, and reads again if it changed in between. A
//!    reader who finds a page and all its ancestors in one read does not need this.
//! 5. The old path leads to the new one, for the page and its whole subtree.
//!
//! Pages of the subtree that the caller may not read or edit move too, with their access rules. Their versions
//! stay. The page itself gets one new version, which says where it was.

use std::collections::HashSet;

use svc_domain::access::Capability;
use svc_domain::event::WikiEvent;
use svc_domain::ids::{OrgId, PageId, ProjectKey};
use svc_domain::name::check_given;
use svc_domain::playbook::Playbook;
use svc_domain::refusal::Refusal;
use svc_domain::wiki::moves::{Moved, Moving, Tree, Wiki, admit};
use svc_domain::wiki::tree::seen_by;
use svc_domain::wiki::{Page, PageChange, PagePath};
use svc_storage::{Condition, Op, Query, Range, Row, keys};

use super::find::{Found, SeenPage, find_page, require_version};
use super::place::whole;
use super::rows::{CurrentPage, pages};
use super::settle::{BATCH, finish, move_batch};
use super::store::{self, named, next_version, version_ops};
use super::visible::visible;
use crate::App;
use crate::entry::Caller;
use crate::error::Result;
use crate::transaction::Transaction;

/// The new place of a page.
#[derive(Clone, Debug)]
pub struct MovePage {
    /// The version last read.
    pub version: u64,
    /// Its new path; `None` leaves it.
    pub to: Option<String>,
    /// Its new place among its siblings; `None` leaves it.
    pub position: Option<i32>,
}

/// Moves a page and all that is below it.
///
/// # Errors
/// [`Refusal::StaleVersion`]; [`Refusal::Invalid`] for a text that is no path; what [`admit`] refuses.
pub async fn move_page(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    path: &str,
    wanted: &MovePage,
) -> Result<SeenPage> {
    let (page, rest) = app.decide(|| move_once(app, caller, project, path, wanted)).await?;
    if let Some(org) = rest
        && let Err(error) = finish(app, org, project).await
    {
        tracing::warn!(%error, "pages are left on the move; whoever looks next goes on");
    }
    Ok(page)
}

async fn move_once(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    path: &str,
    wanted: &MovePage,
) -> Result<(SeenPage, Option<OrgId>)> {
    let (found, current) = find_page(app, caller, project, path, Capability::EditWiki).await?;
    found.require_edit()?;
    require_version(&current, wanted.version)?;
    let (org, page) = (found.entry.org_id(), &current.page);
    let body = store::text(app, org, page.id, page.version).await?.body;
    let to: PagePath = match &wanted.to {
        Some(to) => to.parse().map_err(|error| Refusal::invalid("to", format!("{error}")))?,
        None => page.path.clone(),
    };
    check_given("to", to.as_str(), Some(page.path.as_str()))?;
    let mut next = next_version(app, page, found.entry.actor());
    next.position = wanted.position.unwrap_or(page.position);
    next.path.clone_from(&to);
    if next.path == page.path && next.position == page.position {
        return Ok((found.seen(page.clone(), body), None));
    }
    let moved = WikiEvent::Moved(named(project, &next), page.path.clone());
    let mut transaction = Transaction::of(app, &found.entry)
        .with(page_ops(org, project, &current, &next, &body))
        .telling(moved);
    let mut all = true;
    if to != page.path {
        all = move_below(app, &mut transaction, &found, project, page, to).await?;
    }
    app.commit(transaction).await?;
    Ok((SeenPage { page: next, body, can_edit: true }, (!all).then_some(org)))
}

/// Moves what is below the page in the transaction, as much of it as one commit takes; answers whether that is all.
async fn move_below(
    app: &App,
    transaction: &mut Transaction,
    found: &Found,
    project: &ProjectKey,
    page: &Page,
    to: PagePath,
) -> Result<bool> {
    let org = found.entry.org_id();
    let (rows, tree) = whole(app, org, project).await?;
    admit(&found.entry.access, page, &to, &wiki(app, found, project, &rows).await?)?;
    let below: Vec<&CurrentPage> = rows.iter().filter(|row| row.page.path.is_below(&page.path)).collect();
    let (now, later) = below.split_at(below.len().min(BATCH));
    let moving = Moving { from: page.path.clone(), to };
    move_batch(transaction, org, project, now, &moving)?;
    if later.is_empty() {
        transaction.write([tree.becomes(org, project, &Tree::default())]);
        return Ok(true);
    }
    transaction.write([tree.becomes(org, project, &Tree { moving: Some(moving) })]);
    transaction.tell(WikiEvent::MoveUnfinished(project.clone()));
    Ok(false)
}

/// The operations that move the page itself, as its next version.
fn page_ops(org: OrgId, project: &ProjectKey, current: &CurrentPage, next: &Page, body: &str) -> Vec<Op> {
    let from = &current.page.path;
    let change = PageChange::Moved { from: from.clone() };
    let old = keys::wiki_page(org, project, from.as_str());
    if old == keys::wiki_page(org, project, next.path.as_str()) {
        return version_ops(org, project, Some(current.row_version), next, body, change).into();
    }
    let mut ops = Vec::from(version_ops(org, project, None, next, body, change));
    ops.push(Op::delete(old, Condition::Version(current.row_version)));
    let moved = Moved { to: next.path.clone() };
    ops.push(Op::put(keys::wiki_moved(org, project, from.as_str()), Condition::None, &moved));
    ops.push(Op::delete(keys::wiki_moved(org, project, next.path.as_str()), Condition::None));
    ops
}

/// What the decision asks of the wiki.
async fn wiki(app: &App, found: &Found, project: &ProjectKey, rows: &[CurrentPage]) -> Result<Wiki> {
    let org = found.entry.org_id();
    let visible = visible(app, &found.entry, project).await?;
    let seen = seen_by(&found.entry.access, pages(rows));
    Ok(Wiki {
        pages: pages(rows),
        seen: seen.iter().filter(|page| visible.sees(page)).map(|page| page.id).collect(),
        playbooks: playbook_pages(app, org, project).await?,
    })
}

/// The pages that hold the instructions of playbooks now.
pub(super) async fn playbook_pages(app: &App, org: OrgId, project: &ProjectKey) -> Result<HashSet<PageId>> {
    pages_of(app, org, project, Playbook::is_there).await
}

/// The same, and those that come back with their playbooks, as long as these can be restored.
pub(super) async fn kept_for_playbooks(
    app: &App,
    org: OrgId,
    project: &ProjectKey,
) -> Result<HashSet<PageId>> {
    pages_of(app, org, project, |playbook| playbook.keeps_page(app.now())).await
}

async fn pages_of(
    app: &App,
    org: OrgId,
    project: &ProjectKey,
    of: impl Fn(&Playbook) -> bool,
) -> Result<HashSet<PageId>> {
    let range = Range::Prefix(keys::PLAYBOOK_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::project_pk(org, project), range, 1_000)).await?;
    let playbooks = rows.iter().map(Row::read::<Playbook>).collect::<Result<Vec<_>, _>>()?;
    Ok(playbooks.iter().filter(|playbook| of(playbook)).map(|playbook| playbook.page).collect())
}
