//! Projects, workflow, items, claims, teams, sprints, comments and history (specification sections 2.2, 2.3, 3.3, 4.1).

mod attachments;
mod comments;
mod items;
mod projects;
mod relations;
mod sprints;
mod teams;

pub use attachments::{AnnouncedAttachment, Attachment, NewAttachment, Upload, UploadHeader};
pub use comments::{AddReaction, Comment, EditComment, NewComment, Reaction, Reactor};
pub use items::{
    Claim, ClaimItem, HistoryEntry, Item, ItemQuery, ItemType, Link, NewItem, Priority, Transition,
    UpdateItem,
};
pub use projects::{
    NewProject, Project, ProjectQuery, SetWorkflow, StateGroup, UpdateProject, Workflow, WorkflowMove,
    WorkflowState,
};
pub use relations::{LinkQuery, NewLink, NewSubtask};
pub use sprints::{
    BoardCard, BoardColumn, Burndown, BurndownPoint, CompleteSprint, CompletedSprint, MoveItem, NewSprint,
    Sprint, SprintCompletion, SprintQuery, SprintState, StartSprint, Taskboard, UpdateSprint, Work,
};
pub use teams::{NewTeam, Team, TeamRef, UpdateTeam};
