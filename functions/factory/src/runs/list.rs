//! `GET …/runs`: the runs of an organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::Page;
use svc_api::factory::{Run, RunQuery};
use svc_app::App;
use svc_app::factory::runs::{self, RunFilter};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Json, Paging, Path, Query};

use super::slice;
use crate::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Query(query): Query<RunQuery>,
) -> ApiResult<Json<Page<Run>>> {
    let paging = Paging::clamp(query.page, query.page_size);
    let filter = filter(&query)?;
    let (runs, total) = runs::list(&app, caller.at(&path.slug), &filter, slice(paging)).await?;
    Ok(Json(paging.of(runs.into_iter().map(view::run).collect(), total)))
}

fn filter(query: &RunQuery) -> Result<RunFilter, Refusal> {
    let mut errors = FieldErrors::default();
    let filter = RunFilter {
        project: read("project", query.project.as_deref(), &mut errors),
        status: read("status", query.status.as_deref(), &mut errors),
        agent: read("agent", query.agent.as_deref(), &mut errors),
        item: read("item", query.item.as_deref(), &mut errors),
    };
    errors.into_result()?;
    Ok(filter)
}

fn read<T: std::str::FromStr<Err: std::fmt::Display>>(
    field: &str,
    text: Option<&str>,
    errors: &mut FieldErrors,
) -> Option<T> {
    text?.parse().map_err(|error| errors.add(field, format!("{error}."))).ok()
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listRuns",
        "Runs",
        "List runs",
        "Newest first; those whose items the caller can see. `status` is one of the run states.",
    )
}
