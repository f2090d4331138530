//! `PUT …/projects/{key}/wiki/access/{path}`: changes who may read and edit a page.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::wiki::{PageAccess, SetPageAccess};
use svc_app::{App, wiki};
use svc_http::doc::operation;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::wiki::{read, view};

use crate::path::PagePath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(at): Path<PagePath>,
    Body(set): Body<SetPageAccess>,
) -> ApiResult<Json<PageAccess>> {
    let wanted = read::access(set).map_err(svc_app::Error::from)?;
    let access = wiki::set_access(&app, caller.at(&at.slug), &at.key, &at.path, &wanted).await?;
    Ok(Json(view::access(access)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "setWikiPageAccess",
        "Wiki",
        "Change a page's access rules",
        "The rules apply to the page and the pages below it. The change counts as a version of the page. \
         Admins of the project and Owners and Admins of the organization can always read and edit, and only \
         they change access. A person who cannot read a playbook's page cannot start a run from it.",
    )
}
