//! What the wire shows of workflows.

use svc_api::tracker as wire;
use svc_app::tracker::workflow::VersionedWorkflow;
use svc_domain::workflow::State;

use crate::words::Word as _;

/// The workflow of a project.
pub fn workflow(found: VersionedWorkflow) -> wire::Workflow {
    let step = |step: svc_domain::workflow::Move| wire::WorkflowMove { from: step.from, to: step.to };
    wire::Workflow {
        version: found.version,
        states: found.workflow.states.into_iter().map(state).collect(),
        moves: found.workflow.moves.into_iter().map(step).collect(),
    }
}

/// A state of a workflow.
pub fn state(state: State) -> wire::WorkflowState {
    wire::WorkflowState {
        id: Some(state.id()),
        name: state.name,
        group: state.group.sent(),
        wip_limit: state.wip_limit,
        color: state.color,
        description: state.description,
    }
}
