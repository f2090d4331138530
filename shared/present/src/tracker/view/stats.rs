//! Numbers of a project's work, as the API shows them.

use jiff::SignedDuration;
use svc_api::tracker as wire;
use svc_app::tracker::overviews::Overview;
use svc_app::tracker::stats::ProjectStats;
use svc_domain::feed::Standing;
use svc_domain::ids;
use svc_domain::project_stats::{self, Durations, Week};
use svc_domain::sprint::{Completion, Sprint};
use svc_domain::team::Team;

use crate::actor::actor;

/// The numbers of a project.
pub fn stats(stats: ProjectStats) -> wire::ProjectStats {
    wire::ProjectStats {
        from: stats.from,
        until: stats.until,
        weeks: stats.weeks.into_iter().zip(stats.standings).map(week).collect(),
        lead_time: stats.lead.map(durations),
        cycle_time: stats.cycle.map(durations),
        velocity: stats.sprints.into_iter().map(velocity).collect(),
    }
}

/// How far a project is.
pub fn overview(overview: Overview) -> wire::ProjectOverview {
    let Overview { key, backlog, active, resolved, closed, throughput, changed_at, people, agents } =
        overview;
    let actors = |all: Vec<ids::Actor>| all.iter().map(actor).collect();
    wire::ProjectOverview {
        key: key.into(),
        backlog,
        active,
        resolved,
        closed,
        throughput,
        changed_at,
        people: actors(people),
        agents: actors(agents),
    }
}

fn week((week, standing): (Week, Standing)) -> wire::WeekStats {
    let Week { begins, created, resolved } = week;
    let Standing { backlog, active, done, cycle } = standing;
    let cycle_time = project_stats::durations(cycle).map(durations);
    wire::WeekStats { begins, created, resolved, backlog, active, done, cycle_time }
}

fn durations(all: Durations) -> wire::DurationStats {
    let hours = |duration: SignedDuration| (duration.as_secs_f64() / 360.0).round() / 10.0;
    wire::DurationStats {
        items: all.items,
        median_hours: hours(all.median),
        p85_hours: hours(all.p85),
        p95_hours: hours(all.p95),
    }
}

fn velocity((sprint, completion, team): (Sprint, Completion, Option<Team>)) -> wire::SprintVelocity {
    let work = completion.work;
    wire::SprintVelocity {
        sprint: sprint.id.to_string(),
        name: sprint.name,
        team: team.map(|team| team.key.to_string()).unwrap_or_default(),
        completed_at: completion.at,
        items: work.items,
        finished: work.items - work.unfinished.min(work.items),
        estimate: work.estimate,
        done: (work.estimate - work.remaining).max(0.0),
    }
}
