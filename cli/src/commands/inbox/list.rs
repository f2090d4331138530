//! `svc inbox list`.

use svc_api::notifications::NotificationQuery;

use super::shared::table;
use crate::failure::Failure;
use crate::session::Session;

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
pub(crate) struct Args {
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

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
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
