//! `GET /orgs/{slug}/views`: the saved views of an organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::SavedView;
use svc_app::App;
use svc_app::tracker::views::{self, ViewsOf};
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
) -> ApiResult<Json<Vec<SavedView>>> {
    let views = views::list(&app, caller.at(&path.slug), ViewsOf::Organization).await?;
    Ok(Json(views.into_iter().map(view::saved_view).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listOrgViews",
        "Organizations",
        "List saved views of an organization",
        "Your own views of the organization's items, then those that are shared, each in the order in which they were \
        created. To list the items of a view, send its `filter`, `q` and `sort` to the organization's list of items. \
        Guests see only their own.",
    )
}
