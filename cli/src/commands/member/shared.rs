//! What the commands of this noun share: how they name a thing and how they show it.

use crate::output::{Column, Table, name, yes};
use svc_api::identity::Member;

/// Members of the organization, one a row.
pub(super) fn table(members: &[Member]) -> Table {
    let mut table = Table::new([
        Column::fixed("ROLE"),
        Column::fixed("AI WORK"),
        Column::flexible("EMAIL"),
        Column::flexible("NAME"),
    ]);
    for member in members {
        table.row([
            name(&member.role).into(),
            yes(member.can_start_ai_work).into(),
            member.email.as_str().into(),
            member.display_name.as_str().into(),
        ]);
    }
    table
}
