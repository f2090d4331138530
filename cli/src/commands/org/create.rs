//! `svc org create`.

use svc_api::identity::NewOrganization;

use super::shared::table;
use crate::commands::new_name::taken;
use crate::failure::Failure;
use crate::session::Session;

/// Create an organization. You become its Owner.
///
/// A token that is bound to one organization cannot create another.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc org create acme --name 'Acme Ltd'")]
pub(crate) struct Args {
    /// Slug for addresses, which cannot be changed later: 2 to 40 lower-case letters, digits and hyphens
    #[arg(value_name = "NEW_SLUG")]
    slug: String,
    /// Name shown to people
    #[arg(long)]
    name: String,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let new = NewOrganization { slug: args.slug, name: args.name };
    let created = session.client.create_org(&new).await;
    let next = "choose another slug; one that you do not belong to may have it";
    let org = created.map_err(|error| taken(error, "an organization", &new.slug, next))?;
    session.output.one(&org, table)?;
    session
        .output
        .say(&format!("Work in it with `svc org use {slug}`, or once with --org {slug}.", slug = org.slug));
    Ok(())
}
