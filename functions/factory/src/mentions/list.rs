//! `GET …/items/{key}/mentions`: what mentions of agents asked for.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::AgentMention;
use svc_app::App;
use svc_app::factory::mentions;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ItemPath;
use svc_http::problems::FACTORY_NOT_PERMITTED;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::factory::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
) -> ApiResult<Json<Vec<AgentMention>>> {
    let mentions = mentions::list(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(mentions.into_iter().map(view::mention).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED]);
    operation(
        op,
        "listAgentMentions",
        "Runs",
        "List mentions of agents",
        "The mentions of agents in the item's comments that request runs, oldest first: the run that each started, \
        what it waits for, or why it started none. For factory operators.",
    )
}
