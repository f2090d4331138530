//! `svc item transfer`: reads the item's version, then moves it to another project under that version.

use svc_api::tracker::TransferItem;
use svc_domain::ids::{ItemKey, ProjectKey};

use crate::failure::Failure;
use crate::keys::{item_key, project_key};
use crate::session::Session;

/// Move an item to another project.
///
/// The item gets a new key there, and the old key leads to it. Comments, attachments, history, runs, links, watchers and
/// up to five subtasks go along; sprint and parent do not. To move an item to another state or sprint, use `svc item move`.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc item transfer PRJ-12 WEB")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// Key of the project to move it to
    #[arg(value_name = "PROJECT_KEY", value_parser = project_key)]
    project: ProjectKey,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let (org, key) = (session.org(&slug), args.key.to_string());
    let version = org.item(&key).await?.version;
    let to = TransferItem { version, project: args.project.to_string() };
    let item = org.transfer_item(&key, &to).await?;
    session.output.say(&format!("{key} is {} now; the old key leads to it", item.key));
    super::shared::show(&item, session)
}
