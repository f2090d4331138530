//! `GET …/projects/{key}/board`: all cards of a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::Board;
use svc_app::App;
use svc_app::tracker::board;
use svc_app::tracker::list::ListedItem;
use svc_domain::feed::read_part;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, Path, SteadyJson};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
) -> ApiResult<SteadyJson<Board<view::ListEntry>>> {
    let show = |listed: ListedItem<'_>| view::listed(&path.key, listed);
    let board = board::board(&app, caller.at(&path.slug), &path.key, show).await?;
    let read_at = read_part(&board.cursor).to_owned();
    Ok(SteadyJson(view::board(board), vec![read_at]))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "getBoard",
        "Items",
        "View the board of a project",
        "The workflow and every item by rank, without descriptions, in one answer: draw it, then follow \
         `changes` or `changes/stream` from `cursor`. A board has at most 10,000 cards. For a larger project \
         it leaves out the closed items, and `itemCount` counts them too.",
    )
}
