//! `svc token`: the caller's access tokens.

mod create;
mod expiry;
mod list;
mod revoke;

use clap::Subcommand;
use svc_api::identity::Token;

use crate::failure::Failure;
use crate::output::{Column, Table, list, name, when};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    Create(create::Args),
    Revoke(revoke::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::Create(args) => create::run(args, session).await,
        Command::Revoke(args) => revoke::run(args, session).await,
    }
}

/// Tokens, one a row.
fn table(tokens: &[Token]) -> Table {
    let mut table = Table::new([
        Column::fixed("ID"),
        Column::flexible("SCOPES"),
        Column::flexible("BOUND TO"),
        Column::fixed("EXPIRES"),
        Column::fixed("LAST USED"),
        Column::flexible("NAME"),
    ]);
    for token in tokens {
        let scopes: Vec<_> = token.scopes.iter().map(name).collect();
        table.row([
            token.id.as_str().into(),
            list(&scopes).into(),
            token.organization.as_deref().unwrap_or("-").into(),
            token.expires_at.map_or_else(|| "never".to_owned(), when).into(),
            token.last_used_at.map_or_else(|| "-".to_owned(), when).into(),
            token.name.as_str().into(),
        ]);
    }
    table
}
