//! `GET …/runs/{id}/log`: the log of a run.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{LogPage, LogQuery};
use svc_app::App;
use svc_app::factory::log::{self, Window};
use svc_http::doc::{operation, refuses};
use svc_http::problems::FACTORY_NOT_PERMITTED;
use svc_http::{ApiResult, Caller, Json, Path, Query};
use svc_present::factory::view;

use super::RunAddress;

pub(crate) async fn handler<P: RunAddress>(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<P>,
    Query(query): Query<LogQuery>,
) -> ApiResult<Json<LogPage>> {
    let LogQuery { after, before, tail, limit } = query;
    let window = Window { after, before, tail, limit };
    let page = log::read(&app, caller.credential(), path.org(), path.run(), window).await?;
    Ok(Json(view::log(page)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED]);
    operation(
        op,
        "getRunLog",
        "Runs",
        "Read the log of a run",
        "For factory operators; others who see the item get 403. Repeat with `after = nextAfter` until the \
         run is over and no entries come. `tail` returns the last entries, and `before` returns the entries before a \
         given one. If they do not fit into one response, the earliest are left out: ask again with `before`.",
    )
}
