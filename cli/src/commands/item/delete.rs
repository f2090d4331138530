//! `svc item delete`, `svc item restore` and `svc item deleted`.

use svc_api::tracker::DeletedItem;
use svc_domain::ids::ItemKey;

use super::shared::show;
use crate::commands::confirm::Confirm;
use crate::commands::in_project::InProject;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::{Table, when};
use crate::session::Session;

/// Delete an item. It can be restored for 30 days.
///
/// You can delete items that you created, and as a project Admin all items. To close an item that is done, use
/// `svc item close`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc item delete PRJ-12
  svc item delete PRJ-12 --yes")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    #[command(flatten)]
    confirm: Confirm,
}

/// Restore a deleted item.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc item restore PRJ-12")]
pub(crate) struct RestoreArgs {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
}

/// List deleted items that `svc item restore` can restore.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc item deleted -p PRJ")]
pub(crate) struct ListArgs {
    #[command(flatten)]
    project: InProject,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let (org, key) = (session.org(&slug), args.key.to_string());
    let item = org.item(&key).await?;
    args.confirm.sure(&format!("Delete {key} {:?}?", item.title), session.output)?;
    org.delete_item(&key).await.map_err(|error| match error.status() {
        Some(403) => Failure::from(error)
            .hint(format!("ask an Admin of {}; members close items with `svc item close`", args.key.project)),
        _ => error.into(),
    })?;
    session.output.say(&format!("deleted {key}; `svc item restore {key}` brings it back for 30 days"));
    Ok(())
}

pub(super) async fn restore(args: RestoreArgs, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    show(&session.org(&slug).restore_item(&args.key.to_string()).await?, session)
}

pub(super) async fn list(args: ListArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let items = session.org(&org).deleted_items(project.as_str()).await?;
    session.output.all(&items, &format!("{project} has no deleted items that can be restored."), table)
}

/// Deleted items, one a row.
fn table(items: &[DeletedItem]) -> Table {
    Table::of(items)
        .fixed("KEY", |item| item.key.as_str())
        .fixed("DELETED", |item| when(item.deleted_at))
        .flexible("BY", |item| item.deleted_by.name.as_str())
        .fixed("UNTIL", |item| when(item.restorable_until))
        .minor()
        .flexible("TITLE", |item| item.title.as_str())
        .end()
}
