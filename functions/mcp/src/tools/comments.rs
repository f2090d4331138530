//! `add_comment`.

use schemars::JsonSchema;
use serde::Deserialize;
use svc_app::tracker::comments::{self, NewComment, Outcome};
use svc_domain::ids::ItemKey;
use svc_http::ApiResult;

use super::named;
use crate::guest::Guest;
use crate::reply::Reply;

/// A comment.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Add {
    /// Item key
    key: String,
    /// Markdown
    body: String,
    /// Id of a comment
    reply_to: Option<String>,
    /// The same key again makes no second one
    #[serde(rename = "idempotencyKey")]
    _key: Option<String>,
}

pub(crate) async fn add(guest: Guest, arguments: Add) -> ApiResult<Reply> {
    let key: ItemKey = named("key", &arguments.key)?;
    let new = NewComment { body: arguments.body, reply_to: arguments.reply_to, attachments: Vec::new() };
    let seen = comments::create(&guest.app, guest.caller(), &key, &new).await?;
    // The words of people stay out of it: the sentences hold names.
    let in_vain = seen.reach.iter().filter(|one| matches!(one.outcome, Outcome::Nobody(_))).count();
    let reply = Reply::default().line(format!("Commented on {key}: comment {}", seen.comment.id));
    Ok(match in_vain {
        0 => reply,
        n => reply.line(format!("Mentions that reach nobody: {n}")),
    })
}
