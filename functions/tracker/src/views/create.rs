//! `POST …/projects/{key}/views`: saves a view.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{NewView, SavedView};
use svc_app::App;
use svc_app::tracker::views::{self, ViewsOf};
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectPath;
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, Created, Path};
use svc_present::tracker::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(new): Body<NewView>,
) -> ApiResult<Created<SavedView>> {
    let new = read::new_view(new)?;
    let made = views::create(&app, caller.at(&path.slug), ViewsOf::Project(&path.key), &new).await?;
    Ok(Created(view::saved_view(made)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    operation(
        op,
        "createView",
        "Projects",
        "Save a view",
        "Only you see a view, unless you share it. Guests cannot share views, and agents cannot save them. A person \
        has \
         at most 50 views of a project, and a project at most 50 shared views.",
    )
}
