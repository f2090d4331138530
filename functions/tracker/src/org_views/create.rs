//! `POST /orgs/{slug}/views`: saves a view of an organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{NewView, SavedView};
use svc_app::App;
use svc_app::tracker::views::{self, ViewsOf};
use svc_http::doc::{operation, refuses};
use svc_http::paths::OrgPath;
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, Created, Path};
use svc_present::tracker::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Body(new): Body<NewView>,
) -> ApiResult<Created<SavedView>> {
    let new = read::new_view(new)?;
    let made = views::create(&app, caller.at(&path.slug), ViewsOf::Organization, &new).await?;
    Ok(Created(view::saved_view(made)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    operation(
        op,
        "createOrgView",
        "Organizations",
        "Save a view of an organization",
        "Only you see a view, unless you share it with the organization's people. Guests can neither share views nor \
        see shared ones, and agents cannot save them. A person has at most 50 views of an organization, and an \
        organization at most 50 shared views. A view lists nothing that its reader does not see.",
    )
}
