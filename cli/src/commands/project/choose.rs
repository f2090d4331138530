//! `svc project use`.

use svc_domain::ids::ProjectKey;

use crate::failure::Failure;
use crate::keys::project_key;
use crate::session::Session;
use crate::settings::ConfigFile;

/// Set the default project, for commands without -p.
///
/// The default is stored with your current account. SVC_PROJECT overrides it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc project use PRJ
  svc project use --unset")]
pub(crate) struct Args {
    /// Key of the project
    #[arg(value_name = "PROJECT_KEY", value_parser = project_key, required_unless_present = "unset")]
    key: Option<ProjectKey>,
    /// Remove the default
    #[arg(long, conflicts_with = "key")]
    unset: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let key = match args.key {
        Some(key) => {
            let org = session.org_slug().await?;
            Some(session.org(&org).project(key.as_str()).await?.key)
        }
        None => None,
    };
    let chosen = key.clone();
    session.remember(ConfigFile::locate()?, |account| account.project = chosen)?;
    session.output.say(&match key {
        Some(key) => format!("The default project is now {key}."),
        None => "There is no default project now.".to_owned(),
    });
    Ok(())
}
