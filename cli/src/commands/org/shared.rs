//! What the commands of this noun share: how they name a thing and how they show it.

use crate::failure::Failure;
use crate::output::{Column, Table, name, yes};
use crate::session::Session;
use svc_api::identity::Organization;

/// The organization that a command names, else the one that is set.
pub(super) async fn named(slug: Option<String>, session: &Session<'_>) -> Result<String, Failure> {
    match slug {
        Some(slug) => Ok(slug),
        None => session.org_slug().await,
    }
}

/// Organizations, one a row.
pub(super) fn table(orgs: &[Organization]) -> Table {
    let mut table = Table::new([
        Column::fixed("SLUG"),
        Column::fixed("ROLE"),
        Column::fixed("AI WORK"),
        Column::fixed("READ-ONLY"),
        Column::flexible("NAME"),
    ]);
    for org in orgs {
        table.row([
            org.slug.as_str().into(),
            name(&org.role).into(),
            yes(org.can_operate_factory).into(),
            yes(org.read_only).into(),
            org.name.as_str().into(),
        ]);
    }
    table
}
