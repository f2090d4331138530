//! `GET /admin/accounts`: the accounts of the instance.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::Page;
use svc_api::administration::{Account, AdminListQuery};
use svc_app::{App, administration};
use svc_http::{ApiResult, Caller, Json, Paging, Query};
use svc_present::administration as view;

use super::{administers, by};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(query): Query<AdminListQuery>,
) -> ApiResult<Json<Page<Account>>> {
    let paging = Paging::clamp(query.page, query.page_size);
    let (search, size) = (query.q.unwrap_or_default(), paging.page_size as usize);
    let found = administration::accounts(&app, by(&caller), &search, paging.offset(), size).await?;
    Ok(Json(paging.of(found.items.into_iter().map(view::account).collect(), found.total as u64)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Members of all organizations, by address. An account that belongs to no organization is found by its whole address.";
    administers(op, "listAccounts", "List accounts", description)
}
