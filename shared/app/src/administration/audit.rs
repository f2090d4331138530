//! Reads the audit log of the instance.

use svc_storage::keys;

use crate::App;
use crate::error::Result;
use crate::identity::admins::{AdminCaller, enter};
use crate::identity::audit_log::read;
use crate::identity::{AuditFilter, AuditLines};

/// At most `limit` lines of the audit log of the instance that pass a filter, newest first.
///
/// # Errors
/// As [`enter`]; [`svc_domain::refusal::Refusal::Invalid`] for a place that no line can have.
pub async fn instance_audit(
    app: &App,
    caller: AdminCaller<'_>,
    filter: AuditFilter,
    limit: usize,
) -> Result<AuditLines> {
    enter(app, caller).await?;
    read(app, keys::INSTANCE_AUDIT_PK.to_owned(), filter, limit).await
}
