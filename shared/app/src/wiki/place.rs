//! Reads a place of a wiki, and the whole of it, so that no move came in between: steps 4 and 5 of the protocol
//! in [`super::moves`].

use svc_domain::ids::{OrgId, PageId, ProjectKey};
use svc_domain::wiki::audience::PageAccess;
use svc_domain::wiki::moves::{Moved, Tree};
use svc_domain::wiki::{Page, PagePath};
use svc_storage::{Key, KeyOf, Op, Query, Range, RowOf, StorageError, keys};

use super::rows::{CurrentPage, TreeRow};
use super::settle::settled;
use super::store::current;
use crate::App;
use crate::error::Result;
use crate::wanted;

/// How often to read again what moved while it was read.
const READS: u32 = 20;

/// Most moves that an old address is followed through.
const MOVES: u32 = 8;

/// A path, what is there, and what the pages on the way say of readers and editors.
#[derive(Clone, Debug)]
pub struct Place {
    /// The path.
    pub path: PagePath,
    /// The page, where there is one.
    pub current: Option<CurrentPage>,
    /// What the pages from the root to this one say.
    pub(super) chain: Vec<PageAccess>,
    pub(super) tree: TreeRow,
}

/// The rows of a page, of all above it, and of the tree.
pub(super) type PlaceKeys = (Vec<KeyOf<Page>>, KeyOf<Tree>);

/// What was found by [`PlaceKeys`].
pub(super) type PlaceRows = (Vec<Option<RowOf<Page>>>, Option<RowOf<Tree>>);

impl Place {
    /// The rows that tell.
    pub(super) fn keys(org: OrgId, project: &ProjectKey, path: &PagePath) -> PlaceKeys {
        (Self::pages(org, project, path), keys::wiki_tree(org, project))
    }

    /// Those of them that are pages.
    pub(super) fn pages(org: OrgId, project: &ProjectKey, path: &PagePath) -> Vec<KeyOf<Page>> {
        path.chain().iter().map(|path| keys::wiki_page(org, project, path.as_str())).collect()
    }

    /// The place, of the rows of [`Place::keys`], or read again where a move could have come between them.
    pub(super) async fn of(
        app: &App,
        org: OrgId,
        project: &ProjectKey,
        path: PagePath,
        rows: &PlaceRows,
    ) -> Result<Self> {
        let place = Self::read(path, rows)?;
        // A page and all above it that are there, none on the move: whichever was read first, they say what held
        // before a move or after it.
        let whole = place.current.is_some() && place.chain.len() == place.path.chain().len();
        if whole && place.tree.tree.moving.is_none() {
            return Ok(place);
        }
        Self::load(app, org, project, place.path).await
    }

    /// The place, with nothing on the move.
    pub(super) async fn load(app: &App, org: OrgId, project: &ProjectKey, path: PagePath) -> Result<Self> {
        for _ in 0..READS {
            let before = settled(app, org, project).await?;
            let rows = wanted::load(app, Self::keys(org, project, &path)).await?;
            if TreeRow::load(app, org, project).await? == before {
                return Self::read(path, &rows);
            }
        }
        Err(StorageError::Contention.into())
    }

    /// The place as these rows tell.
    pub(super) fn read(path: PagePath, (pages, tree): &PlaceRows) -> Result<Self> {
        let found = pages.iter().map(|row| row.as_deref().map(CurrentPage::of).transpose());
        let mut found = found.collect::<Result<Vec<Option<CurrentPage>>>>()?;
        let chain = found.iter().flatten().map(|current| current.page.access.clone()).collect();
        Ok(Self { path, current: found.pop().flatten(), chain, tree: TreeRow::of(tree.as_deref())? })
    }

    /// The page of an earlier server, which stored a path as it came: with its letters in parts. This place where
    /// there is none.
    pub(super) async fn where_older_servers_stored_it(
        self,
        app: &App,
        org: OrgId,
        project: &ProjectKey,
    ) -> Result<Self> {
        let Some(other) = self.path.decomposed().filter(|_| self.current.is_none()) else { return Ok(self) };
        let there = Self::load(app, org, project, other).await?;
        Ok(if there.current.is_some() { there } else { self })
    }

    /// Where the page went that was here once; this place where nothing did.
    pub(super) async fn followed(self, app: &App, org: OrgId, project: &ProjectKey) -> Result<Self> {
        let mut place = self;
        for _ in 0..MOVES {
            if place.current.is_some() {
                break;
            }
            let Some(next) = went(app, org, project, &place.path).await? else { break };
            place = Self::load(app, org, project, next).await?;
        }
        Ok(place)
    }

    /// Demands that nothing moved since this was read: for the commit that creates a page here.
    pub(super) fn unmoved(&self, org: OrgId, project: &ProjectKey) -> Op {
        self.tree.unmoved(org, project)
    }
}

/// What is at a path, for who writes there.
///
/// # Errors
/// Those of storage.
pub async fn place(app: &App, org: OrgId, project: &ProjectKey, path: &PagePath) -> Result<Place> {
    Place::load(app, org, project, path.clone()).await
}

/// Every page of a wiki at one moment, with the tree's row of then.
pub(super) async fn whole(
    app: &App,
    org: OrgId,
    project: &ProjectKey,
) -> Result<(Vec<CurrentPage>, TreeRow)> {
    let range = || Range::Between(keys::PAGE_PREFIX.to_owned(), keys::TREE_SK.to_owned());
    for _ in 0..READS {
        let before = settled(app, org, project).await?;
        let mut rows = app.table.query_all(Query::new(keys::wiki_pk(org, project), range(), 10_000)).await?;
        let tree = rows.pop_if(|row| row.key.sk == keys::TREE_SK);
        if TreeRow::of(tree.as_ref())? == before {
            return Ok((rows.iter().map(CurrentPage::of).collect::<Result<_>>()?, before));
        }
    }
    Err(StorageError::Contention.into())
}

/// Where a page is that was at this path; `None` where it cannot be found from there.
///
/// # Errors
/// Those of storage.
pub async fn path_now(
    app: &App,
    org: OrgId,
    project: &ProjectKey,
    page: PageId,
    path: &PagePath,
) -> Result<Option<PagePath>> {
    let mut path = path.clone();
    for _ in 0..MOVES {
        if current(app, org, project, &path).await?.is_some_and(|found| found.page.id == page) {
            return Ok(Some(path));
        }
        let Some(next) = went(app, org, project, &path).await? else { return Ok(None) };
        path = next;
    }
    Ok(None)
}

/// The path to which a page at this one, or one above it, moved.
async fn went(app: &App, org: OrgId, project: &ProjectKey, path: &PagePath) -> Result<Option<PagePath>> {
    let above = path.chain();
    let wanted: Vec<Key> = above.iter().map(|path| keys::wiki_moved(org, project, path.as_str())).collect();
    let rows = app.table.get_many(&wanted).await?;
    for (from, row) in above.iter().zip(rows).rev() {
        if let Some(row) = row {
            return Ok(path.moved(from, &row.read::<Moved>()?.to).ok());
        }
    }
    Ok(None)
}
