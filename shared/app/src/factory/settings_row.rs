//! The row of a project's factory settings.

use svc_domain::playbook::FactorySettings;
use svc_storage::{Condition, Key, Op, Row};

use crate::error::Result;

/// Factory settings as read, or those before anything was set.
pub(super) fn settings_of(row: Option<&Row>) -> Result<FactorySettings> {
    Ok(row.map(Row::read).transpose()?.unwrap_or_default())
}

/// The operation that writes factory settings over those that were read.
pub(super) fn settings_op(key: Key, read: Option<&Row>, settings: &FactorySettings) -> Op {
    let condition = read.map_or(Condition::Absent, |row| Condition::Version(row.version));
    Op::put(key, condition, settings)
}
