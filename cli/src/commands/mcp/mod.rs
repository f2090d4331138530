//! `svc mcp`: the tracker as an MCP server on stdin and stdout, and what to write into a client to connect it.

mod bridge;
mod config;
mod message;

pub(crate) use config::Args as ConfigArgs;
pub(crate) use config::run as config;

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

/// Serve the tracker to an agent as an MCP server on stdin and stdout
///
/// Forwards every message to the instance. Needs a token with the scope mcp that is bound to one organization: create
/// one with `svc token create my-agent --scope read,write,mcp --bound-to demo`, and pass it in SVC_TOKEN.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  claude mcp add svc -e SVC_URL=https://tracker.example -e SVC_TOKEN=... -- svc mcp
  svc mcp config claude-code"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Config(ConfigArgs),
}

/// Serves until stdin ends.
pub(crate) async fn serve(session: &Session<'_>) -> Result<(), Failure> {
    bridge::run(&session.client).await
}
