//! Reads the audit log of an organization, and that of the instance, which [`crate::derive`] writes.

use std::collections::{BTreeSet, HashMap};

use jiff::Timestamp;
use svc_domain::access::Capability;
use svc_domain::audit::{AuditAction, AuditEntry, AuditKind};
use svc_domain::ids::{ProjectKey, UserId};
use svc_domain::refusal::Refusal;
use svc_storage::{Query, Range, keys};

use crate::App;
use crate::entry::{Caller, enter_org};
use crate::error::Result;
use crate::wanted;

/// Lines that are read at once.
const AT_ONCE: usize = 200;

/// Lines that are looked at for one answer: a filter that few of them pass is answered in parts.
const MOST_READ: usize = 2_000;

/// Which lines are wanted.
#[derive(Clone, Debug, Default)]
pub struct AuditFilter {
    /// Only these actions; all when empty.
    pub actions: BTreeSet<AuditAction>,
    /// Only what was done to these kinds of things; all when empty.
    pub kinds: BTreeSet<AuditKind>,
    /// Only what the person or agent of this id did.
    pub by: Option<String>,
    /// Only what was done to what has this id.
    pub subject: Option<String>,
    /// Only in this project.
    pub project: Option<ProjectKey>,
    /// Only at this time or later.
    pub since: Option<Timestamp>,
    /// Only before this time.
    pub until: Option<Timestamp>,
    /// Only before the line with this id.
    pub before: Option<String>,
}

impl AuditFilter {
    fn matches(&self, line: &AuditEntry) -> bool {
        let is = |wanted: &Option<String>, value: Option<&str>| {
            wanted
                .as_deref()
                .is_none_or(|wanted| value.is_some_and(|value| value.eq_ignore_ascii_case(wanted)))
        };
        let by = line.by.as_ref().map(|by| by.id.to_string());
        (self.actions.is_empty() || self.actions.contains(&line.action))
            && (self.kinds.is_empty() || self.kinds.contains(&line.action.kind()))
            && is(&self.by, by.as_deref())
            && is(&self.subject, line.subject.as_deref())
            && (self.project.is_none() || self.project == line.project)
    }

    /// The sort keys of the lines of its time. A range includes both of its ends, so that `before` may be among them.
    fn range(&self) -> Result<Range> {
        let wrong = || Refusal::invalid("before", "It must be the `next` of an earlier answer.");
        let before = self.before.as_deref().map(|id| keys::line_place(id).ok_or_else(wrong)).transpose()?;
        let from = keys::sortable(self.since.map_or(0, Timestamp::as_millisecond));
        let until = self.until.map(|until| keys::sortable(until.as_millisecond()));
        let to = before.into_iter().chain(until).min();
        Ok(Range::Between(from, to.unwrap_or_else(|| "~".to_owned())))
    }
}

/// Lines of the audit log, newest first.
#[derive(Clone, Debug, Default)]
pub struct AuditLines {
    /// The lines, each with its id.
    pub lines: Vec<(String, AuditEntry)>,
    /// The addresses of the people whom lines name: names are not unique, and people change them.
    pub addresses: HashMap<UserId, String>,
    /// The id before which to go on; `None` at the end.
    pub next: Option<String>,
}

/// At most `limit` lines of the audit log that pass a filter, newest first. Members that a line names by id alone are
/// named.
///
/// # Errors
/// [`Refusal::Invalid`] for a place that no line can have; what [`Capability::SeeAdministration`] refuses.
pub async fn audit_log(
    app: &App,
    caller: Caller<'_>,
    filter: AuditFilter,
    limit: usize,
) -> Result<AuditLines> {
    let entry = enter_org(app, caller, Capability::SeeAdministration).await?;
    read(app, keys::audit_pk(entry.org_id()), filter, limit).await
}

/// The lines of the audit log in a partition, as [`audit_log`].
pub(crate) async fn read(app: &App, pk: String, filter: AuditFilter, limit: usize) -> Result<AuditLines> {
    let mut query = Query::new(pk, filter.range()?, AT_ONCE).descending();
    let (mut found, mut read) = (AuditLines::default(), 0);
    'reading: loop {
        let page = app.table.query(&query).await?;
        for row in page.rows {
            let id = keys::line_id(&row.key.sk);
            if filter.before.as_ref() == Some(&id) {
                continue;
            }
            if found.lines.len() == limit || read == MOST_READ {
                break 'reading;
            }
            read += 1;
            let line: AuditEntry = row.read()?;
            found.next = Some(id.clone());
            if filter.matches(&line) {
                found.lines.push((id, line));
            }
        }
        query.cursor = page.cursor;
        if query.cursor.is_none() {
            found.next = None;
            break;
        }
    }
    found.addresses = name_members(app, &mut found.lines).await?;
    Ok(found)
}

/// Names the people whom lines name by id alone, former members too; answers the addresses of all people.
async fn name_members(app: &App, lines: &mut [(String, AuditEntry)]) -> Result<HashMap<UserId, String>> {
    let people: BTreeSet<UserId> =
        lines.iter().flat_map(|(_, line)| [line.actor(), line.person()]).flatten().collect();
    let (mut names, mut addresses) = (HashMap::new(), HashMap::new());
    for row in
        wanted::load(app, people.into_iter().map(keys::user).collect::<Vec<_>>()).await?.iter().flatten()
    {
        let user = row.read()?;
        names.insert(user.id, user.display_name);
        addresses.insert(user.id, user.email);
    }
    for (_, line) in lines {
        let unnamed = line.person().filter(|_| line.name.is_none());
        line.name = unnamed.and_then(|user| names.get(&user).cloned()).or_else(|| line.name.take());
    }
    Ok(addresses)
}
