//! `get_sprints`.

use schemars::JsonSchema;
use serde::Deserialize;
use svc_api::tracker::Sprint;
use svc_app::tracker::sprints::{self, ListSprints};
use svc_domain::ids::ProjectKey;
use svc_http::{ApiResult, Paging};
use svc_present::tracker::view;

use super::items::{LINES, listed};
use super::named;
use crate::guest::Guest;
use crate::lines::word;
use crate::reply::{Cursor, Reply, clean};

/// Which sprints.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sprints {
    /// Project key
    project: String,
    /// Key of a team
    team: Option<String>,
    cursor: Option<String>,
}

pub(crate) async fn sprints(guest: Guest, arguments: Sprints) -> ApiResult<Reply> {
    let key: ProjectKey = named("project", &arguments.project)?;
    let cursor = Cursor::of(arguments.cursor.as_deref())?;
    let paging = Paging::clamp(Some(cursor.page), Some(LINES));
    let wanted = ListSprints {
        team: arguments.team,
        states: Vec::new(),
        offset: paging.offset(),
        limit: paging.page_size as usize,
    };
    let (found, total) = sprints::list(&guest.app, guest.caller(), &key, &wanted).await?;
    let lines = found.into_iter().map(view::sprint).map(|sprint| line(&sprint)).collect();
    Ok(listed("sprint", "names and goals by people of the project", lines, total, paging))
}

fn line(sprint: &Sprint) -> String {
    let day = |day: Option<jiff::civil::Date>| day.map_or_else(|| "?".to_owned(), |day| day.to_string());
    let (team, name) = (clean(&sprint.team.key), clean(&sprint.name));
    let (start, end) = (day(sprint.start), day(sprint.end));
    let mut line = format!("{} {} team {team} {start} to {end}: {name}", sprint.id, word(&sprint.state));
    if !sprint.goal.is_empty() {
        line.extend([". Goal: ", &clean(&sprint.goal)]);
    }
    line
}
