//! `GET /admin/orgs`: the organizations of the instance.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::Page;
use svc_api::administration::{AdminListQuery, InstanceOrganization};
use svc_app::{App, administration};
use svc_http::{ApiResult, Caller, Json, Paging, Query};
use svc_present::administration as view;

use super::{administers, by};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(query): Query<AdminListQuery>,
) -> ApiResult<Json<Page<InstanceOrganization>>> {
    let paging = Paging::clamp(query.page, query.page_size);
    let (search, size) = (query.q.unwrap_or_default(), paging.page_size as usize);
    let found = administration::orgs(&app, by(&caller), &search, paging.offset(), size).await?;
    Ok(Json(paging.of(found.items.into_iter().map(view::org).collect(), found.total as u64)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "By slug, with owners and what they hold, and nothing of what people write in them.";
    administers(op, "listInstanceOrganizations", "List all organizations", description)
}
