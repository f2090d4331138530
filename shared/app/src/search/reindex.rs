//! Has every text of a project indexed anew: for a store of an earlier server, and for an index that lost rows.

use svc_domain::comment::Comment;
use svc_domain::feed::FeedEntry;
use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::search::Source;
use svc_domain::wiki::Page;
use svc_storage::{Limits, Op, Query, Range, keys};

use super::index::anew;
use crate::App;
use crate::error::Result;
use crate::project_keys::project_keys;
use crate::transaction::Transaction;

/// Rows of one read.
const ROWS: usize = 1_000;

/// Writes for every text of a project that it is to be indexed; answers how many. The indexer does the rest,
/// here or in another process, and searches go on meanwhile.
///
/// # Errors
/// Those of storage. It may be repeated.
pub async fn reindex(app: &App, org: OrgId, project: &ProjectKey) -> Result<usize> {
    let mut texts = Texts { app, waiting: Vec::new(), written: 0 };
    let mut feed = Query::new(keys::feed_pk(org, project), Range::All, ROWS);
    loop {
        let page = app.table.query(&feed).await?;
        for row in &page.rows {
            let entry: FeedEntry = row.read()?;
            let item = entry.key(project);
            texts.add(anew(org, &Source::Item(item.clone()))).await?;
            let comments = Range::Prefix(keys::COMMENT_PREFIX.to_owned());
            for row in app.table.query_all(Query::new(keys::item_pk(org, &item), comments, ROWS)).await? {
                let comment: Comment = row.read()?;
                texts.add(anew(org, &Source::Comment { item: item.clone(), id: comment.id })).await?;
            }
        }
        feed.cursor = page.cursor;
        if feed.cursor.is_none() {
            break;
        }
    }
    let pages = Range::Prefix(keys::PAGE_PREFIX.to_owned());
    for row in app.table.query_all(Query::new(keys::wiki_pk(org, project), pages, ROWS)).await? {
        let page: Page = row.read()?;
        texts.add(anew(org, &Source::of_page(project, &page))).await?;
    }
    texts.write().await?;
    Ok(texts.written)
}

/// The same for every project of every organization.
///
/// # Errors
/// Those of storage. It may be repeated.
pub async fn reindex_all(app: &App) -> Result<usize> {
    let mut written = 0;
    for row in app.table.query_all(Query::new(keys::ORGS_PK, Range::All, ROWS)).await? {
        // The sort key is the organization's id, written by us.
        let Ok(org) = row.key.sk.parse::<OrgId>() else { continue };
        for project in project_keys(app, org).await? {
            written += reindex(app, org, &project).await?;
        }
    }
    Ok(written)
}

struct Texts<'a> {
    app: &'a App,
    waiting: Vec<Op>,
    written: usize,
}

impl Texts<'_> {
    async fn add(&mut self, op: Op) -> Result<()> {
        // An item that changed while the feed was read may come twice.
        if self.waiting.iter().all(|waiting| waiting.key != op.key) {
            self.waiting.push(op);
        }
        if self.waiting.len() == Limits::OPS { self.write().await } else { Ok(()) }
    }

    async fn write(&mut self) -> Result<()> {
        self.written += self.waiting.len();
        let waiting = std::mem::take(&mut self.waiting);
        self.app.commit(Transaction::bookkeeping(self.app).with(waiting)).await
    }
}
