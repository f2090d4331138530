//! `svc attachment add`.

use std::path::PathBuf;

use svc_domain::ids::ItemKey;

use super::shared::table;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::session::Session;
use crate::uploading::attach;

/// Attach a file to an item.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc attachment add PRJ-12 screenshot.png")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// The file
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// Name to give it [default: the file's own]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Media type [default: by the name's ending]
    #[arg(long = "type", value_name = "TYPE")]
    content_type: Option<String>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let (org, key) = (session.org(&slug), args.key.to_string());
    let attachment = attach(org, &key, &args.path, args.name, args.content_type, session.output).await?;
    if session.output.json {
        session.output.json(&attachment)
    } else {
        session.output.table(&table([&attachment]))
    }
}
