//! `svc milestone create`.

use std::path::PathBuf;

use jiff::civil::Date;
use svc_api::tracker::NewMilestone;

use super::shared::show;
use crate::commands::files::given;
use crate::commands::in_project::InProject;
use crate::commands::new_name::{NewName, taken};
use crate::failure::Failure;
use crate::session::Session;
use crate::values::day;

/// Create a milestone.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc milestone create 'First beta' -p PRJ --due 2027-03-31 -m 'What early customers need'")]
pub(crate) struct Args {
    #[command(flatten)]
    name: NewName,
    #[command(flatten)]
    project: InProject,
    /// Due day, such as 2027-03-31, +2w or friday
    #[arg(long, value_name = "DAY", value_parser = day)]
    due: Option<Date>,
    /// What it is about, in Markdown
    #[arg(short = 'm', long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "body_file")]
    body: Option<String>,
    /// File with the description; - reads stdin
    #[arg(long, value_name = "PATH")]
    body_file: Option<PathBuf>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Args { name, project, due, body, body_file } = args;
    let description = given(body, body_file)?.unwrap_or_default();
    let new = NewMilestone { name: name.into_text(), description, due };
    let (org, project) = (session.org_slug().await?, project.key(session).await?);
    let made = session.org(&org).create_milestone(project.as_str(), &new).await;
    let next = "choose another name, or see `svc milestone list`";
    show(&made.map_err(|error| taken(error, "a milestone", &new.name, next))?, session)
}
