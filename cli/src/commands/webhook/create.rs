//! `svc webhook create`.

use svc_api::webhooks::NewOutboundWebhook;

use super::shared::{Event, show_secret};
use crate::failure::Failure;
use crate::session::Session;

/// Create a webhook, and print the secret that its requests are signed with.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc webhook create n8n https://n8n.example.com/webhook/1 --event item.created --event run.ended
  svc webhook create audit https://audit.example.com/svc --event item.moved -p PRJ > secret.txt")]
pub(crate) struct Args {
    /// Name of the webhook
    #[arg(value_name = "NEW_NAME")]
    name: String,
    /// Address to send to
    address: String,
    /// Event to send, such as item.created (can be given several times)
    #[arg(long = "event", value_name = "EVENT", required = true)]
    events: Vec<Event>,
    /// Project to send of (can be given several times) [default: all]
    #[arg(long = "project", short = 'p', value_name = "PROJECT_KEY")]
    projects: Vec<String>,
    /// Send also what only factory operators see: comments of agents, and why runs failed
    #[arg(long)]
    agents_work: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let Args { name, address, events, projects, agents_work } = args;
    let events = events.into_iter().map(|event| event.0).collect();
    let new = NewOutboundWebhook { name, url: address, events, projects, agents_work };
    show_secret("created", &session.org(&org).create_outbound_webhook(&new).await?, session)
}
