//! `svc inbox`: what is new for you.

mod channel;
mod digest;
mod mark;
mod mute;
pub(super) mod preferences;

use clap::Subcommand;
use svc_api::notifications::{MarkNotification, Notification, NotificationQuery};

use super::item::watch;
use crate::commands::browse;
use crate::failure::Failure;
use crate::output::{Table, when};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(ListArgs),
    /// Mark entries as read
    #[command(after_help = "\
Examples:
  svc inbox read PRJ-12 PRJ-15
  svc inbox read --all")]
    Read(mark::Args),
    /// Mark entries as done, so that they leave the inbox until there is news
    #[command(after_help = "\
Examples:
  svc inbox done PRJ-12
  svc inbox done --all")]
    Done(mark::Args),
    Open(OpenArgs),
    Preferences(preferences::Args),
    Digest(digest::Args),
    /// Manage the chats that tell you
    Channel(channel::Args),
    Mute(mute::Args),
    Unmute(mute::UnmuteArgs),
    /// Watch an item: you are told of what happens to it
    #[command(after_help = "\
Example:
  svc inbox watch PRJ-12")]
    Watch(watch::Args),
    /// Stop watching an item
    #[command(after_help = "\
Example:
  svc inbox unwatch PRJ-12")]
    Unwatch(watch::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list(args, session).await,
        Command::Read(args) => mark::run(args, mark::As::Read, session).await,
        Command::Done(args) => mark::run(args, mark::As::Done, session).await,
        Command::Open(args) => open(args, session).await,
        Command::Preferences(args) => preferences::run(args, session).await,
        Command::Digest(args) => digest::run(args, session).await,
        Command::Channel(args) => channel::run(args, session).await,
        Command::Mute(args) => mute::run(args, session).await,
        Command::Unmute(args) => mute::unmute(args, session).await,
        Command::Watch(args) => watch::set(args, true, session).await,
        Command::Unwatch(args) => watch::set(args, false, session).await,
    }
}

/// List what is new for you, newest first
///
/// One line for each item, sprint, page or invitation, which gathers what is new about it. Lines marked with ! wait for
/// you: an agent asks or proposes something, or a run failed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc inbox list
  svc inbox list --needs-you
  svc inbox list --unread --json")]
pub(crate) struct ListArgs {
    /// Only what you have not read
    #[arg(long)]
    unread: bool,
    /// Only what waits for you
    #[arg(long)]
    needs_you: bool,
    /// What you are done with, in place of the rest
    #[arg(long)]
    done: bool,
    /// Print at most this many
    #[arg(short = 'L', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    limit: Option<u32>,
}

async fn list(args: ListArgs, session: &Session<'_>) -> Result<(), Failure> {
    let on = |flag: bool| flag.then_some(true);
    let query = NotificationQuery {
        unread: on(args.unread),
        needs_you: on(args.needs_you),
        done: on(args.done),
        limit: args.limit,
        after: None,
        after_id: None,
    };
    let entries = session.client.notifications(&query).await?;
    session.output.all(&entries, "Nothing is new.", table)
}

/// Open an entry in a browser, and mark it as read
///
/// Without a terminal, or with --print, it prints the address.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc inbox open PRJ-12")]
pub(crate) struct OpenArgs {
    /// Key of the item, or id of the entry
    #[arg(value_name = "ITEM_KEY")]
    entry: String,
    /// Print the address instead of opening it
    #[arg(long)]
    print: bool,
}

async fn open(args: OpenArgs, session: &Session<'_>) -> Result<(), Failure> {
    let entry = find(&args.entry, session).await?;
    browse::at(&path(&entry, operates(&entry, session).await?), args.print, session)?;
    if !entry.read {
        let read = MarkNotification { version: entry.version, read: Some(true), done: None };
        session.client.mark_notification(&entry.id, &read).await?;
    }
    Ok(())
}

/// Whether the caller sees the factory of the entry's organization.
async fn operates(entry: &Notification, session: &Session<'_>) -> Result<bool, Failure> {
    if entry.run_id.is_none() {
        return Ok(false);
    }
    let orgs = session.client.orgs().await?;
    let own = orgs.iter().find(|org| org.id == entry.organization_id);
    Ok(own.is_some_and(|org| org.can_operate_factory))
}

/// Where an entry leads (specification section 4.1, rule 5).
fn path(entry: &Notification, operates: bool) -> String {
    let org = &entry.organization;
    match (&entry.run_id, &entry.item_key, &entry.project) {
        (Some(run), _, _) if operates => format!("/o/{org}/factory/runs/{run}"),
        (_, Some(key), Some(project)) => format!("/o/{org}/p/{project}/items/{key}"),
        _ => "/inbox".to_owned(),
    }
}

/// Entries, one a row.
fn table(entries: &[Notification]) -> Table {
    Table::of(entries)
        .fixed("", mark)
        .id("ABOUT", about)
        .fixed("WHEN", |entry| when(entry.at))
        .flexible("WHAT", |entry| entry.summary.as_str())
        .flexible("TITLE", |entry| entry.title.as_str())
        .end()
}

fn mark(entry: &Notification) -> &'static str {
    match (entry.needs_you, entry.read) {
        (true, _) => "!",
        (false, false) => "*",
        (false, true) => "",
    }
}

/// How people name an entry: by the key of its item, or by its id.
fn about(entry: &Notification) -> &str {
    entry.item_key.as_deref().unwrap_or(&entry.id)
}

/// The entry with this id, or of the item with this key.
async fn find(name: &str, session: &Session<'_>) -> Result<Notification, Failure> {
    for done in [None, Some(true)] {
        let query = NotificationQuery { done, limit: Some(200), ..NotificationQuery::default() };
        let entries = session.client.notifications(&query).await?;
        let named = |entry: &Notification| {
            entry.id == name || entry.item_key.as_ref().is_some_and(|key| key.eq_ignore_ascii_case(name))
        };
        if let Some(found) = entries.into_iter().find(named) {
            return Ok(found);
        }
    }
    let why = format!("Your inbox has nothing about {name:?}. List it with: svc inbox list");
    Err(Failure::rejected(why))
}
