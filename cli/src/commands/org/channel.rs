//! `svc org channel`: the chats that are told of what happens in the organization.

use std::str::FromStr;

use clap::Subcommand;
use svc_api::notifications::{
    ChangeOrgNotificationChannel, NewOrgNotificationChannel, NotificationMode, OrgNotificationChannel,
};

use crate::commands::confirm::Confirm;
use crate::commands::inbox::preferences::written;
use crate::commands::named::{Named, pick};
use crate::commands::platforms::{Platform, channel_status, last_error, platform_name};
use crate::failure::Failure;
use crate::output::{Table, one_line, when};
use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// List the channels
    #[command(after_help = "\
Example:
  svc org channel list")]
    List,
    #[command(visible_alias = "add")]
    Create(Create),
    Edit(Edit),
    /// Send a test message; one that arrives makes a broken or held channel go on
    #[command(after_help = "\
Example:
  svc org channel test Ops")]
    Test(Which),
    #[command(visible_alias = "remove")]
    Delete(Delete),
}

/// Connect a chat to the organization. It is told of nothing until you say of what
///
/// Slack and Discord need the address of an incoming webhook, Teams that of a workflow. Telegram is connected by a link,
/// which is shown once.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc org channel create Ops telegram
  svc org channel create Ops slack --webhook-url https://hooks.slack.com/services/T0000/B0000/a1b2c3")]
struct Create {
    /// Name of the channel
    #[arg(value_name = "NEW_NAME")]
    name: String,
    /// The platform
    #[arg(value_name = "PLATFORM")]
    platform: Platform,
    /// Address of the incoming webhook, or of the workflow with its whole query
    #[arg(long, value_name = "URL")]
    webhook_url: Option<String>,
}

/// Rename a channel, or say what it is told of and when
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc org channel edit Ops --tell runFailed=immediate --tell sprintStarted=digest
  svc org channel edit Ops --tell runFailed=off
  svc org channel edit Ops --name Builds")]
struct Edit {
    #[command(flatten)]
    which: Which,
    /// New name
    #[arg(long, value_name = "NEW_NAME")]
    name: Option<String>,
    /// Kind of news and when it is told: off, immediate or digest (can be given several times)
    #[arg(long = "tell", value_name = "KIND=MODE")]
    tell: Vec<Tell>,
}

/// Delete a channel. What waits to be sent there is not sent
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc org channel delete Ops --yes")]
struct Delete {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

#[derive(clap::Args)]
struct Which {
    /// Name, in any case, or id of the channel
    #[arg(value_name = "CHANNEL")]
    channel: String,
}

/// A kind of news, and when it is told.
#[derive(Clone)]
struct Tell(String, NotificationMode);

impl FromStr for Tell {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || "give a kind and a mode, such as runFailed=immediate; modes are off, immediate, digest";
        let (kind, mode) = text.split_once('=').ok_or_else(wrong)?;
        match serde_json::from_value(mode.into()) {
            Ok(NotificationMode::Unknown) | Err(_) => Err(wrong().to_owned()),
            Ok(mode) => Ok(Self(kind.to_owned(), mode)),
        }
    }
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let org = session.org(&slug);
    match args.what {
        What::List => {
            let found = org.notification_channels().await?;
            if let Some(since) = found.mail.failing_since {
                let why = found.mail.error.as_deref().map(one_line).unwrap_or_default();
                session.output.say(&format!("Mail has not been sent since {}: {why}", when(since)));
            }
            session.output.all(&found.channels, "No chat is connected yet.", table)
        }
        What::Create(args) => create(args, &slug, session).await,
        What::Edit(args) => edit(args, &slug, session).await,
        What::Test(which) => {
            let channel = which.find(&slug, session).await?;
            org.test_notification_channel(&channel.id).await?;
            session.output.say("the message arrived");
            Ok(())
        }
        What::Delete(Delete { which, confirm }) => {
            let channel = which.find(&slug, session).await?;
            confirm.sure(&format!("Delete the channel {:?}?", channel.name), session.output)?;
            org.delete_notification_channel(&channel.id).await?;
            session.output.say(&format!("deleted the channel {:?}", channel.name));
            Ok(())
        }
    }
}

async fn create(args: Create, slug: &str, session: &Session<'_>) -> Result<(), Failure> {
    let Create { name, platform, webhook_url } = args;
    let new = NewOrgNotificationChannel { platform: platform.sent(), name, webhook_url };
    let made = session.org(slug).create_notification_channel(&new).await?;
    if session.output.json {
        return session.output.json(&made);
    }
    match made.connect_url {
        Some(url) => {
            session.output.say("Open this link within ten minutes and add the bot to your group:");
            session.output.line(&url)?;
        }
        None => session.output.say("the channel is connected"),
    }
    let name = one_line(&made.channel.name);
    session
        .output
        .say(&format!("Say what it is told of: svc org channel edit {name:?} --tell runFailed=immediate"));
    Ok(())
}

async fn edit(args: Edit, slug: &str, session: &Session<'_>) -> Result<(), Failure> {
    let channel = args.which.find(slug, session).await?;
    if args.name.is_none() && args.tell.is_empty() {
        return Err(Failure::rejected("Say what to change: --name or --tell.".to_owned()));
    }
    let mut modes = channel.modes.clone();
    for Tell(kind, mode) in args.tell {
        match mode {
            NotificationMode::Off => drop(modes.remove(&kind)),
            mode => drop(modes.insert(kind, mode)),
        }
    }
    let modes = (modes != channel.modes).then_some(modes);
    let change = ChangeOrgNotificationChannel { name: args.name, modes };
    let changed = session.org(slug).change_notification_channel(&channel.id, &change).await?;
    session.output.one(&changed, table)
}

impl Which {
    async fn find(&self, slug: &str, session: &Session<'_>) -> Result<OrgNotificationChannel, Failure> {
        let channels = session.org(slug).notification_channels().await?.channels;
        pick("channel", &self.channel, channels, true, |one| Named { id: &one.id, name: &one.name })
    }
}

fn table(channels: &[OrgNotificationChannel]) -> Table {
    Table::of(channels)
        .flexible("NAME", |channel| channel.name.as_str())
        .fixed("PLATFORM", |channel| platform_name(channel.platform))
        .fixed("STATUS", |channel| channel_status(&channel.status, channel.held_until))
        .fixed("TARGET", |channel| channel.target.as_str())
        .flexible("TOLD OF", |channel| {
            let told: Vec<String> =
                channel.modes.iter().map(|(kind, mode)| format!("{kind}={}", written(mode))).collect();
            told.join(", ")
        })
        .flexible("LAST ERROR", |channel| last_error(channel.last_error.as_deref(), channel.failing_since))
        .end()
}
