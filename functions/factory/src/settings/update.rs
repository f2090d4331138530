//! `PATCH …/factory-settings`: changes the factory settings of a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{FactorySettings, UpdateFactorySettings};
use svc_app::App;
use svc_app::factory::project_settings::{self, SettingsEdit};
use svc_domain::refusal::Refusal;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Body, Caller, Json, Path};

use crate::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(change): Body<UpdateFactorySettings>,
) -> ApiResult<Json<FactorySettings>> {
    let edit = SettingsEdit {
        version: change.version,
        path_hint: change.path_hint.into_option(),
        default_branch: change.default_branch,
        default_agent: read("defaultAgent", change.default_agent.into_option())?,
        default_playbook: read("defaultPlaybook", change.default_playbook.into_option())?,
    };
    let settings = project_settings::update(&app, caller.presented(), &path.slug, &path.key, &edit).await?;
    Ok(Json(view::settings(settings)))
}

fn read<Id: std::str::FromStr>(
    field: &str,
    wanted: Option<Option<String>>,
) -> Result<Option<Option<Id>>, Refusal> {
    let id = |text: String| text.parse().map_err(|_| Refusal::invalid(field, "This is not an id."));
    wanted.map(|wanted| wanted.map(id).transpose()).transpose()
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "updateFactorySettings",
        "Factory settings",
        "Change factory settings",
        "For Admins of the project.",
    )
}
