//! `GET …/rule-firings`: what the rules of a project did.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::Page;
use svc_api::factory::{FiringQuery, RuleFiring};
use svc_api::page::PageQuery;
use svc_app::App;
use svc_app::factory::rules;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectPath;
use svc_http::problems::FACTORY_NOT_PERMITTED;
use svc_http::{ApiResult, Caller, Json, Paging, Path, Query};
use svc_present::factory::{read, view};

use crate::runs::slice;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Query(query): Query<FiringQuery>,
) -> ApiResult<Json<Page<RuleFiring>>> {
    let rule = read::firing_rule(&query)?;
    let paging = Paging::from(PageQuery { page: query.page, page_size: query.page_size });
    let (firings, total) =
        rules::firings(&app, caller.at(&path.slug), &path.key, rule, slice(paging)).await?;
    Ok(Json(paging.of(firings.into_iter().map(view::firing).collect(), total)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED]);
    operation(
        op,
        "listRuleFirings",
        "Rules",
        "List rule firings",
        "Newest first, of the last 90 days: the run that a rule started, or why it started none.",
    )
}
