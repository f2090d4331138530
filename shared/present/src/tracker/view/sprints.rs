//! What the wire shows of teams and sprints.

use svc_api::tracker as wire;
use svc_app::tracker::sprints::{Board, BoardItem, Completed, SeenSprint, SprintBurndown};
use svc_app::tracker::teams::SeenTeam;
use svc_domain::sprint::{BurndownPoint, Completion, Work};
use svc_domain::workflow::State;

use crate::actor::actor;
use crate::words::Word as _;

/// A team.
pub fn team(seen: SeenTeam) -> wire::Team {
    wire::Team {
        id: seen.team.id.to_string(),
        key: seen.team.key.into(),
        name: seen.team.name,
        archived: seen.team.archived,
        members: seen.members.iter().map(actor).collect(),
        created_at: seen.team.created_at,
        version: seen.version,
    }
}

/// A sprint with the work in it.
pub fn sprint(seen: SeenSprint) -> wire::Sprint {
    let SeenSprint { project, sprint, version, team, work: in_it } = seen;
    wire::Sprint {
        id: sprint.id.to_string(),
        project: project.into(),
        team: wire::TeamRef { id: team.id.to_string(), key: team.key.into(), name: team.name },
        name: sprint.name,
        goal: sprint.goal,
        start: sprint.start,
        end: sprint.end,
        capacity: sprint.capacity,
        state: sprint.state.sent(),
        work: work(in_it),
        created_at: sprint.created_at,
        started_at: sprint.started_at,
        completion: sprint.completion.map(|completion| completed(&completion)),
        version,
    }
}

fn completed(completion: &Completion) -> wire::SprintCompletion {
    wire::SprintCompletion {
        at: completion.at,
        by: actor(&completion.by),
        unfinished_to: completion.unfinished_to.map(|sprint| sprint.to_string()),
    }
}

const fn work(work: Work) -> wire::Work {
    let Work { items, unfinished, estimate, remaining } = work;
    wire::Work { items, unfinished, estimate, remaining }
}

/// A completed sprint, and what became of its unfinished items.
pub fn completed_sprint(done: Completed) -> wire::CompletedSprint {
    wire::CompletedSprint { sprint: sprint(done.seen), moved: done.moved, left: done.left }
}

/// The taskboard of a sprint.
pub fn taskboard(board: Board<wire::Item>) -> wire::Taskboard {
    let card = |card: BoardItem<wire::Item>| wire::BoardCard { item: card.item, subtasks: card.subtasks };
    let column = |(state, in_it, cards): (State, Work, Vec<BoardItem<wire::Item>>)| wire::BoardColumn {
        state: state.name,
        state_group: state.group.sent(),
        work: work(in_it),
        cards: cards.into_iter().map(card).collect(),
    };
    wire::Taskboard { sprint: sprint(board.sprint), columns: board.columns.into_iter().map(column).collect() }
}

/// The burndown of a sprint.
pub fn burndown(burndown: SprintBurndown) -> wire::Burndown {
    let point = |point: BurndownPoint| wire::BurndownPoint {
        day: point.day,
        at: point.at,
        work: work(point.work),
        added: point.added,
        removed: point.removed,
    };
    wire::Burndown {
        sprint: sprint(burndown.sprint),
        points: burndown.points.into_iter().map(point).collect(),
    }
}
