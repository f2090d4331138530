//! `svc org delete` and `svc org restore`.

use super::shared::table;
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Delete an organization and everything in it. It can be restored for 30 days.
///
/// Nobody can open it any more, its runs are cancelled, and its slug stays reserved for the 30 days. Only Owners can
/// delete and restore an organization.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc org delete acme
  svc org delete acme --yes")]
pub(crate) struct Args {
    /// Slug of the organization
    #[arg(value_name = "SLUG")]
    slug: String,
    #[command(flatten)]
    confirm: Confirm,
}

/// Restore a deleted organization with everything in it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc org list --deleted
  svc org restore acme")]
pub(crate) struct RestoreArgs {
    /// Slug of the organization
    #[arg(value_name = "SLUG")]
    slug: String,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    // Says so at once where there is none.
    let slug = session.org(&args.slug).get().await?.slug;
    if args.confirm.asks(session.output) {
        session.output.say("Its queued and running runs are cancelled. It can be restored for 30 days.");
    }
    args.confirm.sure_by_name("organization and everything in it", &slug, session.output)?;
    session.org(&slug).delete().await?;
    session.output.say(&format!(
        "deleted the organization {slug}; `svc org restore {slug}` brings it back for 30 days"
    ));
    Ok(())
}

pub(super) async fn restore(args: RestoreArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org(&args.slug);
    // Restoring what is not deleted changes nothing: perhaps another one was meant.
    if org.get().await.is_ok() {
        return Err(Failure::not_found(format!("the organization {:?} is not deleted", args.slug))
            .hint("`svc org list --deleted` shows those that are"));
    }
    session.output.one(&org.restore().await?, table)
}
