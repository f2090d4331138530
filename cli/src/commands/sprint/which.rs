//! The sprint that a person means: by its name, by `current`, or by its id.

use jiff::civil::Date;
use svc_api::Patch;
use svc_api::tracker::{Sprint, SprintQuery};
use svc_domain::ids::ProjectKey;
use uuid::Uuid;

use crate::commands::in_project::InProject;
use crate::commands::named::{Named, pick};
use crate::commands::paging::collect;
use crate::failure::Failure;
use crate::output::{name, option};
use crate::session::Session;
use crate::values::OrNone;

/// What stands for the active sprint of the project.
const CURRENT: &str = "current";

/// A sprint and its project.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Which {
    /// Name of the sprint, in any case; `current` for the active one; or its id
    #[arg(value_name = "SPRINT")]
    sprint: String,
    #[command(flatten)]
    project: InProject,
}

impl Which {
    /// Another sprint of the same project.
    pub(super) fn other(&self, sprint: &str) -> Self {
        Self { sprint: sprint.to_owned(), ..self.clone() }
    }

    /// Id of the sprint. Only a name needs a project.
    pub(super) async fn id(&self, org: &str, session: &Session<'_>) -> Result<String, Failure> {
        if Uuid::try_parse(&self.sprint).is_ok() {
            return Ok(self.sprint.clone());
        }
        find(&self.sprint, &self.project.key(session).await?, org, session).await
    }
}

/// Id of the sprint of a project that `wanted` means.
///
/// # Errors
/// None (exit code 4), or several (exit code 2, with their ids).
pub(in crate::commands) async fn find(
    wanted: &str,
    project: &ProjectKey,
    org: &str,
    session: &Session<'_>,
) -> Result<String, Failure> {
    if Uuid::try_parse(wanted).is_ok() {
        return Ok(wanted.to_owned());
    }
    let current = wanted.eq_ignore_ascii_case(CURRENT);
    let state = current.then(|| "active".to_owned());
    let sprints = collect(None, async |page, size| {
        let (page, page_size) = (Some(page), Some(size));
        let query = SprintQuery { state: state.clone(), page, page_size, ..SprintQuery::default() };
        session.org(org).sprints(project.as_str(), &query).await
    })
    .await?;
    if current { only_active(&sprints, project) } else { named(wanted, &sprints) }
}

/// The sprint that an item is planned in from now on.
///
/// # Errors
/// As [`find`].
pub(in crate::commands) async fn patch(
    wanted: OrNone<String>,
    project: &ProjectKey,
    org: &str,
    session: &Session<'_>,
) -> Result<Patch<String>, Failure> {
    match wanted {
        OrNone::None => Ok(Patch::Clear),
        OrNone::Some(wanted) => find(&wanted, project, org, session).await.map(Patch::Set),
    }
}

fn named(wanted: &str, sprints: &[Sprint]) -> Result<String, Failure> {
    let namesakes: Vec<_> =
        sprints.iter().filter(|sprint| sprint.name.to_lowercase() == wanted.to_lowercase()).collect();
    let found =
        pick("sprint", wanted, sprints.iter().collect(), true, |one| Named { id: &one.id, name: &one.name });
    found.map(|sprint| sprint.id.clone()).map_err(|failure| match namesakes.len() {
        0 | 1 => failure,
        _ => failure.detail(namesakes.into_iter().map(line).collect::<Vec<_>>().join("\n  ")),
    })
}

/// A sprint among others of its name.
fn line(sprint: &Sprint) -> String {
    let day = |day: Option<Date>| option(day.map(|day| day.to_string()).as_deref());
    let Sprint { id, name: called, team, state, start, end, .. } = sprint;
    format!("{id}  {called} (team {}, {}, {} to {})", team.key, name(state), day(*start), day(*end))
}

fn only_active(sprints: &[Sprint], project: &ProjectKey) -> Result<String, Failure> {
    match sprints {
        [only] => Ok(only.id.clone()),
        [] => Err(Failure::not_found(format!("{project} has no active sprint"))
            .hint(format!("`svc sprint list -p {project}` shows its sprints"))),
        several => {
            let lines =
                several.iter().map(|sprint| format!("{}  {} ({})", sprint.id, sprint.name, sprint.team.key));
            Err(Failure::rejected(format!("{project} has an active sprint for each of several teams"))
                .detail(lines.collect::<Vec<_>>().join("\n  "))
                .hint("name the sprint by its name or id"))
        }
    }
}
