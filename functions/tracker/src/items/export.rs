//! `GET …/projects/{key}/items.csv`: the items of a project as a table.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::ExportQuery;
use svc_app::tracker::list::{self, ListItems};
use svc_app::{App, heavy};
use svc_http::content::Table;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, Path, Query};
use svc_present::tracker::{csv, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Query(query): Query<ExportQuery>,
) -> ApiResult<Table> {
    let ExportQuery { filter, q, sort, time_zone } = query;
    let wanted = ListItems { filter, q, sort, time_zone, ..ListItems::default() };
    let place = heavy::table().await?;
    let caller = caller.at(&path.slug);
    let (items, names) = list::whole(&app, caller, &path.key, wanted, view::listed).await?;
    let bytes = items.iter().map(|item| item.get().len()).sum();
    let table = heavy::on_texts(bytes, move || csv::items(&items, &names)).await?;
    Ok(Table::named(&format!("{}-items.csv", path.key), table.unwrap_or_default(), place))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "exportItems",
        "Items",
        "Export items as CSV",
        "The matching items as comma-separated values with a header line, for spreadsheets; at most 10,000. Sprints \
         and milestones appear by name. Text that a spreadsheet would run as a formula begins with an apostrophe.",
    )
}
