//! Projects, workflow, items, claims, comments and history (specification sections 2.2, 2.3, 3.3, 4.1).

mod comments;
mod items;
mod projects;
mod relations;

pub use comments::{Comment, NewComment, Reaction};
pub use items::{
    Claim, ClaimItem, HistoryEntry, Item, ItemQuery, ItemType, Link, NewItem, Priority, Transition,
    UpdateItem,
};
pub use projects::{
    NewProject, Project, ProjectQuery, SetWorkflow, StateGroup, UpdateProject, Workflow, WorkflowMove,
    WorkflowState,
};
pub use relations::{LinkQuery, NewLink, NewSubtask};
