//! Lists of what was deleted and can be restored: what to restore it by, since when it is gone, by whom, and until when
//! it can be restored.

use svc_api::deletion::Deletion;
use svc_client::Error;

use crate::failure::Failure;
use crate::output::{Column, Table, option, when};

/// One row of such a list.
pub(super) struct Gone<'a> {
    /// Key or id.
    pub(super) id: &'a str,
    pub(super) deletion: Option<&'a Deletion>,
    pub(super) name: &'a str,
}

/// The list; `id` is the title of its first column.
pub(super) fn table<'a>(id: &'static str, gone: impl Iterator<Item = Gone<'a>>) -> Table {
    let mut table = Table::new([
        Column::fixed(id),
        Column::fixed("DELETED"),
        Column::flexible("BY"),
        Column::fixed("UNTIL").minor(),
        Column::flexible("NAME"),
    ]);
    for Gone { id, deletion, name } in gone {
        let time = |at| option(Some(when(at)).as_deref());
        table.row([
            id.into(),
            deletion.map_or_else(|| option(None), |deletion| time(deletion.at)).into(),
            option(deletion.map(|deletion| deletion.by.name.as_str())).into(),
            deletion.map_or_else(|| option(None), |deletion| time(deletion.restorable_until)).into(),
            name.into(),
        ]);
    }
    table
}

/// The failure to restore something; `hint` says how to make room where `another` one of the kind has its name by now.
pub(super) fn not_restored(error: Error, another: &str, hint: &str) -> Failure {
    let failure = Failure::from(error);
    match &failure.detail {
        Some(detail) if detail.starts_with(another) => failure.hint(hint),
        _ => failure,
    }
}
