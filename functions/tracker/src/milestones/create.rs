//! `POST …/projects/{key}/milestones`: makes a milestone.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Milestone, NewMilestone};
use svc_app::App;
use svc_app::tracker::milestones;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectPath;
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, Created, Path};
use svc_present::tracker::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(new): Body<NewMilestone>,
) -> ApiResult<Created<Milestone>> {
    let new = read::new_milestone(new);
    let milestone = milestones::create(&app, caller.at(&path.slug), &path.key, &new).await?;
    Ok(Created(view::milestone(milestone)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    operation(
        op,
        "createMilestone",
        "Milestones",
        "Create a milestone",
        "For everyone in the project except Guests and agents.",
    )
}
