//! Statistics of the factory over a period: how runs ended, how long they waited and worked, and what they cost.
//!
//! One query over the records that are written when runs end, which are kept for a little more than a year, and the feeds
//! of their projects, which know when the items of those runs were resolved.

use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};
use svc_domain::access::Capability;
use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_domain::run::numbers::{EndedRun, Group, GroupBy, Numbers, Reviews, grouped, numbers};
use svc_storage::{Query, Range, Row, keys};

use crate::App;
use crate::entry::{Caller, enter_org};
use crate::error::Result;
use crate::visible_projects::visible_projects;

/// The time that is asked about where none is named.
const USUAL: SignedDuration = SignedDuration::from_hours(24 * 30);
/// The longest time that is answered about.
const LONGEST: SignedDuration = SignedDuration::from_hours(24 * 366);

/// What is asked.
#[derive(Clone, Debug, Default)]
pub struct StatsQuery {
    /// From when on; 30 days before the end when absent.
    pub from: Option<Timestamp>,
    /// Until when; now when absent.
    pub until: Option<Timestamp>,
    /// A project.
    pub project: Option<ProjectKey>,
    /// What to group by; days when absent.
    pub by: Option<GroupBy>,
    /// Whether to tell of each week of each group too.
    pub weekly: bool,
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Stats {
    /// Start of the period.
    pub from: Timestamp,
    /// End of the period.
    pub until: Timestamp,
    /// What was grouped by.
    pub by: GroupBy,
    /// All runs together.
    pub total: Numbers,
    /// Each group.
    pub groups: Vec<Group>,
}

/// The numbers of the projects whose factory the caller may see.
///
/// # Errors
/// [`Refusal::InvalidQuery`] for a time that ends before it begins or is longer than a year;
/// [`Refusal::FactoryNotPermitted`].
pub async fn stats(app: &App, caller: Caller<'_>, query: &StatsQuery) -> Result<Stats> {
    let entry = enter_org(app, caller, Capability::SeeOrg).await?;
    if !entry.access.is_factory_operator() {
        return Err(Refusal::FactoryNotPermitted.into());
    }
    let until = query.until.unwrap_or_else(|| app.now());
    let from = query.from.unwrap_or_else(|| until.saturating_sub(USUAL).unwrap_or(Timestamp::MIN));
    let span = until.duration_since(from);
    if span <= SignedDuration::ZERO || span > LONGEST {
        let message = "Give a period that starts before it ends and is at most a year long.";
        return Err(Refusal::InvalidQuery(FieldErrors::one("from", message)).into());
    }
    let range = Range::Between(keys::sortable(from.as_millisecond()), keys::sortable(until.as_millisecond()));
    let rows = app.table.query_all(Query::new(keys::ended_runs_pk(entry.org_id()), range, 1_000)).await?;
    let mut runs = rows.iter().map(Row::read).collect::<Result<Vec<EndedRun>, _>>()?;
    runs.retain(|run| query.project.as_ref().is_none_or(|project| *project == run.project));
    let projects = runs.iter().map(|run| run.project.clone()).collect();
    let visible = visible_projects(app, &entry.access, projects).await?;
    // Owners and Admins see every project, and the numbers of those too that were deleted.
    let all = entry.access.configures();
    runs.retain(|run| all || visible.get(&run.project) == Some(&true));
    let by = query.by.unwrap_or(GroupBy::Day);
    let reviews = reviews(app, entry.org_id(), visible.into_keys(), from).await?;
    let groups = grouped(&runs, by, &reviews, query.weekly && by != GroupBy::Day);
    Ok(Stats { from, until, by, total: numbers(&runs, &reviews), groups })
}

/// How long results waited for their items to be resolved, as the feeds of the projects know.
async fn reviews(
    app: &App,
    org: OrgId,
    projects: impl Iterator<Item = ProjectKey>,
    from: Timestamp,
) -> Result<Reviews> {
    let from = Offset::UTC.to_datetime(from).date();
    let mut found = Reviews::new();
    for project in projects {
        let feed = app.feeds.fresh(app, org, &project).await?;
        let seconds = |(run, waited): (_, SignedDuration)| (run, waited.unsigned_abs().as_secs());
        found.extend(feed.read().reviews(from).map(seconds));
    }
    Ok(found)
}
