//! What the commands of this noun share: how they name a thing and how they show it.

use crate::commands::people::are_known;
use crate::output::{Cell, Column, Table, name, option, yes};
use svc_api::identity::{Member, OrgRole};

/// Members of the organization, one a row.
pub(super) fn table(members: &[Member]) -> Table {
    let addresses = are_known(members.iter().map(|member| member.email.as_str()));
    let mut columns = vec![Column::fixed("ROLE"), Column::fixed("AI WORK")];
    columns.extend(addresses.then(|| Column::flexible("EMAIL")));
    columns.push(Column::flexible("NAME"));
    let mut table = Table::new(columns);
    for member in members {
        let mut row: Vec<Cell> = vec![name(&member.role).into(), yes(may_start_ai_work(member)).into()];
        let address = Some(member.email.as_str()).filter(|email| !email.is_empty());
        row.extend(addresses.then(|| option(address).into()));
        row.push(member.display_name.as_str().into());
        table.row(row);
    }
    table
}

/// Whether they may hand items to agents. Administrators always may, other members where the flag says so.
fn may_start_ai_work(member: &Member) -> bool {
    match member.role {
        OrgRole::Owner | OrgRole::Admin => true,
        OrgRole::Member => member.can_start_ai_work,
        OrgRole::Guest | OrgRole::Unknown => false,
    }
}
