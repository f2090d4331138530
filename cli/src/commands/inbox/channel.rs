//! `svc inbox channel`: the chats that tell you.

use clap::Subcommand;
use svc_api::notifications::{NewNotificationChannel, NotificationChannel};

use crate::commands::platforms::{Platform, channel_status, last_error, platform_name};
use crate::failure::Failure;
use crate::output::Table;
use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// List your channels
    #[command(after_help = "\
Example:
  svc inbox channel list")]
    List,
    Add(Add),
    /// Send a test message; one that arrives makes a broken or held channel go on
    #[command(after_help = "\
Example:
  svc inbox channel test slack")]
    Test(Which),
    /// Delete a channel
    #[command(after_help = "\
Example:
  svc inbox channel delete slack")]
    Delete(Which),
}

/// Connect a chat, in place of the one that you have on the platform
///
/// Slack and Discord need the address of an incoming webhook. Telegram is connected by a link, which is shown once. Teams
/// tells organizations: see svc org channel.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc inbox channel add telegram
  svc inbox channel add slack --webhook-url https://hooks.slack.com/services/T0000/B0000/a1b2c3")]
struct Add {
    #[command(flatten)]
    which: Which,
    /// Address of the incoming webhook
    #[arg(long, value_name = "URL")]
    webhook_url: Option<String>,
}

#[derive(clap::Args)]
struct Which {
    /// The platform
    #[arg(value_name = "PLATFORM")]
    platform: Platform,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    match args.what {
        What::List => {
            let channels = session.client.notification_channels().await?.channels;
            session.output.all(&channels, "No chat tells you anything yet.", table)
        }
        What::Add(args) => add(args, session).await,
        What::Test(which) => {
            let channel = find(&which, session).await?;
            session.client.test_notification_channel(&channel.id).await?;
            session.output.say("the message arrived");
            Ok(())
        }
        What::Delete(which) => {
            let channel = find(&which, session).await?;
            session.client.delete_notification_channel(&channel.id).await?;
            session.output.say("the channel is deleted");
            Ok(())
        }
    }
}

async fn add(args: Add, session: &Session<'_>) -> Result<(), Failure> {
    let new = NewNotificationChannel { platform: args.which.platform.sent(), webhook_url: args.webhook_url };
    let made = session.client.create_notification_channel(&new).await?;
    if session.output.json {
        return session.output.json(&made);
    }
    match made.connect_url {
        Some(url) => {
            session.output.say("Open this link within ten minutes and press Start:");
            session.output.line(&url)
        }
        None => {
            session.output.say("the channel is connected");
            Ok(())
        }
    }
}

async fn find(which: &Which, session: &Session<'_>) -> Result<NotificationChannel, Failure> {
    let channels = session.client.notification_channels().await?.channels;
    let found = channels.into_iter().find(|channel| channel.platform == which.platform.sent());
    found.ok_or_else(|| {
        Failure::rejected("You have no such channel. Connect it with: svc inbox channel add".to_owned())
    })
}

fn table(channels: &[NotificationChannel]) -> Table {
    Table::of(channels)
        .fixed("PLATFORM", |channel| platform_name(channel.platform))
        .fixed("STATUS", |channel| channel_status(&channel.status, channel.held_until))
        .fixed("TARGET", |channel| channel.target.as_str())
        .flexible("LAST ERROR", |channel| last_error(channel.last_error.as_deref(), channel.failing_since))
        .end()
}
