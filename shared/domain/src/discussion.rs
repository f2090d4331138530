//! What is counted of the comments and attachments of an item.
//!
//! Lists show everybody the same, so it is what everybody sees who sees the item ([`crate::visibility`]): comments of
//! people in threads that people began, and the attachments of the item and of such comments.

use std::collections::HashSet;

use crate::attachment::Attachment;
use crate::comment::{Comment, join_threads};
use crate::ids::CommentId;
use crate::item::{Commenters, Counts};
use crate::visibility::Viewer;

/// Counts all comments of an item, oldest first, and all its attachments.
pub fn count(mut comments: Vec<Comment>, attachments: &[Attachment]) -> Counts {
    join_threads(&mut comments);
    let seen = |comment: &&Comment| !comment.deleted && Viewer::Stakeholder.sees_comment(comment);
    let seen: HashSet<CommentId> = comments.iter().filter(seen).map(|comment| comment.id).collect();
    let belongs = |file: &&Attachment| file.comment().is_none_or(|comment| seen.contains(&comment));
    let attachments = attachments.iter().filter(|file| file.is_public()).filter(belongs).count();
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    Counts { comments: number(seen.len()), attachments: number(attachments), changes: 0 }
}

/// Those who wrote the comments of an item, oldest first.
pub fn commenters(comments: &[Comment]) -> Commenters {
    let mut all = comments.to_vec();
    join_threads(&mut all);
    let mut commenters = Commenters::default();
    for comment in all.iter().filter(|comment| !comment.deleted) {
        if Viewer::Stakeholder.sees_comment(comment) {
            commenters.wrote(comment.author.id, 1);
        } else {
            commenters.wrote_in_factory(comment.author.id);
        }
    }
    commenters
}

#[cfg(test)]
mod tests {
    use super::count;
    use crate::comment::Comment;
    use crate::comment::tests::{agent, comment, person};
    use crate::item::Counts;

    #[test]
    fn what_everybody_sees_is_counted() {
        let (ours, theirs) = (comment(1, person()), comment(2, agent()));
        let all = vec![
            comment(3, person()).answering(&ours),
            comment(4, person()).answering(&theirs),
            comment(5, agent()).answering(&ours),
            Comment { deleted: true, ..comment(6, person()) },
        ];
        let counts = count([vec![ours, theirs], all].concat(), &[]);
        assert_eq!((counts.comments, counts.attachments), (2, 0));
        let later = counts.changed(1, 2).changed(-4, -1);
        assert_eq!((later.comments, later.attachments, later.changes), (0, 1, 2));
        assert_eq!(serde_json::to_string(&Counts::default()).unwrap(), "{}");
    }
}
