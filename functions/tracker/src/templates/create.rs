//! `POST …/projects/{key}/templates`: makes a ticket template.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{NewTemplate, Template};
use svc_app::App;
use svc_app::tracker::templates;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectPath;
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, Created, Path};
use svc_present::tracker::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(new): Body<NewTemplate>,
) -> ApiResult<Created<Template>> {
    let new = read::new_template(new)?;
    let template = templates::create(&app, caller.at(&path.slug), &path.key, &new).await?;
    Ok(Created(view::template(template)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    operation(op, "createTemplate", "Projects", "Create a ticket template", "For Admins of the project.")
}
