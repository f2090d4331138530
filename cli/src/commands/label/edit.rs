//! `svc label edit`: reads the label's version, then sends the change under it.

use svc_api::tracker::UpdateLabel;

use super::color::color;
use super::shared::{Which, on_items, table};
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Rename a label on every item that carries it, merge it into another, or change its colour or description.
///
/// If someone else saves in between, nothing is changed (exit code 3). In a large project, it takes a few seconds
/// until every item is updated.
#[derive(clap::Args)]
#[command(
    override_usage = "svc label edit [OPTIONS] --project <PROJECT_KEY> <LABEL>",
    after_help = "\
Examples:
  svc label edit search -p PRJ --color '#0ea5e9'
  svc label edit serach -p PRJ --name search --merge"
)]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    change: Change,
    /// Merge into the existing label with the new name: the items get that label, and this one is deleted
    #[arg(long, requires = "name")]
    merge: bool,
    #[command(flatten)]
    confirm: Confirm,
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct Change {
    /// New name
    #[arg(long)]
    name: Option<String>,
    /// New colour: # and three or six hexadecimal digits, or a name such as teal
    #[arg(long, value_name = "COLOR", value_parser = color)]
    color: Option<String>,
    /// What it is for
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Args { which, change: Change { name, color, description }, merge, confirm } = args;
    let org = session.org_slug().await?;
    let label = which.find(&org, session).await?;
    if let (true, Some(into)) = (merge, &name) {
        let (from, count) = (&label.name, on_items(label.items));
        confirm.sure(&format!("Merge the label {from} (on {count}) into {into}?"), session.output)?;
    }
    let change = UpdateLabel { version: label.version, name, color, description, merge };
    let project = which.project.key(session).await?;
    let label = session.org(&org).update_label(project.as_str(), &label.name, &change).await?;
    session.output.one(&label, table)
}
