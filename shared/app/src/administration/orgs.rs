//! The organizations of the instance: what they hold, and their plan.

use svc_domain::event::InstanceEvent;
use svc_domain::identity::{Org, OrgRole, Plan};
use svc_domain::ids::{OrgId, OrgSlug};
use svc_domain::refusal::Refusal;
use svc_storage::{Key, Limits, Op, Query, Range, RowOf, keys};

use super::Part;
use crate::App;
use crate::error::Result;
use crate::identity::admins::{AdminCaller, enter};
use crate::identity::members::all as members_of;
use crate::project_keys::project_keys;
use crate::tracker::attachments::STORED;
use crate::tracker::items::NUMBER;
use crate::wanted;

/// An organization, as admins of the instance see it.
#[derive(Clone, Debug)]
pub struct ListedOrg {
    /// The organization.
    pub org: Org,
    /// Addresses of its Owners.
    pub owners: Vec<String>,
    /// How many members it has.
    pub members: usize,
    /// How many items were made in its projects.
    pub items: u64,
    /// Bytes of its attachments.
    pub stored_bytes: u64,
}

/// Organizations by slug, those whose slug or name has the text in it. `offset` and `size` are the part that is asked for.
///
/// # Errors
/// As [`enter`].
pub async fn orgs(
    app: &App,
    caller: AdminCaller<'_>,
    search: &str,
    offset: usize,
    size: usize,
) -> Result<Part<ListedOrg>> {
    enter(app, caller).await?;
    let search = search.trim().to_lowercase();
    let mut found = all_orgs(app).await?;
    found.retain(|org| org.slug.as_str().contains(&search) || org.name.to_lowercase().contains(&search));
    found.sort_by(|a, b| a.slug.cmp(&b.slug));
    let total = found.len();
    let mut items = Vec::new();
    for org in found.into_iter().skip(offset).take(size) {
        items.push(listed(app, org).await?);
    }
    Ok(Part { items, total })
}

/// Puts an organization on a plan, or on none. What an earlier plan had deleted does not come back. Doing it again
/// changes nothing.
///
/// # Errors
/// As [`enter`]; [`Refusal::NotFound`].
pub async fn set_plan(
    app: &App,
    caller: AdminCaller<'_>,
    slug: &OrgSlug,
    plan: Option<Plan>,
) -> Result<ListedOrg> {
    let org = app
        .decide(|| async {
            let admin = enter(app, caller).await?;
            let id: OrgId = app.table.get(&keys::slug(slug)).await?.ok_or(Refusal::NotFound)?.read()?;
            // A deleted one has no such row.
            let row = app.table.find(&keys::org(id)).await?.ok_or(Refusal::NotFound)?;
            let before: Org = row.read()?;
            if before.plan == plan {
                return Ok(before);
            }
            let event = InstanceEvent::PlanSet { org: slug.clone(), from: before.plan, to: plan };
            let org = Org { plan, ..before };
            let replaced = Op::replace(keys::org(id), row.version, &org);
            let mut transaction = admin.transaction(app).with([replaced]).telling(event.clone());
            transaction.tell_in(id, admin.by.as_ref(), event);
            app.commit(transaction).await?;
            Ok(org)
        })
        .await?;
    listed(app, org).await
}

/// Every organization that is there.
pub(super) async fn all_orgs(app: &App) -> Result<Vec<Org>> {
    let rows = app.table.query_all(Query::new(keys::ORGS_PK, Range::All, 1_000)).await?;
    let wanted: Vec<_> = rows.iter().filter_map(|row| row.key.sk.parse().ok()).map(keys::org).collect();
    let orgs = wanted::load(app, wanted).await?;
    Ok(orgs.iter().flatten().map(RowOf::read).collect::<Result<_, _>>()?)
}

/// Bytes of the attachments of an organization.
pub(super) async fn stored_bytes(app: &App, org: OrgId) -> Result<u64> {
    let row = app.table.get(&keys::stored(org)).await?;
    Ok(u64::try_from(row.map_or(0, |row| row.counter(STORED))).unwrap_or(0))
}

async fn listed(app: &App, org: Org) -> Result<ListedOrg> {
    let members = members_of(app, org.id).await?;
    let owners = members.iter().filter(|it| it.member.role == OrgRole::Owner);
    let numbers: Vec<Key> =
        project_keys(app, org.id).await?.iter().map(|key| keys::item_number(org.id, key)).collect();
    let mut items = 0;
    for chunk in numbers.chunks(Limits::KEYS) {
        let rows = app.table.get_many(chunk).await?;
        items += rows.iter().flatten().map(|row| row.counter(NUMBER)).sum::<i64>();
    }
    Ok(ListedOrg {
        owners: owners.map(|it| it.member.email.clone()).collect(),
        members: members.len(),
        items: u64::try_from(items).unwrap_or(0),
        stored_bytes: stored_bytes(app, org.id).await?,
        org,
    })
}
