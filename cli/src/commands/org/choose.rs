//! `svc org use`.

use crate::failure::Failure;
use crate::session::Session;
use crate::settings::ConfigFile;

/// Choose the organization that commands work in when you do not give --org.
///
/// The choice is stored with your current account. Each organization keeps the project that you chose in it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc org use acme
  svc org use --unset")]
pub(crate) struct Args {
    /// Slug of the organization
    #[arg(value_name = "SLUG", required_unless_present = "unset")]
    slug: Option<String>,
    /// Forget the choice
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
        Some(slug) => format!("Commands work in {slug} now."),
        None => "No organization is chosen now.".to_owned(),
    });
    Ok(())
}
