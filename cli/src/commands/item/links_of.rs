//! `svc item links`.

use svc_domain::ids::ItemKey;

use super::links::lines;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::session::Session;

/// List an item's links to other items and pull requests.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc item links PRJ-12")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, output) = (session.org_slug().await?, session.output);
    let links = session.org(&org).links(&args.key.to_string()).await?;
    if output.json {
        return output.json(&links);
    }
    let lines = lines(&links);
    if lines.is_empty() {
        output.say(&format!("{} has no links; add one with `svc item link`.", args.key));
        return Ok(());
    }
    output.paged(|| lines.iter().try_for_each(|line| output.line(line))).await
}
