//! `svc template create`.

use std::path::PathBuf;

use svc_api::tracker::{ItemType, NewTemplate, Priority};

use super::shared::table;
use crate::commands::files::read_text;
use crate::commands::in_project::InProject;
use crate::failure::Failure;
use crate::session::Session;
use crate::values::{Names, item_type, priority};

/// Create a ticket template for `svc item create --template`.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc template create Incident -p PRJ --type bug --body-file incident.md --priority highest --labels ops")]
pub(crate) struct Args {
    /// Name, on one line
    #[arg(value_name = "NEW_NAME")]
    name: String,
    #[command(flatten)]
    project: InProject,
    /// Kind of work that it is for
    #[arg(long = "type", value_name = "TYPE", value_parser = item_type(), ignore_case = true)]
    item_type: ItemType,
    /// File with the description in Markdown; - reads stdin
    #[arg(long, value_name = "PATH")]
    body_file: Option<PathBuf>,
    /// Priority
    #[arg(long, value_parser = priority(), ignore_case = true)]
    priority: Option<Priority>,
    /// Labels separated by commas
    #[arg(long, value_name = "LIST")]
    labels: Option<Names>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Args { name, project, item_type, body_file, priority, labels } = args;
    let project = project.key(session)?;
    let body = body_file.map(|path| read_text(&path)).transpose()?.unwrap_or_default();
    let Names(labels) = labels.unwrap_or_default();
    let new = NewTemplate { name, item_type, body, priority, labels };
    let org = session.org_slug().await?;
    let template = session.org(&org).create_template(project.as_str(), &new).await?;
    session.output.one(&template, table)
}
