//! `svc template create`.

use std::path::PathBuf;

use svc_api::tracker::{ItemType, NewTemplate, Priority};

use super::shared::table;
use crate::commands::files::given;
use crate::commands::in_project::InProject;
use crate::commands::new_name::{NewName, taken};
use crate::failure::Failure;
use crate::session::Session;
use crate::values::{Names, item_type, priority};

/// Create an item template for `svc item create --template`.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc template create Incident -p PRJ --type bug --body-file incident.md --priority highest --labels ops")]
pub(crate) struct Args {
    #[command(flatten)]
    name: NewName,
    #[command(flatten)]
    project: InProject,
    /// Type of the items that it is for
    #[arg(long = "type", value_name = "TYPE", value_parser = item_type(), ignore_case = true)]
    item_type: ItemType,
    /// Description in Markdown
    #[arg(short = 'm', long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "body_file")]
    body: Option<String>,
    /// File with the description; - reads stdin
    #[arg(long, value_name = "PATH")]
    body_file: Option<PathBuf>,
    /// Priority
    #[arg(long, value_parser = priority(), ignore_case = true)]
    priority: Option<Priority>,
    /// Labels separated by commas
    #[arg(long, visible_alias = "label", value_name = "LIST")]
    labels: Option<Vec<Names>>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Args { name, project, item_type, body, body_file, priority, labels } = args;
    let project = project.key(session).await?;
    let body = given(body, body_file)?.unwrap_or_default();
    let labels = Names::joined(labels).unwrap_or_default();
    let new = NewTemplate { name: name.into_text(), item_type, body, priority, labels };
    let org = session.org_slug().await?;
    let created = session.org(&org).create_template(project.as_str(), &new).await;
    let next = format!("choose another name, or change that template with `svc template edit -p {project}`");
    let template = created.map_err(|error| taken(error, "a template", &new.name, &next))?;
    session.output.one(&template, table)
}
