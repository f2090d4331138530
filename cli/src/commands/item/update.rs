//! `svc item update`: reads the item's version, then sends the change under it.

use std::path::PathBuf;

use svc_api::Patch;
use svc_api::tracker::{ItemType, Priority, UpdateItem};

use svc_domain::ids::ItemKey;

use super::labels::Labels;
use crate::args::{OrNone, item_key, item_key_or_none, item_type, priority};
use crate::commands::files::read_text;
use crate::failure::Failure;
use crate::session::Session;

/// Change an item's fields.
///
/// Fields that are not named stay as they are. If someone else saves in between, nothing is changed (exit
/// code 3).
#[derive(clap::Args)]
#[command(
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
    change: Change,
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct Change {
    /// New priority
    #[arg(long, value_parser = priority(), ignore_case = true)]
    priority: Option<Priority>,
    /// Labels separated by commas: a plain list replaces all, +name and -name add and remove
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    labels: Option<Labels>,
    /// New title, on one line
    #[arg(long)]
    title: Option<String>,
    /// File with the new description in Markdown; - reads stdin
    #[arg(long, value_name = "PATH")]
    body_file: Option<PathBuf>,
    /// New kind of work
    #[arg(long = "type", value_name = "TYPE", value_parser = item_type(), ignore_case = true)]
    item_type: Option<ItemType>,
    /// New estimate, or none
    #[arg(long, value_name = "N")]
    estimate: Option<OrNone<f64>>,
    /// New effort left, or none
    #[arg(long, value_name = "N")]
    remaining: Option<OrNone<f64>>,
    /// Id of a member, @me, or none
    #[arg(long, value_name = "USER")]
    assignee: Option<OrNone<String>>,
    /// Item that it belongs to, or none
    #[arg(long, value_name = "ITEM_KEY", value_parser = item_key_or_none)]
    parent: Option<OrNone<ItemKey>>,
    /// Whether something else must happen first
    #[arg(long, value_name = "BOOL")]
    blocked: Option<bool>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let mut update = args.change.into_update()?;
    let org = session.org_slug().await?;
    let key = &args.key.to_string();
    update.version = session.org(&org).item(key).await?.version;
    let item = session.org(&org).update_item(key, &update).await?;
    super::show(&item, session)
}

impl Change {
    /// The change, without the version that it is made under.
    fn into_update(self) -> Result<UpdateItem, Failure> {
        let (labels, add_labels, remove_labels) = match self.labels {
            Some(Labels::Replace(labels)) => (Some(labels), Vec::new(), Vec::new()),
            Some(Labels::Change { add, remove }) => (None, add, remove),
            None => (None, Vec::new(), Vec::new()),
        };
        Ok(UpdateItem {
            version: 0,
            title: self.title,
            body: self.body_file.map(|path| read_text(&path)).transpose()?,
            item_type: self.item_type,
            priority: self.priority,
            labels,
            add_labels,
            remove_labels,
            estimate: patch(self.estimate),
            remaining: patch(self.remaining),
            assignee: patch(self.assignee),
            parent: patch(self.parent.map(|parent| match parent {
                OrNone::None => OrNone::None,
                OrNone::Some(key) => OrNone::Some(key.to_string()),
            })),
            blocked: self.blocked,
        })
    }
}

fn patch<T>(value: Option<OrNone<T>>) -> Patch<T> {
    match value {
        None => Patch::Keep,
        Some(OrNone::None) => Patch::Clear,
        Some(OrNone::Some(value)) => Patch::Set(value),
    }
}
