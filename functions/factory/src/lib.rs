//! The factory's API for people: agents, runners, playbooks, settings, runs and their logs.
//!
//! Owns addresses, what goes in and out, and the documentation. Decides nothing: each handler calls one use
//! case of `svc_app::factory`.

mod agents;
mod budgets;
mod code_host;
mod mentions;
mod playbooks;
mod refinement;
mod refinement_settings;
mod rules;
mod runners;
mod runs;
mod schedules;
mod settings;
mod stats;

use aide::axum::routing::{get_with, patch_with, post_with, put_with};
use svc_domain::ids::RunId;
use svc_http::ApiRouter;
use svc_http::paths::{OrgIdPath, RunPath};

use runs::by_id_alone;

/// Address of a run under its organization.
type UnderOrg = OrgIdPath<RunId>;

/// The routes of this area, relative to `/api/v1`.
pub fn router() -> ApiRouter {
    ApiRouter::new()
        .merge(workforce())
        .merge(host())
        .merge(project())
        .merge(schedule())
        .merge(run())
        .merge(mention())
        .merge(refine())
}

/// Agents and runners of an organization.
fn workforce() -> ApiRouter {
    ApiRouter::new()
        .api_route(
            "/orgs/{slug}/agents",
            get_with(agents::list::handler, agents::list::docs)
                .post_with(agents::create::handler, agents::create::docs),
        )
        .api_route(
            "/orgs/{slug}/agents/{id}",
            patch_with(agents::update::handler, agents::update::docs)
                .delete_with(agents::delete::handler, agents::delete::docs),
        )
        .api_route(
            "/orgs/{slug}/agents/{id}/restore",
            post_with(agents::restore::handler, agents::restore::docs),
        )
        .api_route(
            "/orgs/{slug}/runners",
            get_with(runners::list::handler, runners::list::docs)
                .post_with(runners::create::handler, runners::create::docs),
        )
        .api_route(
            "/orgs/{slug}/runners/{id}",
            patch_with(runners::update::handler, runners::update::docs)
                .delete_with(runners::delete::handler, runners::delete::docs),
        )
        .api_route(
            "/orgs/{slug}/runners/{id}/rotate",
            post_with(runners::rotate::handler, runners::rotate::docs),
        )
}

/// The organization's connection with the code host.
fn host() -> ApiRouter {
    ApiRouter::new()
        .api_route(
            "/orgs/{slug}/code-host",
            get_with(code_host::get::handler, code_host::get::docs)
                .post_with(code_host::connect::handler, code_host::connect::docs)
                .delete_with(code_host::disconnect::handler, code_host::disconnect::docs),
        )
        .api_route(
            "/orgs/{slug}/code-host/webhook",
            post_with(code_host::create_webhook::handler, code_host::create_webhook::docs)
                .delete_with(code_host::delete_webhook::handler, code_host::delete_webhook::docs),
        )
        .api_route(
            "/code-host/deliveries/{address}",
            post_with(code_host::deliver::handler, code_host::deliver::docs),
        )
        .api_route("/code-host/callback", get_with(code_host::callback::handler, code_host::callback::docs))
}

