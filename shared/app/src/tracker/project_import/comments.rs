//! Comments of a source.

use std::collections::BTreeMap;

use svc_domain::comment::Comment;
use svc_domain::event::{CommentEvent, CommentRef};
use svc_domain::ids::{CommentId, ItemKey};
use svc_domain::import::{self, Became, Record};
use svc_domain::item::Item;
use svc_domain::refusal::Refusal;
use svc_storage::{Limits, Op, RowOf, keys};

use super::{BYTES, Batch, OPS, in_words};
use crate::error::Result;
use crate::tracker::counts::{Delta, recounted};
use crate::transaction::Transaction;
use crate::wanted;

/// Operations of a comment with its record, and of its item.
const OPS_OF_COMMENT: usize = 3;
const OPS_OF_ITEM: usize = 4;
/// Comments on one item in one commit.
const TOGETHER: usize = 20;

impl Batch<'_> {
    pub(super) async fn comments(&mut self) -> Result<()> {
        let mut left = self.left(|record| match record {
            Record::Comment(comment) => Some(comment),
            _ => None,
        });
        // Ids follow each other, and by them a discussion is in order.
        left.sort_by_key(|(_, comment)| comment.created_at);
        let mut by_item: BTreeMap<ItemKey, Vec<(usize, Comment)>> = BTreeMap::new();
        for (at, record) in left {
            let Some(item) = self.item_key(&record.item).cloned() else {
                if self.import.dry_run {
                    self.fates[at] = Some(super::Fate::Created);
                } else {
                    self.skip(at, format!("There is no item {:?} among the records.", record.item));
                }
                continue;
            };
            let author = self.who(at, record.author.as_ref());
            match import::comment(record, CommentId(self.app.uuid()), author, self.by()) {
                Ok((comment, notes)) => {
                    notes.into_iter().for_each(|note| self.note(at, note));
                    by_item.entry(item).or_default().push((at, comment));
                }
                Err(errors) => self.skip(at, in_words(Refusal::Invalid(errors))),
            }
        }
        // Those on one item after the others, each time from the item as it is then.
        while !by_item.is_empty() {
            self.some_comments(&mut by_item).await?;
        }
        Ok(())
    }

    /// Writes as many comments as one commit takes.
    async fn some_comments(&mut self, left: &mut BTreeMap<ItemKey, Vec<(usize, Comment)>>) -> Result<()> {
        let (mut ops, mut bytes) = (0, 0);
        let mut taken: Vec<(ItemKey, Vec<(usize, Comment)>)> = Vec::new();
        for (item, comments) in left.iter_mut() {
            let mut some = Vec::new();
            while let Some((at, comment)) = comments.first() {
                let size = serde_json::to_string(comment).map_or(usize::MAX / 4, |doc| doc.len());
                if size > Limits::ROW_BYTES - Limits::ROW_OVERHEAD - 1_024 {
                    let at = *at;
                    self.skip(at, "It is too long to be stored.");
                    comments.remove(0);
                    continue;
                }
                let own = if some.is_empty() { OPS_OF_ITEM } else { 0 };
                let fits = ops + own + OPS_OF_COMMENT <= OPS && bytes + size <= BYTES;
                if some.len() == TOGETHER || !fits {
                    break;
                }
                ops += own + OPS_OF_COMMENT;
                // The row of the item may be as long as rows are.
                bytes += size + 4 * 1_024 + if own > 0 { 64 * 1_024 } else { 0 };
                some.push(comments.remove(0));
            }
            if !some.is_empty() {
                taken.push((item.clone(), some));
            }
        }
        left.retain(|_, comments| !comments.is_empty());
        let wanted = taken.iter().map(|(item, _)| keys::item(self.org, item));
        let rows = match self.import.dry_run {
            true => vec![None; taken.len()],
            false => wanted::load(self.app, wanted.collect::<Vec<_>>()).await?,
        };
        let (mut transaction, mut made) = (self.transaction(), Vec::new());
        for ((item, comments), row) in taken.into_iter().zip(rows) {
            match row {
                Some(row) => self.say(&mut transaction, &item, row, &comments).await?,
                None if self.import.dry_run => {}
                None => {
                    for (at, _) in comments {
                        self.skip(at, "Its item is no longer in the project.");
                    }
                    continue;
                }
            }
            made.extend(
                comments.into_iter().map(|(at, comment)| (at, Became::Comment(item.clone(), comment.id))),
            );
        }
        self.commit(transaction, made).await
    }

    /// Writes comments on an item, which counts them.
    async fn say(
        &self,
        transaction: &mut Transaction,
        item: &ItemKey,
        row: RowOf<Item>,
        comments: &[(usize, Comment)],
    ) -> Result<()> {
        let mut change = recounted(self.app, self.org, &row, Delta::default()).await?;
        for (_, comment) in comments {
            transaction.write([Op::create(keys::comment(self.org, item, comment.id), comment)]);
            transaction.tell(CommentEvent::Imported(CommentRef::of(item, comment)));
            if let Some(counts) = &mut change.item.counts {
                *counts = counts.changed(1, 0);
                change.item.commenters.wrote(comment.author.id, 1);
            }
        }
        transaction.save(change);
        Ok(())
    }
}
