//! What words of a filter mean to who asks: addresses and names of people, keys that items had before they were moved, and
//! whose days are meant. Only what the filter mentions is read.

use std::collections::{BTreeSet, HashMap};

use jiff::tz::TimeZone;
use svc_domain::access::Capability;
use svc_domain::agent::Agent;
use svc_domain::filter::Filter;
use svc_domain::identity::Member;
use svc_domain::ids::{ItemKey, OrgId};
use svc_domain::notification::preferences::Preferences;
use svc_domain::refusal::Refusal;
use svc_domain::schedule::cron::{time_zone, zone_name};
use svc_domain::search::terms::fold_text;
use svc_storage::{Limits, Query, Range, keys};
use uuid::Uuid;

use super::gone::key_now;
use crate::App;
use crate::entry::Entry;
use crate::error::Result;
use crate::wanted;

/// A filter as who asks means it.
#[derive(Clone, Debug)]
pub(super) struct Meant {
    pub(super) filter: Filter,
    /// Whose days it means.
    pub(super) zone: TimeZone,
    /// Name of that, where the filter depends on it.
    pub(super) told: Option<String>,
}

impl Meant {
    /// A filter of this program's own, without people and days.
    pub(super) const fn plain(filter: Filter) -> Self {
        Self { filter, zone: TimeZone::UTC, told: None }
    }

    /// What the caller means by a filter, in this time zone, or that of their account.
    ///
    /// # Errors
    /// [`Refusal::Invalid`] for a time zone that there is not.
    pub(super) async fn of(app: &App, entry: &Entry, filter: Filter, zone: Option<&str>) -> Result<Self> {
        let wanted = zone.map(zone_name).transpose().map_err(|why| Refusal::invalid("timeZone", why))?;
        let depends = filter.depends_on_zone();
        let name = match wanted {
            Some(name) => name,
            None if depends => of_account(app, entry).await?,
            None => "UTC".to_owned(),
        };
        let zone = time_zone(&name).unwrap_or(TimeZone::UTC);
        let filter = with_people(app, entry, filter).await?;
        let filter = with_parents(app, entry.org_id(), filter).await?;
        Ok(Self { filter, zone, told: depends.then_some(name) })
    }
}

/// The time zone of the caller's account. Agents live in UTC.
async fn of_account(app: &App, entry: &Entry) -> Result<String> {
    let Some(user) = entry.access.user() else { return Ok("UTC".to_owned()) };
    let row = app.table.find(&keys::preferences(user)).await?;
    let preferences: Option<Preferences> = row.map(|row| row.read()).transpose()?;
    Ok(preferences.unwrap_or_default().digest.time_zone)
}

/// Finds people by address, of those whose addresses the caller may know, and commenters by name.
async fn with_people(app: &App, entry: &Entry, filter: Filter) -> Result<Filter> {
    let (addresses, names) = (filter.addresses(), filter.commenters());
    if addresses.is_empty() && names.is_empty() {
        return Ok(filter);
    }
    let all = |prefix: &str| {
        let range = Range::Prefix(prefix.to_owned());
        app.table.query_all(Query::new(keys::org_pk(entry.org_id()), range, Limits::KEYS))
    };
    let mut called: Vec<(Uuid, String)> = Vec::new();
    let mut known: HashMap<String, Uuid> = HashMap::new();
    for row in all(keys::MEMBER_PREFIX).await? {
        let member: Member = row.read()?;
        let own = entry.access.user() == Some(member.user);
        if own || entry.access.may(Capability::SeeAdministration) {
            known.insert(member.email.to_lowercase(), member.user.0);
        }
        called.push((member.user.0, fold_text(&member.display_name)));
    }
    if !names.is_empty() {
        for row in all(keys::AGENT_PREFIX).await? {
            let agent: Agent = row.read()?;
            called.push((agent.id.0, fold_text(&agent.name)));
        }
    }
    Ok(filter.with_people(&|name| {
        if name.contains('@') {
            return known.get(&name.to_lowercase()).copied().into_iter().collect();
        }
        let wanted = fold_text(name.trim());
        let is_called = |known: &str| known == wanted || known.split_whitespace().any(|word| word == wanted);
        called.iter().filter(|(_, known)| is_called(known)).map(|(id, _)| *id).collect()
    }))
}

/// Leads old keys of parents on.
async fn with_parents(app: &App, org: OrgId, filter: Filter) -> Result<Filter> {
    let parents: BTreeSet<&ItemKey> = filter.parents().into_iter().collect();
    let parents: Vec<&ItemKey> = parents.into_iter().collect();
    let mut now: HashMap<ItemKey, ItemKey> = HashMap::new();
    let wanted: Vec<_> = parents.iter().map(|key| keys::transfer(org, key)).collect();
    for (key, row) in parents.into_iter().zip(wanted::load(app, wanted).await?) {
        let Some(row) = row else { continue };
        let next = row.read()?.to;
        let last = key_now(app, org, &next).await?.unwrap_or(next);
        now.insert(key.clone(), last);
    }
    if now.is_empty() { Ok(filter) } else { Ok(filter.with_parents(&|key| now.get(key).cloned())) }
}
