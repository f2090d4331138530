//! Numbers of a project's work: throughput, lead and cycle times, velocity.
//!
//! Answered from the project's feed and its sprints. What was deleted does not count.

use std::cmp::Reverse;
use std::collections::HashMap;

use jiff::civil::Date;
use jiff::tz::Offset;
use svc_domain::access::Capability;
use svc_domain::feed::Standing;
use svc_domain::ids::{MilestoneId, ProjectKey, TeamId};
use svc_domain::project_stats::{Durations, Week, durations, ends_of_weeks, first_monday, weeks};
use svc_domain::sprint::{Completion, Sprint};
use svc_domain::team::Team;
use svc_domain::workflow::StateGroup;
use svc_storage::keys;

use super::{sprints, teams};
use crate::App;
use crate::entry::{Caller, enter_project_with};
use crate::error::Result;

/// Most sprints of an answer.
const SPRINTS: usize = 10;

/// Numbers of a project's work.
#[derive(Clone, Debug, PartialEq)]
pub struct ProjectStats {
    /// The first day, a Monday.
    pub from: Date,
    /// The last day, today.
    pub until: Date,
    /// What happened each week.
    pub weeks: Vec<Week>,
    /// Where the items stood at the end of each of those weeks, or now.
    pub standings: Vec<Standing>,
    /// How long the items that were resolved took since they were created.
    pub lead: Option<Durations>,
    /// How long they took since they left the backlog.
    pub cycle: Option<Durations>,
    /// The sprints that were completed last, the last first, each with its team.
    pub sprints: Vec<(Sprint, Completion, Option<Team>)>,
}

/// The numbers of the last so many weeks, this one included, of all items or of those of a milestone.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::NotFound`].
pub async fn stats(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    wanted: u32,
    milestone: Option<MilestoneId>,
) -> Result<ProjectStats> {
    let rows = |org| keys::workflow(org, project);
    let (entry, row) = enter_project_with(app, caller, project, Capability::SeeProject, rows).await?;
    let org = entry.org_id();
    let workflow = row.map(|row| app.parse_cache.workflows.read(&row)).transpose()?;
    let workflow = workflow.unwrap_or_default();
    let until = Offset::UTC.to_datetime(app.now()).date();
    let from = first_monday(until, wanted);
    let feed = app.feeds.fresh(app, org, project).await?;
    let (found, standings) = {
        let index = feed.read();
        let over = workflow.states.iter().filter(|state| state.group >= StateGroup::Resolved);
        let days = ends_of_weeks(from, until);
        let standings = index.flow(&days, milestone, over.map(|state| state.name.as_str()));
        // The first is where they stood before.
        (index.throughput(from, until, milestone), standings.into_iter().skip(1).collect())
    };
    let mut completed = Vec::new();
    for (sprint, _) in sprints::all(app, org, project).await? {
        completed.extend(sprint.completion.clone().map(|completion| (sprint, completion)));
    }
    completed.sort_by_key(|(_, completion)| Reverse(completion.at));
    completed.truncate(SPRINTS);
    let teams = teams::all(app, org, project).await?;
    let teams: HashMap<TeamId, Team> = teams.into_iter().map(|(team, _)| (team.id, team)).collect();
    let with_team = |(sprint, completion): (Sprint, Completion)| {
        let team = teams.get(&sprint.team).cloned();
        (sprint, completion, team)
    };
    let sprints = completed.into_iter().map(with_team).collect();
    let (weeks, lead, cycle) = (weeks(&found, from, until), durations(found.lead), durations(found.cycle));
    Ok(ProjectStats { from, until, weeks, standings, lead, cycle, sprints })
}
