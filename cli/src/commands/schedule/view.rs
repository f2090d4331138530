//! `svc schedule view`.

use svc_api::factory::Schedule;

use super::playbooks::Playbooks;
use super::shared::{Which, last, on_its_clock};
use crate::failure::Failure;
use crate::output::{Pairs, harness, name};
use crate::session::Session;

/// Show a schedule, its next due times and its items.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc schedule view nightly -p PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let schedule = args.which.find(&org, session).await?;
    let output = session.output;
    if output.json {
        return output.json(&schedule);
    }
    let project = args.which.project.key(session).await?;
    let chosen = Chosen::of(&schedule, project.as_str(), &org, session).await;
    output.pairs(&pairs(&schedule, &chosen))?;
    let body = schedule.body.trim();
    if body.is_empty() { Ok(()) } else { output.text(&format!("\n{body}")) }
}

/// What a schedule chooses for its runs, by name; the id of what the caller may not list.
struct Chosen {
    playbook: String,
    agent: Option<String>,
    runner: Option<String>,
}

impl Chosen {
    async fn of(schedule: &Schedule, project: &str, org: &str, session: &Session<'_>) -> Self {
        let playbooks = Playbooks::of(std::slice::from_ref(schedule), project, org, session).await;
        let mut chosen = Self { playbook: playbooks.word(schedule), agent: None, runner: None };
        let org = session.org(org);
        if let Some(id) = &schedule.agent {
            let agents = org.agents().await.unwrap_or_default();
            let agent = agents.into_iter().find(|known| known.id == *id);
            chosen.agent = Some(agent.map_or_else(|| id.clone(), |agent| agent.name));
        }
        if let Some(id) = &schedule.runner {
            let runners = org.runners().await.unwrap_or_default();
            let runner = runners.into_iter().find(|known| known.id == *id);
            chosen.runner = Some(runner.map_or_else(|| id.clone(), |runner| runner.name));
        }
        chosen
    }
}

fn pairs(schedule: &Schedule, chosen: &Chosen) -> Pairs {
    let mut pairs = Pairs::default();
    pairs.add("name", schedule.name.as_str());
    pairs.add("cron", schedule.cron.as_str());
    pairs.add("time zone", schedule.time_zone.as_str());
    let next: Vec<_> = schedule.next_runs.iter().map(|at| on_its_clock(*at, &schedule.time_zone)).collect();
    pairs.add("next", if next.is_empty() { "paused".to_owned() } else { next.join(", ") });
    if let Some(reason) = &schedule.paused_reason {
        pairs.add("paused because", reason.as_str());
    }
    pairs.add("last", last(schedule));
    pairs.add("type", name(&schedule.item_type));
    pairs.add("title", schedule.title.as_str());
    pairs.add("labels", schedule.labels.join(", "));
    pairs.add("playbook", chosen.playbook.as_str());
    pairs.add("agent", chosen.agent.as_deref().unwrap_or("the project's default"));
    pairs.add("runner", chosen.runner.as_deref().unwrap_or("any"));
    pairs.add("harness", schedule.harness.map_or("the playbook's", harness));
    pairs.add("saved by", schedule.saved_by.name.as_str());
    pairs.add("id", schedule.id.as_str());
    pairs.add("version", schedule.version.to_string());
    pairs
}
