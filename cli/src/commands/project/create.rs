//! `svc project create`.

use std::path::PathBuf;

use svc_api::tracker::NewProject;
use svc_domain::ids::ProjectKey;

use super::shared::table;
use crate::commands::files::given;
use crate::commands::new_name::taken;
use crate::failure::Failure;
use crate::keys::project_key;
use crate::session::Session;

/// Create a project. You become its Admin.
///
/// It starts with a workflow, a team and the built-in item templates.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc project create PRJ --name 'Search and find' --description 'The search of the shop'")]
pub(crate) struct Args {
    /// Key of the project, such as PRJ in the item PRJ-12: 2 to 10 letters and digits
    #[arg(value_name = "NEW_KEY", value_parser = project_key)]
    key: ProjectKey,
    /// Name shown to people
    #[arg(long)]
    name: String,
    /// What it is about
    #[arg(long, value_name = "TEXT", conflicts_with = "description_file")]
    description: Option<String>,
    /// File that says what it is about; - reads stdin
    #[arg(long, value_name = "PATH")]
    description_file: Option<PathBuf>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let description = given(args.description, args.description_file)?.unwrap_or_default();
    let new = NewProject { key: args.key.to_string(), name: args.name, description };
    let org = session.org_slug().await?;
    let created = session.org(&org).create_project(&new).await;
    let next =
        "choose another key; a project that is archived or deleted, or that you cannot see, may have it";
    let project = created.map_err(|error| taken(error, "a project", &new.key, next))?;
    session.output.one(&project, table)
}