/// Playbooks, rules and settings of a project.
fn project() -> ApiRouter {
    ApiRouter::new()
        .api_route(
            "/orgs/{slug}/projects/{key}/playbooks",
            get_with(playbooks::list::handler, playbooks::list::docs)
                .post_with(playbooks::create::handler, playbooks::create::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/playbooks/{id}",
            get_with(playbooks::get::handler, playbooks::get::docs)
                .patch_with(playbooks::update::handler, playbooks::update::docs)
                .delete_with(playbooks::delete::handler, playbooks::delete::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/playbooks/{id}/restore",
            post_with(playbooks::restore::handler, playbooks::restore::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/rules",
            get_with(rules::list::handler, rules::list::docs)
                .post_with(rules::create::handler, rules::create::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/rules/{id}",
            patch_with(rules::update::handler, rules::update::docs)
                .delete_with(rules::delete::handler, rules::delete::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/rule-firings",
            get_with(rules::firings::handler, rules::firings::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/factory-settings",
            get_with(settings::get::handler, settings::get::docs)
                .patch_with(settings::update::handler, settings::update::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/refinement-settings",
            get_with(refinement_settings::get::handler, refinement_settings::get::docs)
                .patch_with(refinement_settings::update::handler, refinement_settings::update::docs),
        )
}

/// Recurring schedules of a project.
fn schedule() -> ApiRouter {
    ApiRouter::new()
        .api_route(
            "/orgs/{slug}/projects/{key}/schedules",
            get_with(schedules::list::handler, schedules::list::docs)
                .post_with(schedules::create::handler, schedules::create::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/schedules/{id}",
            get_with(schedules::get::handler, schedules::get::docs)
                .patch_with(schedules::update::handler, schedules::update::docs)
                .delete_with(schedules::delete::handler, schedules::delete::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/schedules/{id}/fire",
            post_with(schedules::fire::handler, schedules::fire::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/schedules/{id}/firings",
            get_with(schedules::firings::handler, schedules::firings::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/schedule-preview",
            post_with(schedules::preview::handler, schedules::preview::docs),
        )
}

/// The refinement of an item.
fn refine() -> ApiRouter {
    ApiRouter::new()
        .api_route(
            "/orgs/{slug}/items/{key}/refinement",
            get_with(refinement::get::handler, refinement::get::docs)
                .post_with(refinement::start::handler, refinement::start::docs),
        )
        .api_route(
            "/orgs/{slug}/items/{key}/refinement/answers",
            post_with(refinement::answer::handler, refinement::answer::docs),
        )
        .api_route(
            "/orgs/{slug}/items/{key}/refinement/changes",
            post_with(refinement::changes::handler, refinement::changes::docs),
        )
        .api_route(
            "/orgs/{slug}/items/{key}/refinement/confirm",
            post_with(refinement::confirm::handler, refinement::confirm::docs),
        )
        .api_route(
            "/orgs/{slug}/items/{key}/refinement/submission",
            put_with(refinement::submit::handler, refinement::submit::docs),
        )
}

/// Mentions of agents on an item.
fn mention() -> ApiRouter {
    ApiRouter::new()
        .api_route(
            "/orgs/{slug}/items/{key}/mentions",
            get_with(mentions::list::handler, mentions::list::docs),
        )
        .api_route(
            "/orgs/{slug}/items/{key}/mentions/preview",
            post_with(mentions::preview::handler, mentions::preview::docs),
        )
}

/// Runs, by their short and their organization-scoped addresses.
fn run() -> ApiRouter {
    ApiRouter::new()
        .api_route(
            "/orgs/{slug}/items/{key}/runs",
            get_with(runs::list_of_item::handler, runs::list_of_item::docs)
                .post_with(runs::start::handler, runs::start::docs),
        )
        .api_route(
            "/orgs/{slug}/items/{key}/runs/preview",
            post_with(runs::preview::handler, runs::preview::docs),
        )
        .api_route(
            "/orgs/{slug}/budgets",
            get_with(budgets::get::handler, budgets::get::docs)
                .patch_with(budgets::update::handler, budgets::update::docs),
        )
        .api_route("/orgs/{slug}/factory-stats", get_with(stats::handler, stats::docs))
        .api_route("/orgs/{slug}/runs", get_with(runs::list::handler, runs::list::docs))
        .api_route("/orgs/{slug}/runs/{id}", get_with(runs::get::handler::<UnderOrg>, runs::get::docs))
        .api_route(
            "/runs/{id}",
            get_with(runs::get::handler::<RunPath>, |op| by_id_alone(runs::get::docs(op))),
        )
        .api_route("/orgs/{slug}/runs/{id}/log", get_with(runs::log::handler::<UnderOrg>, runs::log::docs))
        .api_route(
            "/orgs/{slug}/runs/{id}/log/stream",
            get_with(runs::log_stream::handler, runs::log_stream::docs),
        )
        .api_route(
            "/runs/{id}/log",
            get_with(runs::log::handler::<RunPath>, |op| by_id_alone(runs::log::docs(op))),
        )
        .api_route(
            "/orgs/{slug}/runs/{id}/artifacts",
            get_with(runs::artifacts::handler::<UnderOrg>, runs::artifacts::docs),
        )
        .api_route(
            "/runs/{id}/artifacts",
            get_with(runs::artifacts::handler::<RunPath>, |op| by_id_alone(runs::artifacts::docs(op))),
        )
        .api_route("/runs/{id}/artifacts/{file}", get_with(runs::artifact::handler, runs::artifact::docs))
        .api_route(
            "/orgs/{slug}/runs/{id}/changes",
            get_with(runs::changes::handler::<UnderOrg>, runs::changes::docs),
        )
        .api_route(
            "/runs/{id}/changes",
            get_with(runs::changes::handler::<RunPath>, |op| by_id_alone(runs::changes::docs(op))),
        )
        .api_route(
            "/orgs/{slug}/runs/{id}/cancel",
            post_with(runs::cancel::handler::<UnderOrg>, runs::cancel::docs),
        )
        .api_route(
            "/runs/{id}/cancel",
            post_with(runs::cancel::handler::<RunPath>, |op| by_id_alone(runs::cancel::docs(op))),
        )
        .api_route(
            "/orgs/{slug}/runs/{id}/continue",
            post_with(runs::go_on::handler::<UnderOrg>, runs::go_on::docs),
        )
        .api_route(
            "/runs/{id}/continue",
            post_with(runs::go_on::handler::<RunPath>, |op| by_id_alone(runs::go_on::docs(op))),
        )
        .api_route(
            "/orgs/{slug}/runs/{id}/retry",
            post_with(runs::retry::handler::<UnderOrg>, runs::retry::docs),
        )
        .api_route(
            "/runs/{id}/retry",
            post_with(runs::retry::handler::<RunPath>, |op| by_id_alone(runs::retry::docs(op))),
        )
}
