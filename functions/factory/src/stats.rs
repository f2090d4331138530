//! `GET /orgs/{slug}/factory-stats`: numbers of the factory.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{FactoryStats, StatsQuery};
use svc_app::App;
use svc_app::factory::stats;
use svc_http::doc::{operation, refuses};
use svc_http::paths::OrgPath;
use svc_http::problems::FACTORY_NOT_PERMITTED;
use svc_http::{ApiResult, Caller, Path, Query, SteadyJson};
use svc_present::factory::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Query(query): Query<StatsQuery>,
) -> ApiResult<SteadyJson<FactoryStats>> {
    let query = read::stats_query(&query)?;
    let stats = stats::stats(&app, caller.at(&path.slug), &query).await?;
    let stats = view::stats(stats);
    // They go on with the clock where the query names no end.
    let period = vec![stats.from.to_string(), stats.until.to_string()];
    Ok(SteadyJson(stats, period))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED]);
    operation(
        op,
        "factoryStats",
        "Runs",
        "View factory statistics",
        "For factory operators: how the runs in a period ended, how long they waited and worked, and their cost and \
        tokens, in total and by day, project, agent, playbook, harness or model, and by week within each. Covers the \
        projects whose factory the caller may see.",
    )
}
