//! `svc item subtask`.

use svc_api::tracker::{ItemType, NewItem};
use svc_domain::ids::ItemKey;

use crate::commands::new_name::NewTitle;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::More;
use crate::session::Session;
use crate::values::number;

/// Create a subtask of an item.
#[derive(clap::Args)]
#[command(
    override_usage = "svc item subtask [OPTIONS] --estimate <N> <ITEM_KEY> <TITLE|--title <TITLE>>",
    after_help = "\
Examples:
  svc item subtask PRJ-12 'Write the regression test' --estimate 2
  svc item create --type subtask --parent PRJ-12 'Write the regression test'

A subtask has an estimate. Where you know none yet, use `svc item create`."
)]
pub(crate) struct Args {
    /// Key of the item that it belongs to
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    #[command(flatten)]
    title: NewTitle,
    /// Estimated effort
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number)]
    estimate: f64,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let new = NewItem {
        estimate: Some(args.estimate),
        parent: Some(args.key.to_string()),
        ..NewItem::new(ItemType::Subtask, args.title.into_text())
    };
    let org = session.org_slug().await?;
    let item = session.org(&org).create_item(args.key.project.as_str(), &new).await?;
    super::shared::show_with(&[More::Estimate, More::Parent], &item, session)
}
