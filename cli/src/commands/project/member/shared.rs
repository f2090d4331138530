//! What the commands of this noun share: how they name a thing and how they show it.

use crate::commands::people::are_known;
use crate::commands::project::shared::role;
use crate::output::{Cell, Column, Table, option};
use std::collections::HashMap;
use svc_api::identity::{Member, ProjectMember};

/// Members of a project, one a row, with what the organization knows of them.
pub(super) fn table(members: &[ProjectMember], known: &[Member]) -> Table {
    let addresses = are_known(known.iter().map(|member| member.email.as_str()));
    let known: HashMap<_, _> = known.iter().map(|member| (&member.user_id, member)).collect();
    let address =
        |member: &ProjectMember| known.get(&member.user_id).map_or("", |known| known.email.as_str());
    let mut columns = vec![Column::fixed("ROLE")];
    columns.extend(addresses.then(|| Column::flexible("EMAIL")));
    columns.push(Column::flexible("NAME"));
    let mut table = Table::new(columns);
    for member in members {
        let in_org = known.get(&member.user_id).map(|known| known.role);
        let mut row: Vec<Cell> = vec![role(Some(member.role), in_org).into()];
        row.extend(addresses.then(|| option(Some(address(member)).filter(|email| !email.is_empty())).into()));
        row.push(member.display_name.as_str().into());
        table.row(row);
    }
    table
}
