//! Lists of sprints.

use std::cmp::Reverse;
use std::collections::HashMap;

use svc_domain::access::Capability;
use svc_domain::ids::{ProjectKey, TeamId};
use svc_domain::refusal::Refusal;
use svc_domain::sprint::{Sprint, SprintState, Work};
use svc_domain::team::Team;
use svc_storage::{StorageError, keys};

use super::load::{SeenSprint, all, who_completed, work_in};
use crate::App;
use crate::entry::{Caller, enter_project_with};
use crate::error::Result;
use crate::identity::bring_up_to_date;
use crate::tracker::teams;

/// Which sprints a caller wants to see.
#[derive(Clone, Debug, Default)]
pub struct ListSprints {
    /// Key or id of a team.
    pub team: Option<String>,
    /// Any of these states; all when empty.
    pub states: Vec<SprintState>,
    /// How many come before.
    pub offset: usize,
    /// How many at most.
    pub limit: usize,
}

/// A project's sprints and how many match: the active ones, then the planned ones in the order in which they
/// begin, then the completed ones, the last completed first.
///
/// # Errors
/// [`Refusal::NotFound`]; [`Refusal::Invalid`] for a team that there is not.
pub async fn list(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    wanted: &ListSprints,
) -> Result<(Vec<SeenSprint>, u64)> {
    let rows = |org| keys::workflow(org, project);
    let (entry, row) = enter_project_with(app, caller, project, Capability::SeeProject, rows).await?;
    let org = entry.org_id();
    let workflow = app.parse_cache.workflow(row)?;
    let teams = teams::all(app, org, project).await?;
    let team = match &wanted.team {
        Some(word) => {
            let unknown = || Refusal::invalid("team", teams::unknown(&teams, word));
            Some(teams::find(&teams, word).ok_or_else(unknown)?.0.id)
        }
        None => None,
    };
    let mut sprints = all(app, org, project).await?;
    let fits = |sprint: &Sprint| {
        team.is_none_or(|team| sprint.team == team)
            && (wanted.states.is_empty() || wanted.states.contains(&sprint.state))
    };
    sprints.retain(|(sprint, _)| fits(sprint));
    sprints.sort_by(|(a, _), (b, _)| {
        let place = |sprint: &Sprint| {
            let ended = sprint.completion.as_ref().map(|completion| Reverse(completion.at));
            (order(sprint.state), ended)
        };
        place(a).cmp(&place(b)).then_with(|| a.comes_before(b))
    });
    let total = sprints.len() as u64;
    let by_id: HashMap<TeamId, Team> = teams.into_iter().map(|(team, _)| (team.id, team)).collect();
    let mut page: Vec<(Sprint, u64)> = sprints.into_iter().skip(wanted.offset).take(wanted.limit).collect();
    bring_up_to_date(app, org, page.iter_mut().flat_map(|(sprint, _)| who_completed(sprint))).await?;
    let feed = app.feeds.fresh(app, org, project).await?;
    let index = feed.read();
    let seen = page.into_iter().map(|(sprint, version)| {
        let now = || work_in(&index, sprint.id, &workflow);
        let work: Work = sprint.completion.as_ref().map_or_else(now, |completion| completion.work);
        let gone = || StorageError::Corrupt(format!("sprint {}: no team {}", sprint.id, sprint.team));
        let team = by_id.get(&sprint.team).cloned().ok_or_else(gone)?;
        Ok(SeenSprint { project: project.clone(), sprint, version, team, work })
    });
    Ok((seen.collect::<Result<_, StorageError>>()?, total))
}

const fn order(state: SprintState) -> u8 {
    match state {
        SprintState::Active => 0,
        SprintState::Planned => 1,
        SprintState::Completed => 2,
    }
}
