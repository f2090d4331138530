//! `svc milestone edit`: reads the milestone's version, then sends the change under it.

use std::path::PathBuf;

use jiff::civil::Date;
use svc_api::Patch;
use svc_api::tracker::UpdateMilestone;

use super::shared::{Which, show};
use crate::commands::files::given;
use crate::failure::Failure;
use crate::session::Session;
use crate::values::{OrNone, day_or_none};

/// Change a milestone's name, due day or description.
///
/// Other fields stay as they are. If someone else saves in between, nothing is changed (exit code 3).
#[derive(clap::Args)]
#[command(
    override_usage = "svc milestone edit [OPTIONS] <MILESTONE>",
    after_help = "\
Examples:
  svc milestone edit 'First beta' --due 2027-04-30
  svc milestone edit 'First beta' --name 'Second beta' --due none"
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
    /// New name, on one line
    #[arg(long)]
    name: Option<String>,
    /// New due day, such as 2027-03-31, +2w or friday, or none
    #[arg(long, value_name = "DAY", value_parser = day_or_none)]
    due: Option<OrNone<Date>>,
    /// New description in Markdown
    #[arg(short = 'm', long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "body_file")]
    body: Option<String>,
    /// File with the new description; - reads stdin
    #[arg(long, value_name = "PATH")]
    body_file: Option<PathBuf>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Change { name, due, body, body_file } = args.change;
    let description = given(body, body_file)?;
    let due = due.map_or(Patch::Keep, Patch::from);
    let change = UpdateMilestone { name, description, due, ..UpdateMilestone::default() };
    show(&args.which.change(change, session).await?, session)
}
