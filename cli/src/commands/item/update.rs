//! `svc item update`.

use clap::ArgGroup;

use super::change::{self, Change};
use super::fields::Fields;
use crate::failure::Failure;
use crate::session::Session;

/// Change the fields of an item, or of several.
///
/// Other fields stay as they are. If someone else changes the same fields in the meantime, nothing is changed (exit
/// code 3). If they changed other lines of the description since you read it with `svc item view`, svc merges both
/// changes.
#[derive(clap::Args)]
#[command(
    group = ArgGroup::new("change").args(Fields::ARGS).args(change::ARGS).required(true).multiple(true),
    override_usage = "svc item update [OPTIONS] <ITEM_KEY>...",
    after_help = "\
Examples:
  svc item update PRJ-12 --priority high --labels bug,search
  svc item update PRJ-12 PRJ-13 --labels +urgent,-wontfix
  svc item update PRJ-12 --assignee none
  svc item update PRJ-12 --body-file description.md"
)]
pub(crate) struct Args {
    #[command(flatten)]
    change: Change,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    args.change.send(session).await
}
