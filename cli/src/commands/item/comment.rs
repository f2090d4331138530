//! `svc item comment`.

use svc_api::tracker::NewComment;
use svc_domain::ids::ItemKey;

use crate::args::item_key;
use crate::failure::Failure;
use crate::output::{Column, Table, when};
use crate::session::Session;

/// Comment on an item.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc item comment PRJ-12 -m 'Reproduced on the main branch.'")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// Text in Markdown
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    message: String,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let new = NewComment { body: args.message, reply_to: None, attachments: vec![] };
    let comment = session.org(&org).comment(&args.key.to_string(), &new).await?;
    if session.output.json {
        return session.output.json(&comment);
    }
    let mut table = Table::new([Column::fixed("ID"), Column::fixed("WRITTEN"), Column::flexible("AUTHOR")]);
    table.row([
        comment.id.as_str().into(),
        when(comment.created_at).into(),
        comment.author.name.as_str().into(),
    ]);
    session.output.table(&table)
}
