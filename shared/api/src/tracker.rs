//! Projects, workflow, items, claims, teams, sprints, comments and history (specification sections 2.2, 2.3, 3.3, 4.1).

mod activity;
mod attachments;
mod board;
mod bulk;
mod changes;
mod comments;
mod deleted_items;
mod history;
mod intakes;
mod item_lists;
mod item_page;
mod items;
mod labels;
mod milestones;
mod org_changes;
mod projects;
mod pull_requests;
mod relations;
mod sprints;
mod stats;
mod teams;
mod templates;
mod views;

pub use activity::{ActiveComment, ActiveItem, Activity, ActivityQuery};
pub use attachments::{AnnouncedAttachment, Attachment, NewAttachment, Upload, UploadHeader};
pub use board::{Board, Can};
pub use bulk::{BulkChange, BulkFields, BulkItem, BulkOutcome, BulkResult};
pub use changes::{Changes, ChangesQuery};
pub use comments::{
    AddReaction, Comment, CommentEdit, EditComment, MentionOutcome, MentionReach, NewComment, Reaction,
    Reactor,
};
pub use deleted_items::DeletedItem;
pub use history::{HistoryEntry, TextDiff};
pub use intakes::{
    Intake, IntakeDelivery, IntakeMapping, IntakeReceipt, IntakeWithAddress, NewIntake, UpdateIntake,
};
pub use item_lists::{
    ExportQuery, ItemCountQuery, ItemCounts, ItemGroup, ItemList, ItemQuery, LastRun, OrgItemList,
};
pub use item_page::ItemPage;
pub use items::{Claim, ClaimItem, Item, ItemType, Link, NewItem, Priority, Transition, UpdateItem};
pub use labels::{Label, NewLabel, UpdateLabel};
pub use milestones::{Milestone, MilestoneProgress, MilestoneState, NewMilestone, UpdateMilestone};
pub use org_changes::{Change, ChangeKind, OrgChanges, OrgChangesQuery};
pub use projects::{
    DeleteProjectQuery, NewProject, Project, ProjectQuery, SetWorkflow, SetWorkflowMove, StateGroup,
    UpdateProject, Workflow, WorkflowMove, WorkflowState,
};
pub use pull_requests::{
    FollowUpCause, PullRequest, PullRequestChecks, PullRequestFollowUp, PullRequestReview, PullRequestState,
};
pub use relations::{ItemLink, LinkKind, LinkQuery, Links, NewLink, NewSubtask, TransferItem};
pub use sprints::{
    BoardCard, BoardColumn, Burndown, BurndownPoint, CompleteSprint, CompletedSprint, MoveItem, NewSprint,
    Sprint, SprintCompletion, SprintQuery, SprintState, StartSprint, Taskboard, UpdateSprint, Work,
};
pub use stats::{DurationStats, ProjectOverview, ProjectStats, ProjectStatsQuery, SprintVelocity, WeekStats};
pub use teams::{NewTeam, Team, TeamRef, UpdateTeam};
pub use templates::{NewTemplate, Template, UpdateTemplate};
pub use views::{NewView, SavedView, UpdateView, ViewLayout};
