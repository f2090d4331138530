//! `svc project edit`: reads the project's version, then sends the change under it.

use std::path::PathBuf;

use svc_api::tracker::UpdateProject;

use crate::commands::files::given;
use crate::commands::in_project::ThisProject;
use crate::failure::Failure;
use crate::session::Session;

/// Change a project's name or description.
///
/// Other fields stay as they are. If someone else saves in between, nothing is changed (exit code 3).
#[derive(clap::Args)]
#[command(
    override_usage = "svc project edit [OPTIONS] [PROJECT_KEY]",
    after_help = "\
Examples:
  svc project edit PRJ --name 'Find it'
  svc project edit PRJ --description-file about.md"
)]
pub(crate) struct Args {
    #[command(flatten)]
    which: ThisProject,
    #[command(flatten)]
    change: Change,
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct Change {
    /// New name
    #[arg(long)]
    name: Option<String>,
    /// What it is about
    #[arg(long, value_name = "TEXT", conflicts_with = "description_file")]
    description: Option<String>,
    /// File that says what it is about; - reads stdin
    #[arg(long, value_name = "PATH")]
    description_file: Option<PathBuf>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Change { name, description, description_file } = args.change;
    let description = given(description, description_file)?;
    super::shared::change(
        &args.which.key(session).await?,
        UpdateProject { name, description, ..UpdateProject::default() },
        session,
    )
    .await
}
