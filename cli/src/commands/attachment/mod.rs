//! `svc attachment`.

mod add;
mod delete;
mod get;
mod list;

use clap::Subcommand;
use svc_api::tracker::Attachment;

use crate::failure::Failure;
use crate::output::{Column, Table, size, when};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    Get(get::Args),
    Add(add::Args),
    Delete(delete::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::Get(args) => get::run(args, session).await,
        Command::Add(args) => add::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
    }
}

/// Attachments, one a row.
fn table<'a>(attachments: impl IntoIterator<Item = &'a Attachment>) -> Table {
    let mut table = Table::new([
        Column::fixed("ID"),
        Column::fixed("ON"),
        Column::fixed("SIZE"),
        Column::fixed("TYPE"),
        Column::fixed("ATTACHED"),
        Column::flexible("BY"),
        Column::flexible("NAME"),
    ]);
    for attachment in attachments {
        let on = if attachment.comment.is_some() { "comment" } else { "item" };
        table.row([
            attachment.id.as_str().into(),
            on.into(),
            size(attachment.size).into(),
            attachment.content_type.as_str().into(),
            when(attachment.created_at).into(),
            attachment.author.name.as_str().into(),
            attachment.name.as_str().into(),
        ]);
    }
    table
}
