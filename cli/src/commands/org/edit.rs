//! `svc org edit`: reads the organization's version, then sends the change under it.

use svc_api::identity::UpdateOrganization;

use super::shared::table;
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Rename an organization, or make it read-only and writable again.
///
/// Owners and Admins can rename it, Owners can make it read-only. If someone else saves in between, nothing is
/// changed (exit code 3).
#[derive(clap::Args)]
#[command(
    override_usage = "svc org edit [OPTIONS] [SLUG]",
    after_help = "\
Examples:
  svc org edit --name 'Acme Ltd'
  svc org edit acme --read-only true"
)]
pub(crate) struct Args {
    /// Slug of the organization [default: your current one]
    #[arg(value_name = "SLUG")]
    slug: Option<String>,
    #[command(flatten)]
    change: Change,
    #[command(flatten)]
    confirm: Confirm,
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct Change {
    /// New name
    #[arg(long)]
    name: Option<String>,
    /// Whether the organization is read-only
    #[arg(long, value_name = "BOOL")]
    read_only: Option<bool>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let slug = super::shared::named(args.slug, session).await?;
    if args.change.read_only == Some(true) && args.confirm.asks(session.output) {
        // Says so at once where there is none.
        session.org(&slug).get().await?;
        let question = format!(
            "Make {slug} read-only? Nobody can change anything in it until an Owner makes it \
        writable again."
        );
        args.confirm.sure_on_terminal(&question, session.output)?;
    }
    let Change { name, read_only } = args.change;
    let version = session.org(&slug).get().await?.version;
    let org = session.org(&slug).update(&UpdateOrganization { version, name, read_only }).await?;
    session.output.one(&org, table)
}
