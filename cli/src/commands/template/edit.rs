//! `svc template edit`: reads the template's version, then sends the change under it.

use std::path::PathBuf;

use svc_api::Patch;
use svc_api::tracker::{ItemType, Priority, UpdateTemplate};

use super::shared::{Which, table};
use crate::commands::files::given;
use crate::failure::Failure;
use crate::session::Session;
use crate::values::{Names, OrNone, item_type, priority_or_none};

/// Change an item template. Items that were created with it stay as they are.
///
/// Other fields stay as they are. If someone else saves in between, nothing is changed (exit code 3).
#[derive(clap::Args)]
#[command(
    override_usage = "svc template edit [OPTIONS] --project <PROJECT_KEY> <TEMPLATE>",
    after_help = "\
Examples:
  svc template edit 'Bug report' -p PRJ --name Defect --priority high
  svc template edit Defect -p PRJ --body-file defect.md --labels bug,triage"
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
    /// New type of the items that it is for
    #[arg(long = "type", value_name = "TYPE", value_parser = item_type(), ignore_case = true)]
    item_type: Option<ItemType>,
    /// New description in Markdown
    #[arg(short = 'm', long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "body_file")]
    body: Option<String>,
    /// File with the new description; - reads stdin
    #[arg(long, value_name = "PATH")]
    body_file: Option<PathBuf>,
    /// New priority, or none
    #[arg(long, value_parser = priority_or_none(), ignore_case = true)]
    priority: Option<OrNone<Priority>>,
    /// New labels, separated by commas, replacing all; empty for none
    #[arg(long, visible_alias = "label", value_name = "LIST")]
    labels: Option<Vec<Names>>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let mut change = args.change.into_update()?;
    let org = session.org_slug().await?;
    let template = args.which.find(&org, session).await?;
    change.version = template.version;
    let project = args.which.project.key(session).await?;
    let template = session.org(&org).update_template(project.as_str(), &template.id, &change).await?;
    session.output.one(&template, table)
}

impl Change {
    /// The change, without the version that it is made under.
    fn into_update(self) -> Result<UpdateTemplate, Failure> {
        let Self { name, item_type, body, body_file, priority, labels } = self;
        let body = given(body, body_file)?;
        let priority = priority.map_or(Patch::Keep, Patch::from);
        let labels = Names::joined(labels);
        Ok(UpdateTemplate { version: 0, name, item_type, body, priority, labels })
    }
}
