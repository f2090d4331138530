//! What the commands of this noun share: how they name a thing and how they show it.

use crate::failure::Failure;
use crate::output::{Column, Table, name, option, when, yes};
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

/// Organizations that were deleted, one a row.
pub(super) fn deleted_table(orgs: &[Organization]) -> Table {
    let mut table = Table::new([
        Column::fixed("SLUG"),
        Column::fixed("ROLE"),
        Column::fixed("DELETED BY"),
        Column::fixed("RESTORABLE UNTIL"),
        Column::flexible("NAME"),
    ]);
    for org in orgs {
        let deletion = org.deletion.as_ref();
        table.row([
            org.slug.as_str().into(),
            name(&org.role).into(),
            option(deletion.map(|deletion| deletion.by.name.as_str())).into(),
            deletion.map_or_else(|| option(None).into(), |deletion| when(deletion.restorable_until).into()),
            org.name.as_str().into(),
        ]);
    }
    table
}
