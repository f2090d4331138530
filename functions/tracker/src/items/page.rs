//! `GET /orgs/{slug}/items/{key}/page`: all that a page about an item shows.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use futures::try_join;
use svc_api::rendered::{RenderQuery, Rendered};
use svc_api::tracker::{Item, ItemPage};
use svc_app::App;
use svc_app::tracker::list::ListedItem;
use svc_app::tracker::opened::{self, OpenedItem, Parts};
use svc_http::doc::operation;
use svc_http::paths::ItemPath;
use svc_http::{ApiResult, Caller, Json, Paging, Path, Query};
use svc_present::{Renderer, factory, tracker::view};

/// Parts of the page, as one asks for them alone.
const COMMENTS: Paging = Paging { page: 1, page_size: 100 };
const HISTORY: Paging = Paging { page: 1, page_size: 50 };
const RUNS: Paging = Paging { page: 1, page_size: 20 };
const SUBTASKS: Paging = Paging { page: 1, page_size: 100 };

const PARTS: Parts = Parts {
    comments: COMMENTS.page_size as usize,
    history: HISTORY.page_size as usize,
    runs: RUNS.page_size as usize,
    subtasks: SUBTASKS.page_size,
};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Query(query): Query<RenderQuery>,
) -> ApiResult<Json<ItemPage<view::ListEntry>>> {
    let (at, key) = (caller.at(&path.slug), &path.key);
    let show = |listed: ListedItem<'_>| view::listed(&key.project, listed);
    let (item, renderer) =
        try_join!(opened::open(&app, at, key, PARTS, show), Renderer::wanted(&app, at, query))?;
    let OpenedItem { comments: (comments, commented), history: (lines, told), runs: (runs, ran), .. } = item;
    let texts = comments.iter().map(|comment| comment.comment.body.as_str());
    let texts = std::iter::once(item.details.item.body.as_str()).chain(texts);
    let mut rendered = renderer.all(texts).await?.into_iter();
    let html = rendered.next().flatten();
    let comments = comments.into_iter().zip(rendered);
    let comments = comments.map(|(comment, html)| Rendered { of: view::comment(comment), html });
    let can = view::can(item.can);
    let of = Item { can: Some(can), ..view::item(item.details) };
    Ok(Json(ItemPage {
        item: Rendered { of, html },
        can,
        moves: item.moves.into_iter().map(view::state).collect(),
        comments: COMMENTS.of(comments.collect(), commented),
        history: HISTORY.of(lines.into_iter().map(view::history).collect(), told),
        runs: RUNS.of(runs.into_iter().map(factory::view::run).collect(), ran),
        subtasks: SUBTASKS
            .of(item.subtasks.items.into_iter().map(view::ListEntry).collect(), item.subtasks.total),
        hidden_links: item.links.hidden,
        links: item.links.links.into_iter().map(view::item_link).collect(),
        watchers: item.watchers.iter().map(view::actor).collect(),
    }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "getItemPage",
        "Items",
        "View an item with its details",
        "In one answer: the item, what the caller may do with it, the states that it may move to, and the first of \
        its comments, history, runs, subtasks, links to other items and watchers. Each list has its own address for \
        more entries. `render=html` adds HTML to the description and the comments.",
    )
}
