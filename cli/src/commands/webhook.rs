//! `svc webhook`.

use std::str::FromStr;

use clap::Subcommand;
use svc_api::webhooks::{
    NewOutboundWebhook, OutboundWebhook, UpdateOutboundWebhook, WebhookDelivery, WebhookDeliveryQuery,
    WebhookDeliveryState, WebhookEvent, WebhookWithSecret,
};

use crate::commands::confirm::Confirm;
use crate::commands::named::{Named, pick};
use crate::failure::Failure;
use crate::output::{Table, name, option, yes};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List the organization's webhooks.
    #[command(after_help = "\
Example:
  svc webhook list")]
    List,
    #[command(visible_alias = "add")]
    Create(CreateArgs),
    Edit(EditArgs),
    /// Give a webhook a new secret and print it. Requests are signed with both secrets for 24 hours.
    #[command(after_help = "\
Example:
  svc webhook rotate n8n > secret.txt")]
    Rotate(Which),
    #[command(visible_alias = "remove")]
    Delete(DeleteArgs),
    /// Send a test now, and show how it went. Fails where the test does; a test that fails counts for nothing else.
    #[command(visible_alias = "ping")]
    #[command(after_help = "\
Example:
  svc webhook test n8n")]
    Test(Which),
    Deliveries(DeliveriesArgs),
    Replay(ReplayArgs),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List => list(session).await,
        Command::Create(args) => create(args, session).await,
        Command::Edit(args) => edit(args, session).await,
        Command::Rotate(which) => rotate(which, session).await,
        Command::Delete(args) => delete(args, session).await,
        Command::Test(which) => test(which, session).await,
        Command::Deliveries(args) => deliveries(args, session).await,
        Command::Replay(args) => replay(args, session).await,
    }
}

async fn list(session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let webhooks = session.org(&org).webhooks().await?;
    session.output.all(&webhooks, "The organization has no webhooks.", table)
}

/// Create a webhook, and print the secret that its requests are signed with.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc webhook create n8n https://n8n.example.com/webhook/1 --event item.created --event run.ended
  svc webhook create audit https://audit.example.com/svc --event item.moved -p PRJ > secret.txt")]
pub(crate) struct CreateArgs {
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

async fn create(args: CreateArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let CreateArgs { name, address, events, projects, agents_work } = args;
    let events = events.into_iter().map(|event| event.0).collect();
    let new = NewOutboundWebhook { name, url: address, events, projects, agents_work };
    show_secret("created", &session.org(&org).create_outbound_webhook(&new).await?, session)
}

/// Change, disable or enable a webhook. It then sends what you may see.
#[derive(clap::Args)]
#[command(
    override_usage = "svc webhook edit [OPTIONS] <WEBHOOK>",
    after_help = "\
Examples:
  svc webhook edit n8n --disabled false
  svc webhook edit n8n --event item.created --event item.deleted"
)]
pub(crate) struct EditArgs {
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

async fn edit(args: EditArgs, session: &Session<'_>) -> Result<(), Failure> {
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

async fn rotate(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let webhook = which.find(&org, session).await?;
    let rotated = session.org(&org).rotate_webhook(&webhook.id).await?;
    show_secret("replaced the secret of", &rotated, session)
}

/// Delete a webhook. What it has not sent yet is not sent any more.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc webhook delete n8n --yes")]
pub(crate) struct DeleteArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

async fn delete(args: DeleteArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let webhook = args.which.find(&org, session).await?;
    args.confirm.sure(&format!("Delete the webhook {:?}?", webhook.name), session.output)?;
    session.org(&org).delete_outbound_webhook(&webhook.id).await?;
    session.output.say(&format!("deleted the webhook {:?}", webhook.name));
    Ok(())
}

async fn test(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let webhook = which.find(&org, session).await?;
    let sent = session.org(&org).test_webhook(&webhook.id).await?;
    session.output.one(&sent, delivery_table)?;
    if sent.state == WebhookDeliveryState::Sent {
        return Ok(());
    }
    let hint = format!("Mend what it says, then test it again: svc webhook test {:?}", webhook.name);
    Err(Failure::unexpected("The test did not arrive.").hint(hint))
}

/// List what a webhook sent in the last 30 days, newest first, 50 at once.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc webhook deliveries n8n
  svc webhook deliveries n8n --json --jq '.[] | select(.state == \"failed\") | .id'")]
pub(crate) struct DeliveriesArgs {
    #[command(flatten)]
    which: Which,
    /// Only those before the delivery with this id
    #[arg(long, value_name = "DELIVERY_ID")]
    before: Option<String>,
}

async fn deliveries(args: DeliveriesArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let webhook = args.which.find(&org, session).await?;
    let query = WebhookDeliveryQuery { before: args.before };
    let sent = session.org(&org).webhook_deliveries(&webhook.id, &query).await?;
    session.output.all(&sent, "The webhook has sent nothing.", delivery_table)
}

/// Send a delivery again, under the same id.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc webhook replay n8n 0193a7f0-5c1e-7d2b-8f7e-2a4b6c8d0e1f")]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    which: Which,
    /// Id of the delivery
    #[arg(value_name = "DELIVERY_ID")]
    delivery: String,
}

async fn replay(args: ReplayArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let webhook = args.which.find(&org, session).await?;
    let waits = session.org(&org).replay_webhook(&webhook.id, &args.delivery).await?;
    session.output.one(&waits, delivery_table)
}

/// A webhook.
#[derive(clap::Args)]
pub(crate) struct Which {
    /// Name, in any case, or id of the webhook
    #[arg(value_name = "WEBHOOK")]
    webhook: String,
}

impl Which {
    async fn find(&self, org: &str, session: &Session<'_>) -> Result<OutboundWebhook, Failure> {
        let webhooks = session.org(org).webhooks().await?;
        pick("webhook", &self.webhook, webhooks, true, |one| Named { id: &one.id, name: &one.name })
    }
}

/// An event, as it is typed.
#[derive(Clone, Copy, Debug)]
struct Event(WebhookEvent);

impl FromStr for Event {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = "item.created, item.changed, item.moved, item.deleted, comment.created, comment.edited, \
                     comment.deleted, run.ended, sprint.started, sprint.completed";
        match serde_json::from_value(text.into()) {
            Ok(WebhookEvent::Unknown | WebhookEvent::Ping) | Err(_) => Err(format!("the events are {known}")),
            Ok(event) => Ok(Self(event)),
        }
    }
}

