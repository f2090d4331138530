//! What the commands of this noun share: how they name a thing and how they show it.

use crate::output::{Column, Table, list, name, when, yes};
use svc_api::identity::Token;

/// Tokens, one a row.
pub(super) fn table(tokens: &[Token]) -> Table {
    let mut table = Table::new([
        Column::id("ID"),
        Column::flexible("SCOPES"),
        Column::flexible("BOUND TO").minor(),
        Column::fixed("EXPIRES"),
        Column::fixed("LAST USED").minor(),
        Column::fixed("CURRENT"),
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
            yes(token.current).into(),
            token.name.as_str().into(),
        ]);
    }
    table
}
