//! Finds the comment of an item that a person means: by its id, by how that begins or ends, or their last one.

use svc_api::tracker::Comment;
use svc_domain::ids::ItemKey;

use crate::commands::item::{comment_id, read_comments};
use crate::failure::Failure;
use crate::keys::item_key;
use crate::session::Session;

/// What people write for the newest comment that they wrote.
const LAST: &str = "last";

/// Which comment: its item and its id.
#[derive(clap::Args)]
pub(super) struct Which {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    pub(super) key: ItemKey,
    /// Id of the comment as svc comment list shows it, or the start or end of the id; last for your newest
    #[arg(value_name = "COMMENT_ID")]
    id: String,
}

impl Which {
    /// The comment, read from the instance.
    pub(super) async fn find(&self, org: &str, session: &Session<'_>) -> Result<Comment, Failure> {
        let id = self.id(org, session).await?;
        Ok(session.org(org).view_comment(&self.key.to_string(), &id).await?)
    }

    /// Its id. Whether a comment has it, the instance says.
    pub(super) async fn id(&self, org: &str, session: &Session<'_>) -> Result<String, Failure> {
        if !self.id.eq_ignore_ascii_case(LAST) {
            return comment_id(&self.id, &self.key, org, session).await;
        }
        let comments = read_comments(&self.key, org, session).await?;
        // People change their own texts only.
        let own = comments.into_iter().rfind(|comment| comment.can_edit);
        own.map(|comment| comment.id).ok_or_else(|| {
            Failure::not_found(format!("you have not commented on {}", self.key))
                .hint(format!("`svc comment list {}` lists those that you can see", self.key))
        })
    }
}
