//! Path parameters of a comment and its reactions.

use schemars::JsonSchema;
use serde::Deserialize;
use svc_domain::ids::{CommentId, ItemKey, OrgSlug};

/// `/orgs/{slug}/items/{key}/comments/{commentId}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CommentPath {
    /// Slug of the organization.
    #[schemars(with = "String")]
    pub(crate) slug: OrgSlug,
    /// Key of the item, such as `PRJ-12`.
    #[schemars(with = "String")]
    #[serde(deserialize_with = "svc_http::paths::in_capitals")]
    pub(crate) key: ItemKey,
    /// Id of the comment.
    #[schemars(with = "String")]
    pub(crate) comment_id: CommentId,
}

/// `/orgs/{slug}/items/{key}/comments/{commentId}/edits/{version}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditPath {
    /// Slug of the organization.
    #[schemars(with = "String")]
    pub(crate) slug: OrgSlug,
    /// Key of the item, such as `PRJ-12`.
    #[schemars(with = "String")]
    #[serde(deserialize_with = "svc_http::paths::in_capitals")]
    pub(crate) key: ItemKey,
    /// Id of the comment.
    #[schemars(with = "String")]
    pub(crate) comment_id: CommentId,
    /// Version of the comment that the edit made.
    pub(crate) version: u64,
}

/// `/orgs/{slug}/items/{key}/comments/{commentId}/reactions/{emoji}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReactionPath {
    /// Slug of the organization.
    #[schemars(with = "String")]
    pub(crate) slug: OrgSlug,
    /// Key of the item, such as `PRJ-12`.
    #[schemars(with = "String")]
    #[serde(deserialize_with = "svc_http::paths::in_capitals")]
    pub(crate) key: ItemKey,
    /// Id of the comment.
    #[schemars(with = "String")]
    pub(crate) comment_id: CommentId,
    /// One of 👍 👎 ❤️ 🎉 👀 ✅, URL-encoded, with or without variation selectors.
    pub(crate) emoji: String,
}
