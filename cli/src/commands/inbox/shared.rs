//! What the commands of this noun share: how they name an entry and how they show it.

use svc_api::notifications::{Notification, NotificationQuery};

use crate::failure::Failure;
use crate::output::{Column, Table, when};
use crate::session::Session;

/// Entries, one a row.
pub(super) fn table(entries: &[Notification]) -> Table {
    let mut table = Table::new([
        Column::fixed(""),
        Column::id("ABOUT"),
        Column::fixed("WHEN"),
        Column::flexible("WHAT"),
        Column::flexible("TITLE"),
    ]);
    for entry in entries {
        table.row([
            mark(entry).into(),
            about(entry).into(),
            when(entry.at).into(),
            entry.summary.as_str().into(),
            entry.title.as_str().into(),
        ]);
    }
    table
}

fn mark(entry: &Notification) -> &'static str {
    match (entry.needs_you, entry.read) {
        (true, _) => "!",
        (false, false) => "*",
        (false, true) => "",
    }
}

/// How people name an entry: by the key of its item, or by its id.
pub(super) fn about(entry: &Notification) -> &str {
    entry.item_key.as_deref().unwrap_or(&entry.id)
}

/// The entry with this id, or of the item with this key.
pub(super) async fn find(name: &str, session: &Session<'_>) -> Result<Notification, Failure> {
    for done in [None, Some(true)] {
        let query = NotificationQuery { done, limit: Some(200), ..NotificationQuery::default() };
        let entries = session.client.notifications(&query).await?;
        let named = |entry: &Notification| {
            entry.id == name || entry.item_key.as_ref().is_some_and(|key| key.eq_ignore_ascii_case(name))
        };
        if let Some(found) = entries.into_iter().find(named) {
            return Ok(found);
        }
    }
    let why = format!("Your inbox has nothing about {name:?}. List it with: svc inbox list");
    Err(Failure::rejected(why))
}
