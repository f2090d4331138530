//! `svc label create`.

use svc_api::tracker::NewLabel;

use super::color::color;
use super::shared::table;
use crate::commands::in_project::InProject;
use crate::commands::new_name::{NewName, taken};
use crate::failure::Failure;
use crate::session::Session;

/// Create a label. Its name cannot have spaces, commas or quotes.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc label create search -p PRJ --color '#0ea5e9' --description 'Finding things'")]
pub(crate) struct Args {
    #[command(flatten)]
    name: NewName,
    #[command(flatten)]
    project: InProject,
    /// Colour: # and three or six hexadecimal digits, or a name such as teal [default: grey]
    #[arg(long, value_name = "COLOR", value_parser = color)]
    color: Option<String>,
    /// What it is for
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Args { name, project, color, description } = args;
    let project = project.key(session).await?;
    let new = NewLabel { name: name.into_text(), color, description: description.unwrap_or_default() };
    let org = session.org_slug().await?;
    let created = session.org(&org).create_label(project.as_str(), &new).await;
    let next = format!("choose another name, or change that label with `svc label edit -p {project}`");
    let label = created.map_err(|error| taken(error, "a label", &new.name, &next))?;
    session.output.one(&label, table)
}
