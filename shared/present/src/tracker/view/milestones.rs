//! What the wire shows of milestones.

use svc_api::tracker as wire;
use svc_app::tracker::milestones::SeenMilestone;
use svc_domain::workflow::StateGroup;

use crate::words::Word as _;

/// A milestone with how far its items are.
pub fn milestone(seen: SeenMilestone) -> wire::Milestone {
    let SeenMilestone { milestone, progress } = seen;
    wire::Milestone {
        id: milestone.id.to_string(),
        version: milestone.version,
        state: milestone.state().sent(),
        name: milestone.name,
        description: milestone.description,
        due: milestone.due,
        progress: wire::MilestoneProgress {
            items: progress.groups.values().sum(),
            backlog: progress.count(StateGroup::Backlog),
            active: progress.count(StateGroup::Active),
            resolved: progress.count(StateGroup::Resolved),
            closed: progress.count(StateGroup::Closed),
            estimate: progress.work.estimate,
            remaining: progress.work.remaining,
        },
        created_at: milestone.created_at,
        closed_at: milestone.closed_at,
    }
}
