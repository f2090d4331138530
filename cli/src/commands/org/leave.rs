//! `svc org leave`.

use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;
use crate::settings::ConfigFile;

/// Leave an organization and all its projects. To come back, you need a new invitation.
///
/// The last Owner cannot leave (exit code 3).
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc org leave acme")]
pub(crate) struct Args {
    /// Slug of the organization
    #[arg(value_name = "SLUG")]
    slug: String,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let slug = args.slug;
    if args.confirm.asks(session.output) {
        // Says so at once where there is none.
        session.org(&slug).get().await?;
    }
    args.confirm.sure(&format!("Leave {slug} and all its projects?"), session.output)?;
    session.org(&slug).leave().await?;
    session.output.say(&format!("left {slug}"));
    if session.is_stored() {
        session.remember(ConfigFile::locate()?, |account| account.leave(&slug))?;
    }
    Ok(())
}
