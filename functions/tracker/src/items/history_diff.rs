//! `GET /orgs/{slug}/items/{key}/history/{entryId}/diff`: what a change did to the description.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;
use svc_api::tracker::TextDiff;
use svc_app::App;
use svc_app::tracker::history;
use svc_domain::ids::{ItemKey, OrgSlug};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

/// `/orgs/{slug}/items/{key}/history/{entryId}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EntryPath {
    /// Slug of the organization.
    #[schemars(with = "String")]
    slug: OrgSlug,
    /// Key of the item, such as `PRJ-12`.
    #[schemars(with = "String")]
    #[serde(deserialize_with = "svc_http::paths::in_capitals")]
    key: ItemKey,
    /// Id of the history entry.
    entry_id: String,
}

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(EntryPath { slug, key, entry_id }): Path<EntryPath>,
) -> ApiResult<Json<TextDiff>> {
    let change = history::text_change(&app, caller.at(&slug), &key, &entry_id).await?;
    Ok(Json(view::text_diff(change).await?))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "diffItemDescription",
        "Items",
        "View a change of the description",
        "For history entries with `hasDiff`; other entries answer 404.",
    )
}
