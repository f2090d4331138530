//! `POST …/projects/{key}/labels`: defines a label.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Label, NewLabel};
use svc_app::App;
use svc_app::tracker::labels;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectPath;
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, Created, Path};
use svc_present::tracker::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(new): Body<NewLabel>,
) -> ApiResult<Created<Label>> {
    let new = read::new_label(new);
    let label = labels::create(&app, caller.at(&path.slug), &path.key, &new).await?;
    Ok(Created(view::label(label)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    operation(
        op,
        "createLabel",
        "Projects",
        "Define a label",
        "For Admins of the project. Items may carry undefined labels; defining a label gives it a colour and a \
        description.",
    )
}
