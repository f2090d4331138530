//! The MCP server at `/mcp` (Streamable HTTP, stateless): the tracker for agents.
//!
//! Owns the catalogue of tools, prompts and resources, and the words in which agents read the tracker. Decides
//! nothing: each tool calls one use case of the REST API, as the same caller, and shows its answer by the same
//! views. Keeps nothing between two requests: there are no sessions.

mod arguments;
mod authors;
mod call;
mod catalogue;
mod completion;
mod entrance;
mod failure;
mod guest;
mod inbox;
mod lines;
mod origin;
mod prompts;
mod reply;
mod resources;
mod schema;
mod server;
mod tools;
mod unseen;

use std::sync::Arc;

use axum::Router;
use axum::routing::post;
use svc_app::App;
use svc_http::ApiError;
use svc_http::problems::NOT_FOUND;

/// The route of the server.
pub fn router() -> Router<Arc<App>> {
    Router::new().route("/mcp", post(entrance::handler))
}

/// What answers everywhere else where the server runs alone. Clients that look for an authorization server find
/// none.
pub async fn nothing_else() -> ApiError {
    NOT_FOUND.problem().into()
}

/// Names of all tools, for callers of any scope.
pub fn tool_names() -> Vec<&'static str> {
    catalogue::TOOLS.iter().map(|tool| tool.name).collect()
}
