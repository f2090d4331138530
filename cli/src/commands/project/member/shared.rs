//! What the commands of this noun share: how they name a thing and how they show it.

use crate::output::{Column, Table, name, option};
use std::collections::HashMap;
use svc_api::identity::{Member, ProjectMember};

/// Members of a project, one a row, with the addresses that the organization knows.
pub(super) fn table(members: &[ProjectMember], known: &[Member]) -> Table {
    let addresses: HashMap<_, _> = known.iter().map(|member| (&member.user_id, &member.email)).collect();
    let mut table = Table::new([Column::fixed("ROLE"), Column::flexible("EMAIL"), Column::flexible("NAME")]);
    for member in members {
        let address = addresses.get(&member.user_id).map(|address| address.as_str());
        table.row([name(&member.role).into(), option(address).into(), member.display_name.as_str().into()]);
    }
    table
}
