//! `svc org use`.

use crate::failure::Failure;
use crate::session::Session;
use crate::settings::ConfigFile;

/// Set the default organization, for commands without --org.
///
/// The default is stored with your current account. Each organization keeps its own default project.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc org use acme
  svc org use --unset")]
pub(crate) struct Args {
    /// Slug of the organization
    #[arg(value_name = "SLUG", required_unless_present = "unset")]
    slug: Option<String>,
    /// Remove the default
    #[arg(long, conflicts_with = "slug")]
    unset: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let slug = match args.slug {
        Some(slug) => Some(session.org(&slug).get().await?.slug),
        None => None,
    };
    let chosen = slug.clone();
    session.remember(ConfigFile::locate()?, |account| account.work_in(chosen))?;
    session.output.say(&match slug {
        Some(slug) => format!("The default organization is now {slug}."),
        None => "There is no default organization now.".to_owned(),
    });
    Ok(())
}
