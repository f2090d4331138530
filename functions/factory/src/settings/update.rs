//! `PATCH …/factory-settings`: changes the factory settings of a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{FactorySettings, UpdateFactorySettings};
use svc_app::App;
use svc_app::factory::project_settings::{self, SettingsEdit};
use svc_domain::code_host::{BadRepositoryName, RepositoryName};
use svc_domain::refusal::Refusal;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectPath;
use svc_http::problems::{CONFLICT, UNAVAILABLE};
use svc_http::{ApiResult, Body, Caller, Json, Path, words};

use crate::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(change): Body<UpdateFactorySettings>,
) -> ApiResult<Json<FactorySettings>> {
    let edit = SettingsEdit {
        version: change.version,
        repository_source: change.repository_source.map(words::read_repository_source).transpose()?,
        repository: change.repository.map(repository).transpose()?,
        path_hint: change.path_hint.into_option(),
        default_branch: change.default_branch,
        default_agent: read("defaultAgent", change.default_agent.into_option())?,
        default_playbook: read("defaultPlaybook", change.default_playbook.into_option())?,
    };
    let settings = project_settings::update(&app, caller.at(&path.slug), &path.key, &edit).await?;
    Ok(Json(view::settings(settings)))
}

fn repository(text: String) -> Result<RepositoryName, Refusal> {
    text.parse().map_err(|why: BadRepositoryName| Refusal::invalid("repository", why.to_string()))
}

fn read<Id: std::str::FromStr>(
    field: &str,
    wanted: Option<Option<String>>,
) -> Result<Option<Option<Id>>, Refusal> {
    let id = |text: String| text.parse().map_err(|_| Refusal::invalid(field, "This is not an id."));
    wanted.map(|wanted| wanted.map(id).transpose()).transpose()
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[CONFLICT, UNAVAILABLE]);
    operation(
        op,
        "updateFactorySettings",
        "Factory settings",
        "Change factory settings",
        "For Admins of the project. With `repositorySource: codeHost` runs clone the `repository` that the \
         organization's connection with the code host covers (503 while the host does not answer); without, they \
         work from a clone on the runner's machine.",
    )
}
