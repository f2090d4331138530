//! `svc item update`: reads the item's version, then sends the change under it.

use std::path::PathBuf;

use clap::ArgGroup;
use svc_api::tracker::UpdateItem;
use svc_domain::ids::ItemKey;

use super::fields::Fields;
use crate::args::item_key;
use crate::commands::files::read_text;
use crate::failure::Failure;
use crate::session::Session;

/// Change an item's fields.
///
/// Fields that are not named stay as they are. If someone else saves in between, nothing is changed (exit
/// code 3).
#[derive(clap::Args)]
#[command(
    group = ArgGroup::new("change").args(Fields::ARGS).args(["title", "body_file"]).required(true).multiple(true),
    override_usage = "svc item update [OPTIONS] <ITEM_KEY>",
    after_help = "\
Examples:
  svc item update PRJ-12 --priority high --labels bug,search
  svc item update PRJ-12 --labels +urgent,-wontfix
  svc item update PRJ-12 --assignee none"
)]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    #[command(flatten)]
    fields: Fields,
    /// New title, on one line
    #[arg(long)]
    title: Option<String>,
    /// File with the new description in Markdown; - reads stdin
    #[arg(long, value_name = "PATH")]
    body_file: Option<PathBuf>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let body = args.body_file.map(|path| read_text(&path)).transpose()?;
    let slug = session.org_slug().await?;
    let (org, key) = (session.org(&slug), &args.key.to_string());
    let columns = args.fields.columns();
    let fields = args.fields.resolve(&slug, session).await?;
    let update = UpdateItem {
        version: org.item(key).await?.version,
        title: args.title,
        body,
        item_type: fields.item_type,
        priority: fields.priority,
        labels: fields.labels,
        add_labels: fields.add_labels,
        remove_labels: fields.remove_labels,
        estimate: fields.estimate,
        remaining: fields.remaining,
        assignee: fields.assignee,
        parent: fields.parent,
        blocked: fields.blocked,
    };
    super::show_with(&columns, &org.update_item(key, &update).await?, session)
}
