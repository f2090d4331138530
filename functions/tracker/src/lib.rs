//! The tracker's API: projects, workflows, teams, sprints, items, claims, comments and history.
//!
//! Owns addresses, what goes in and out, and the documentation. Decides nothing: each handler calls one use
//! case of `svc_app::tracker`.

mod activity;
mod attachments;
mod board;
mod changes;
mod comments;
mod intakes;
mod items;
mod labels;
mod milestones;
mod org_changes;
mod org_views;
mod projects;
mod relations;
mod render;
mod sprints;
mod teams;
mod templates;
mod views;
mod workflow;

use aide::axum::routing::{delete_with, get_with, patch_with, post_with, put_with};
use axum::Extension;
use svc_http::{ApiRouter, BodyLimit};
use svc_import::exports::MAX_EXPORT_BODY;

/// The routes of this area, relative to `/api/v1`.
pub fn router() -> ApiRouter {
    of_projects()
        .merge(of_exports())
        .merge(of_settings())
        .merge(of_items())
        .merge(of_comments())
        .merge(of_relations())
        .merge(of_teams())
        .merge(of_sprints())
        .merge(attachments::router())
        .merge(of_intakes())
}

fn of_intakes() -> ApiRouter {
    ApiRouter::new()
        .api_route(
            "/orgs/{slug}/projects/{key}/intakes",
            get_with(intakes::list::handler, intakes::list::docs)
                .post_with(intakes::create::handler, intakes::create::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/intakes/{id}",
            patch_with(intakes::update::handler, intakes::update::docs)
                .delete_with(intakes::delete::handler, intakes::delete::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/intakes/{id}/rotate",
            post_with(intakes::rotate::handler, intakes::rotate::docs),
        )
        .api_route("/intake/{address}", post_with(intakes::receive::handler, intakes::receive::docs))
}

fn of_projects() -> ApiRouter {
    ApiRouter::new()
        .api_route("/orgs/{slug}/activity", get_with(activity::handler, activity::docs))
        .api_route("/orgs/{slug}/changes", get_with(org_changes::since::handler, org_changes::since::docs))
        .api_route(
            "/orgs/{slug}/views",
            get_with(org_views::list::handler, org_views::list::docs)
                .post_with(org_views::create::handler, org_views::create::docs),
        )
        .api_route(
            "/orgs/{slug}/views/{viewId}",
            patch_with(org_views::update::handler, org_views::update::docs)
                .delete_with(org_views::delete::handler, org_views::delete::docs),
        )
        .api_route("/orgs/{slug}/stream", get_with(org_changes::stream::handler, org_changes::stream::docs))
        .api_route(
            "/orgs/{slug}/projects",
            get_with(projects::list::handler, projects::list::docs)
                .post_with(projects::create::handler, projects::create::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}",
            get_with(projects::get::handler, projects::get::docs)
                .patch_with(projects::update::handler, projects::update::docs)
                .delete_with(projects::delete::handler, projects::delete::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/restore",
            post_with(projects::restore::handler, projects::restore::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/export",
            get_with(projects::export::handler, projects::export::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/import",
            post_with(projects::import::handler, projects::import::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/workflow",
            get_with(workflow::get::handler, workflow::get::docs)
                .put_with(workflow::set::handler, workflow::set::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/items",
            get_with(items::list::handler, items::list::docs)
                .post_with(items::create::handler, items::create::docs),
        )
}

/// Exports of other trackers are larger than what other routes take.
fn of_exports() -> ApiRouter {
    ApiRouter::new()
        .api_route(
            "/orgs/{slug}/projects/{key}/import/preview",
            post_with(projects::import_preview::handler, projects::import_preview::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/import/files",
            post_with(projects::import_files::handler, projects::import_files::docs),
        )
        .layer(Extension(BodyLimit(MAX_EXPORT_BODY)))
}

fn of_settings() -> ApiRouter {
    let under = |name: &str| format!("/orgs/{{slug}}/projects/{{key}}/{name}");
    ApiRouter::new()
        .api_route(
            &under("labels"),
            get_with(labels::list::handler, labels::list::docs)
                .post_with(labels::create::handler, labels::create::docs),
        )
        .api_route(
            &under("labels/{name}"),
            patch_with(labels::update::handler, labels::update::docs)
                .delete_with(labels::delete::handler, labels::delete::docs),
        )
        .api_route(
            &under("templates"),
            get_with(templates::list::handler, templates::list::docs)
                .post_with(templates::create::handler, templates::create::docs),
        )
        .api_route(
            &under("templates/{id}"),
            patch_with(templates::update::handler, templates::update::docs)
                .delete_with(templates::delete::handler, templates::delete::docs),
        )
        .api_route(
            &under("milestones"),
            get_with(milestones::list::handler, milestones::list::docs)
                .post_with(milestones::create::handler, milestones::create::docs),
        )
        .api_route(
            &under("milestones/{id}"),
            get_with(milestones::get::handler, milestones::get::docs)
                .patch_with(milestones::update::handler, milestones::update::docs)
                .delete_with(milestones::delete::handler, milestones::delete::docs),
        )
        .api_route(
            "/orgs/{slug}/project-overviews",
            get_with(projects::overviews::handler, projects::overviews::docs),
        )
        .api_route(&under("stats"), get_with(projects::stats::handler, projects::stats::docs))
        .api_route(
            &under("views"),
            get_with(views::list::handler, views::list::docs)
                .post_with(views::create::handler, views::create::docs),
        )
        .api_route(
            &under("views/{id}"),
            patch_with(views::update::handler, views::update::docs)
                .delete_with(views::delete::handler, views::delete::docs),
        )
        .api_route(&under("items/bulk"), post_with(items::bulk::handler, items::bulk::docs))
        .api_route(&under("board"), get_with(board::handler, board::docs))
        .api_route(&under("changes"), get_with(changes::since::handler, changes::since::docs))
        .api_route(&under("changes/stream"), get_with(changes::stream::handler, changes::stream::docs))
}

fn of_items() -> ApiRouter {
    let under = |name: &str| format!("/orgs/{{slug}}/items/{{key}}/{name}");
    ApiRouter::new()
        .api_route("/orgs/{slug}/render", post_with(render::handler, render::docs))
        .api_route(&under("tasks/{number}"), post_with(items::set_task::handler, items::set_task::docs))
        .api_route("/orgs/{slug}/items", get_with(items::of_org::handler, items::of_org::docs))
        .api_route(
            "/orgs/{slug}/items/counts",
            get_with(items::counts_of_org::handler, items::counts_of_org::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/items/counts",
            get_with(items::counts::handler, items::counts::docs),
        )
        .api_route(
            "/orgs/{slug}/items/{key}",
            get_with(items::get::handler, items::get::docs)
                .patch_with(items::update::handler, items::update::docs)
                .delete_with(items::delete::handler, items::delete::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/items.csv",
            get_with(items::export::handler, items::export::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/deleted-items",
            get_with(items::deleted::handler, items::deleted::docs),
        )
        .api_route(&under("restore"), post_with(items::restore::handler, items::restore::docs))
        .api_route(&under("transfer"), post_with(items::transfer::handler, items::transfer::docs))
        .api_route(&under("page"), get_with(items::page::handler, items::page::docs))
        .api_route(&under("history"), get_with(items::history::handler, items::history::docs))
        .api_route(
            &under("history/{entryId}/diff"),
            get_with(items::history_diff::handler, items::history_diff::docs),
        )
        .api_route(&under("move"), post_with(items::move_item::handler, items::move_item::docs))
        .api_route(&under("transition"), post_with(items::transition::handler, items::transition::docs))
        .api_route(&under("claim"), post_with(items::claim::handler, items::claim::docs))
        .api_route(&under("release"), post_with(items::release::handler, items::release::docs))
        .api_route(&under("heartbeat"), post_with(items::heartbeat::handler, items::heartbeat::docs))
}

fn of_relations() -> ApiRouter {
    let under = |name: &str| format!("/orgs/{{slug}}/items/{{key}}/{name}");
    ApiRouter::new()
        .api_route(
            &under("links"),
            get_with(relations::links::handler, relations::links::docs)
                .post_with(relations::link::handler, relations::link::docs)
                .delete_with(relations::unlink::handler, relations::unlink::docs),
        )
        .api_route(
            &under("subtasks"),
            get_with(relations::children::handler, relations::children::docs)
                .post_with(relations::subtask::handler, relations::subtask::docs),
        )
        .api_route(
            &under("watch"),
            put_with(relations::watch::handler, relations::watch::docs)
                .delete_with(relations::unwatch::handler, relations::unwatch::docs),
        )
        .api_route(&under("watchers"), get_with(relations::watchers::handler, relations::watchers::docs))
}

fn of_teams() -> ApiRouter {
    ApiRouter::new()
        .api_route(
            "/orgs/{slug}/projects/{key}/teams",
            get_with(teams::list::handler, teams::list::docs)
                .post_with(teams::create::handler, teams::create::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/teams/{team}",
            get_with(teams::get::handler, teams::get::docs)
                .patch_with(teams::update::handler, teams::update::docs)
                .delete_with(teams::delete::handler, teams::delete::docs),
        )
}

fn of_sprints() -> ApiRouter {
    let under = |name: &str| format!("/orgs/{{slug}}/sprints/{{id}}/{name}");
    ApiRouter::new()
        .api_route(
            "/orgs/{slug}/projects/{key}/sprints",
            get_with(sprints::list::handler, sprints::list::docs)
                .post_with(sprints::create::handler, sprints::create::docs),
        )
        .api_route(
            "/orgs/{slug}/sprints/{id}",
            get_with(sprints::get::handler, sprints::get::docs)
                .patch_with(sprints::update::handler, sprints::update::docs)
                .delete_with(sprints::delete::handler, sprints::delete::docs),
        )
        .api_route(&under("start"), post_with(sprints::start::handler, sprints::start::docs))
        .api_route(&under("complete"), post_with(sprints::complete::handler, sprints::complete::docs))
        .api_route(&under("taskboard"), get_with(sprints::taskboard::handler, sprints::taskboard::docs))
        .api_route(&under("burndown"), get_with(sprints::burndown::handler, sprints::burndown::docs))
}

fn of_comments() -> ApiRouter {
    let comments = "/orgs/{slug}/items/{key}/comments";
    ApiRouter::new()
        .api_route(
            comments,
            get_with(comments::list::handler, comments::list::docs)
                .post_with(comments::create::handler, comments::create::docs),
        )
        .api_route(
            &format!("{comments}/{{commentId}}"),
            get_with(comments::get::handler, comments::get::docs)
                .patch_with(comments::edit::handler, comments::edit::docs)
                .delete_with(comments::delete::handler, comments::delete::docs),
        )
        .api_route(
            &format!("{comments}/{{commentId}}/edits"),
            get_with(comments::edits::handler, comments::edits::docs),
        )
        .api_route(
            &format!("{comments}/{{commentId}}/edits/{{version}}/diff"),
            get_with(comments::edit_diff::handler, comments::edit_diff::docs),
        )
        .api_route(
            &format!("{comments}/{{commentId}}/reactions"),
            put_with(comments::react::handler, comments::react::docs),
        )
        .api_route(
            &format!("{comments}/{{commentId}}/reactions/{{emoji}}"),
            delete_with(comments::unreact::handler, comments::unreact::docs),
        )
}