/// An event, as it is sent.
fn word(event: WebhookEvent) -> String {
    serde_json::to_value(event).ok().and_then(|word| Some(word.as_str()?.to_owned())).unwrap_or_default()
}

/// Webhooks, one a row.
fn table(webhooks: &[OutboundWebhook]) -> Table {
    Table::of(webhooks)
        .id("ID", |webhook| webhook.id.as_str())
        .flexible("NAME", |webhook| webhook.name.as_str())
        .flexible("URL", |webhook| webhook.url.as_str())
        .flexible("EVENTS", |webhook| {
            let events: Vec<String> = webhook.events.iter().copied().map(word).collect();
            events.join(", ")
        })
        .flexible("PROJECTS", |webhook| {
            if webhook.projects.is_empty() { "(all)".to_owned() } else { webhook.projects.join(", ") }
        })
        .fixed("DISABLED", |webhook| yes(webhook.disabled))
        .flexible("REASON", |webhook| option(reason(webhook).as_deref()))
        .minor()
        .end()
}

/// Why nothing arrives there.
fn reason(webhook: &OutboundWebhook) -> Option<String> {
    let said = webhook.problem.clone().or_else(|| webhook.disabled_reason.clone());
    said.or_else(|| webhook.failing_since.map(|since| format!("nothing has arrived since {since}")))
}

/// Deliveries, one a row.
fn delivery_table(deliveries: &[WebhookDelivery]) -> Table {
    Table::of(deliveries)
        .fixed("ID", |delivery| delivery.id.as_str())
        .fixed("EVENT", |delivery| word(delivery.event))
        .fixed("ITEM", |delivery| option(delivery.item_key.as_deref()))
        .fixed("STATE", |delivery| name(&delivery.state))
        .fixed("ATTEMPTS", |delivery| delivery.attempts.len().to_string())
        .flexible("LAST ANSWER", |delivery| {
            let answer = delivery.attempts.last().map(|last| match (&last.status, &last.error) {
                (Some(status), _) => status.to_string(),
                (None, error) => error.clone().unwrap_or_default(),
            });
            option(delivery.skipped_reason.clone().or(answer).as_deref())
        })
        .end()
}

/// Prints a secret that is shown once: alone to stdout, what was done to stderr.
fn show_secret(did: &str, made: &WebhookWithSecret, session: &Session<'_>) -> Result<(), Failure> {
    let output = session.output;
    if output.json {
        return output.json(made);
    }
    output.line(&made.secret)?;
    output.say(&format!("{did} the webhook {:?}. Its secret is shown only this once.", made.webhook.name));
    Ok(())
}
