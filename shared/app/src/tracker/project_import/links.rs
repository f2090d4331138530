//! Links between items of a source, and files that the source keeps.

use svc_domain::comment::{Comment, MAX_COMMENT};
use svc_domain::event::{CommentEvent, CommentRef};
use svc_domain::ids::{CommentId, ItemKey};
use svc_domain::import::{self, Became, Kind, Record, appended, file_link};
use svc_domain::item::{Item, MAX_BODY};
use svc_storage::keys;

use super::{Batch, Fate};
use crate::error::{Result, is_conflict};
use crate::tracker::{ItemChange, item_links};

impl Batch<'_> {
    /// Each link is a commit of its own, after a look for circles; then its record. Cut off in between, the link is
    /// there already when it comes again, which changes nothing.
    pub(super) async fn links(&mut self) -> Result<()> {
        let left = self.left(|record| match record {
            Record::Link(link) => Some(link),
            _ => None,
        });
        for (at, link) in left {
            let ends = [&link.from, &link.to].map(|id| self.item_key(id).cloned());
            let [Some(from), Some(to)] = ends else {
                if self.import.dry_run {
                    self.fates[at] = Some(Fate::Created);
                } else {
                    let missing = if ends[0].is_none() { &link.from } else { &link.to };
                    self.skip(at, format!("There is no item {missing:?} among the records."));
                }
                continue;
            };
            if !self.import.dry_run {
                let linked = item_links::bring(self.app, self.caller, &from, link.relation, &to).await;
                match linked {
                    Ok(_) => {}
                    Err(error) if is_conflict(&error) => return Err(error),
                    Err(error) => {
                        self.skip_refused(at, error)?;
                        continue;
                    }
                }
            }
            self.commit(self.transaction(), vec![(at, Became::Part)]).await?;
        }
        Ok(())
    }

    /// A file that the source keeps is a link in the text that it belongs to.
    pub(super) async fn attachments(&mut self) -> Result<()> {
        let left = self.left(|record| match record {
            Record::Attachment(attachment) => Some(attachment),
            _ => None,
        });
        for (at, record) in left {
            let Some(url) = &record.url else {
                self.skip(at, "Files are uploaded to the items when these have come.");
                continue;
            };
            let Some(line) = file_link(&record.name, url) else {
                self.skip(at, "Its address is none that a browser opens.");
                continue;
            };
            let place = match &record.comment {
                None => self.item_key(&record.item).map(|item| (item.clone(), None)),
                Some(comment) => match self.became(Kind::Comment, comment) {
                    Some(Became::Comment(item, id)) => Some((item.clone(), Some(*id))),
                    _ => None,
                },
            };
            match place {
                _ if self.import.dry_run => self.fates[at] = Some(Fate::Created),
                None => self.skip(at, "What it belongs to is not among the records."),
                Some((item, None)) => self.add_to_item(at, &item, &line).await?,
                Some((item, Some(comment))) => self.add_to_comment(at, &item, comment, &line).await?,
            }
        }
        Ok(())
    }

    async fn add_to_item(&mut self, at: usize, key: &ItemKey, line: &str) -> Result<()> {
        let Some(row) = self.app.table.find(&keys::item(self.org, key)).await? else {
            self.skip(at, "Its item is no longer in the project.");
            return Ok(());
        };
        let item: Item = row.read()?;
        let Some(body) = fits(&item.body, line, MAX_BODY) else {
            self.skip(at, "The description has no room for a link to it.");
            return Ok(());
        };
        // The text changes for everybody who edits it; when it last changed stays as the source tells it.
        let mut change = ItemChange::update(self.org, item, row.version).brought_in();
        change.item.revision += 1;
        change.item.body = body;
        let mut transaction = self.transaction();
        transaction.save(change);
        self.commit(transaction, vec![(at, Became::Part)]).await
    }

    async fn add_to_comment(&mut self, at: usize, item: &ItemKey, id: CommentId, line: &str) -> Result<()> {
        let Some(row) = self.app.table.find(&keys::comment(self.org, item, id)).await? else {
            self.skip(at, "Its comment is no longer in the project.");
            return Ok(());
        };
        let mut comment: Comment = row.read()?;
        let Some(body) = fits(&comment.body, line, MAX_COMMENT).filter(|_| !comment.deleted) else {
            self.skip(at, "The comment has no room for a link to it.");
            return Ok(());
        };
        comment.body = body;
        let transaction = self
            .transaction()
            .with([row.replaced_by(&comment)])
            .telling(CommentEvent::Imported(CommentRef::of(item, &comment)));
        self.commit(transaction, vec![(at, Became::Part)]).await
    }
}

/// The text with the line after it, if it is not too long then.
fn fits(text: &str, line: &str, most: usize) -> Option<String> {
    let whole = appended(text, line);
    (import::text(&whole, most, &mut Vec::new()) == whole).then_some(whole)
}
