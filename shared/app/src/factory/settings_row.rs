//! The row of a project's factory settings.

use svc_domain::playbook::FactorySettings;
use svc_storage::{Condition, KeyOf, Op, RowOf};

use crate::error::Result;

/// Factory settings as read, or those before anything was set.
pub(super) fn settings_of(row: Option<&RowOf<FactorySettings>>) -> Result<FactorySettings> {
    Ok(RowOf::or_default(row)?)
}

/// The operation that writes factory settings over those that were read.
pub(super) fn settings_op(
    key: KeyOf<FactorySettings>,
    read: Option<&RowOf<FactorySettings>>,
    settings: &FactorySettings,
) -> Op {
    let condition = read.map_or(Condition::Absent, |row| Condition::Version(row.version));
    Op::put(key, condition, settings)
}
