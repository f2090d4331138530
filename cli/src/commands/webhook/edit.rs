//! `svc webhook edit`: reads the webhook's version, then sends the change under it.

use svc_api::webhooks::UpdateOutboundWebhook;

use super::shared::{Event, Which, table};
use crate::failure::Failure;
use crate::session::Session;

/// Change, disable or enable a webhook. It then sends what you may see.
#[derive(clap::Args)]
#[command(
    override_usage = "svc webhook edit [OPTIONS] <WEBHOOK>",
    after_help = "\
Examples:
  svc webhook edit n8n --disabled false
  svc webhook edit n8n --event item.created --event item.deleted"
)]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    change: Change,
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct Change {
    /// New name
    #[arg(long)]
    name: Option<String>,
    /// New address
    #[arg(long)]
    address: Option<String>,
    /// Events to send in place of the others (can be given several times)
    #[arg(long = "event", value_name = "EVENT")]
    events: Vec<Event>,
    /// Projects to send of in place of the others (can be given several times)
    #[arg(long = "project", short = 'p', value_name = "PROJECT_KEY", conflicts_with = "all_projects")]
    projects: Vec<String>,
    /// Send of all projects
    #[arg(long)]
    all_projects: bool,
    /// Whether to send also what only factory operators see
    #[arg(long, value_name = "BOOL")]
    agents_work: Option<bool>,
    /// Whether the webhook is disabled
    #[arg(long, value_name = "BOOL")]
    disabled: Option<bool>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let webhook = args.which.find(&org, session).await?;
    let Change { name, address, events, projects, all_projects, agents_work, disabled } = args.change;
    let events: Vec<_> = events.into_iter().map(|event| event.0).collect();
    let change = UpdateOutboundWebhook {
        version: webhook.version,
        name,
        url: address,
        events: (!events.is_empty()).then_some(events),
        projects: (all_projects || !projects.is_empty()).then_some(projects),
        agents_work,
        disabled,
    };
    let webhook = session.org(&org).update_webhook(&webhook.id, &change).await?;
    session.output.one(&webhook, table)
}
