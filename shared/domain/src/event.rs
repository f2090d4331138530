//! Domain events: everything that happens to an organization's data, as plain values.
//!
//! A use case tells what happened; it does not write history entries, search rows or messages itself. Each of
//! those is derived from the event in one place (`shared/app/src/derive/`), by a match without a catch-all:
//! who adds a variant here is led by the compiler to every place that must decide about it.
//!
//! Events are not stored and may change freely. What is stored of them is decided by who derives it.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::comment::Comment;
use crate::identity::{OrgRole, ProjectRole};
use crate::ids::{
    Actor, AgentId, AttachmentId, CommentId, InvitationId, ItemKey, OrgId, OrgSlug, PageId, PlaybookId,
    ProjectKey, RuleId, RunId, RunnerId, ScheduleId, SprintId, TeamId, TokenId, UserId,
};
use crate::item::{FieldChange, Item};
use crate::item_link::ItemLink;
use crate::reaction::Emoji;
use crate::refinement::RefinementStatus;
use crate::run::RunStatus;
use crate::wiki::PagePath;

/// An event, where and when it happened, and who did it.
#[derive(Clone, Debug, PartialEq)]
pub struct Occurrence {
    /// The organization; `None` for what concerns an account only.
    pub org: Option<OrgId>,
    /// Who did it; `None` where nobody signed in did.
    pub by: Option<Actor>,
    /// When.
    pub at: Timestamp,
    /// What happened.
    pub event: Event,
}

/// The row of an item was written. Tells lists, sprints and search what changed; what people call the change is
/// another event beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedItem {
    /// The item before; `None` for a new one.
    pub before: Option<Item>,
    /// The item after.
    pub after: Item,
    /// Whether the row went instead: the item was deleted.
    pub gone: bool,
}

/// A page of the wiki, as events name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRef {
    /// The project.
    pub project: ProjectKey,
    /// The page.
    pub id: PageId,
    /// Its path after the event.
    pub path: PagePath,
}

/// A comment, as events name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentRef {
    /// Its item.
    pub item: ItemKey,
    /// The comment.
    pub id: CommentId,
    /// Whether it is hidden from who does not see what agents say.
    pub agents_work: bool,
}

impl CommentRef {
    /// This comment on an item.
    pub fn of(item: &ItemKey, comment: &Comment) -> Self {
        Self { item: item.clone(), id: comment.id, agents_work: comment.is_agents_work() }
    }
}

/// A sprint, as events name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SprintRef {
    /// The project.
    pub project: ProjectKey,
    /// The sprint.
    pub id: SprintId,
    /// Its name.
    pub name: String,
}

/// A playbook, as events name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaybookRef {
    /// The project.
    pub project: ProjectKey,
    /// The playbook.
    pub id: PlaybookId,
    /// Its name.
    pub name: String,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    // --- Organizations and their people.
    /// An organization was created.
    OrgCreated(OrgSlug),
    /// An organization was renamed, from one name to another.
    OrgRenamed(String, String),
    /// An organization became read-only, or writable again.
    OrgReadOnlySet(bool),
    /// An organization was deleted.
    OrgDeleted,
    /// An organization was restored.
    OrgRestored,
    /// A member was added, with a role.
    MemberAdded(UserId, OrgRole),
    /// A member's role or permission to start AI work changed: the role before and after.
    MemberChanged(UserId, OrgRole, OrgRole),
    /// A member was removed, or left.
    MemberRemoved(UserId),
    /// A person got a role in a project.
    ProjectMemberSet(ProjectKey, UserId, ProjectRole),
    /// A person was taken out of a project.
    ProjectMemberRemoved(ProjectKey, UserId),
    /// An invitation was sent, or sent again.
    InvitationSent {
        /// The invitation.
        invitation: InvitationId,
        /// Who is invited.
        email: String,
        /// The generation of its link, where a worker mails it; `None` where the link is passed on by hand.
        mail: Option<u32>,
    },
    /// An invitation was withdrawn.
    InvitationRevoked(InvitationId),
    /// A person accepted an invitation.
    InvitationAccepted(InvitationId, UserId),

    // --- Accounts, which belong to no organization.
    /// An account was created.
    AccountCreated(UserId),
    /// Name, address or picture of an account changed.
    ProfileChanged(UserId),
    /// The password of an account was replaced.
    PasswordChanged(UserId),
    /// Somebody asked for a link to choose a new password for this address.
    PasswordResetAsked(String),
    /// Somebody asked that an account shall have this address, which is to be confirmed.
    NewAddressAsked(UserId, String),
    /// An account was connected with the identity provider.
    ProviderConnected(UserId),
    /// An account's connection with the identity provider ended.
    ProviderDisconnected(UserId),
    /// A session was opened.
    SessionOpened(UserId),
    /// Sessions were ended.
    SessionsEnded(UserId),
    /// A personal access token was made.
    TokenCreated(TokenId),
    /// A personal access token was revoked.
    TokenRevoked(TokenId),

    // --- Projects and what their Admins set.
    /// A project was created.
    ProjectCreated(ProjectKey),
    /// Name or description of a project changed.
    ProjectChanged(ProjectKey),
    /// A project was archived, or revived.
    ProjectArchiveSet(ProjectKey, bool),
    /// A project was deleted.
    ProjectDeleted(ProjectKey),
    /// A project was restored.
    ProjectRestored(ProjectKey),
    /// Nothing is left of a deleted project.
    ProjectPurged(ProjectKey),
    /// The workflow was replaced. These states stay, and went from open work to work that is done, or back.
    WorkflowChanged(ProjectKey, Vec<String>),
    /// A label was defined.
    LabelCreated(ProjectKey, String),
    /// A label was changed, renamed or merged: its name before and after.
    LabelChanged(ProjectKey, String, String),
    /// A label was deleted.
    LabelDeleted(ProjectKey, String),
    /// The milestones changed.
    MilestonesChanged(ProjectKey),
    /// The ticket templates changed.
    TemplatesChanged(ProjectKey),
    /// The saved views that everyone sees changed.
    SharedViewsChanged(ProjectKey),
    /// A team was created.
    TeamCreated(ProjectKey, TeamId),
    /// A team was changed.
    TeamChanged(ProjectKey, TeamId),
    /// A team was deleted.
    TeamDeleted(ProjectKey, TeamId),
    /// A label or state is to be replaced in all items of a project.
    ReplacementBegun(ProjectKey, Uuid),

    // --- Items.
    /// The row of an item was written.
    ItemSaved(Box<SavedItem>),
    /// An item was created.
    ItemCreated(ItemKey),
    /// An item was deleted.
    ItemDeleted(ItemKey),
    /// A deleted item was brought back.
    ItemRestored(ItemKey),
    /// An item came from another project, where it had the first key.
    ItemTransferred(ItemKey, ItemKey),
    /// A field of an item changed.
    ItemChanged(ItemKey, FieldChange),
    /// An item moved to another state.
    ItemMoved {
        /// The item.
        item: ItemKey,
        /// State before.
        from: String,
        /// State after.
        to: String,
        /// The run that moved it.
        run: Option<RunId>,
    },
    /// An item entered a state in a project that has rules, by a person, a run, or when it was created.
    StateEntered {
        /// The item.
        item: ItemKey,
        /// The state.
        state: String,
        /// The run that moved it.
        run: Option<RunId>,
    },
    /// A run could not move its item, because the workflow does not permit it.
    ItemMoveSkipped {
        /// The item.
        item: ItemKey,
        /// The state it is in.
        from: String,
        /// The state it was to move to.
        to: String,
        /// The run.
        run: RunId,
    },
    /// Somebody began to work on an item.
    ItemClaimed {
        /// The item.
        item: ItemKey,
        /// Who held it before.
        from: Option<String>,
        /// The run that claimed it.
        run: Option<RunId>,
    },
    /// Somebody stopped working on an item.
    ItemReleased {
        /// The item.
        item: ItemKey,
        /// Who held it, where another released it.
        from: Option<String>,
        /// The run that released it.
        run: Option<RunId>,
    },
    /// A pull request was linked.
    PullRequestLinked {
        /// The item.
        item: ItemKey,
        /// Its address.
        url: String,
        /// The run that opened it.
        run: Option<RunId>,
    },
    /// The link of a pull request was taken away.
    PullRequestUnlinked(ItemKey, String),
    /// An item was linked with another, as this to it. Each of the two has its own event.
    ItemLinked(ItemKey, ItemLink),
    /// A link with another item was taken away.
    ItemUnlinked(ItemKey, ItemLink),
    /// Subtasks have to follow their item out of a sprint (its id, `None` for the backlog).
    SubtasksLeftBehind(ItemKey, Option<String>),
    /// A person watches an item, or no longer.
    WatchSet(ItemKey, UserId, bool),
    /// What is in a person's inbox changed, or what they have read of it.
    InboxChanged(UserId),
    /// A file was attached to an item under a name.
    Attached(ItemKey, AttachmentId, String),
    /// A file was removed from an item.
    Detached(ItemKey, AttachmentId, String),
    /// An upload was announced.
    UploadAnnounced(ItemKey, AttachmentId),

    // --- Comments.
    /// A comment was written.
    Commented(CommentRef),
    /// A comment's text changed.
    CommentEdited(CommentRef),
    /// A comment mentions an agent, by a person who may start its runs.
    AgentMentioned(ItemKey),
    /// A comment was deleted.
    CommentDeleted(CommentRef),
    /// Somebody reacted to a comment, for the first time if this says so, or took the reaction back.
    ReactionSet(CommentRef, Emoji, bool),

    // --- Sprints.
    /// A sprint was planned.
    SprintPlanned(SprintRef),
    /// A sprint was changed.
    SprintChanged(SprintRef),
    /// A sprint was started.
    SprintStarted(SprintRef),
    /// A sprint was completed; its unfinished items have to leave.
    SprintCompleted(SprintRef),
    /// A planned sprint was deleted; its items have to leave.
    SprintDeleted(SprintRef),

    // --- Wiki.
    /// A page was created, or its text changed: in which version, if that may mention somebody.
    PageWritten(PageRef, Option<u64>),
    /// A page moved, from a path.
    PageMoved(PageRef, PagePath),
    /// A page was deleted.
    PageDeleted(PageRef),
    /// A deleted page was brought back.
    PageBroughtBack(PageRef),
    /// Who reads or edits a page changed.
    PageAccessChanged(PageRef),
    /// Pages of a project are on the move, and not all of them moved yet.
    PagesOnTheMove(ProjectKey),

    // --- The factory.
    /// An agent was created.
    AgentCreated(AgentId, String),
    /// An agent was changed.
    AgentChanged(AgentId, String),
    /// An agent was deleted.
    AgentDeleted(AgentId, String),
    /// An agent was restored.
    AgentRestored(AgentId, String),
    /// A runner was registered.
    RunnerRegistered(RunnerId, String),
    /// A runner was renamed, disabled or enabled.
    RunnerChanged {
        /// The runner.
        runner: RunnerId,
        /// Its name.
        name: String,
        /// Whether it is disabled.
        disabled: bool,
    },
    /// A runner got a new secret.
    RunnerSecretRotated(RunnerId, String),
    /// A runner was deleted.
    RunnerRemoved(RunnerId, String),
    /// A playbook was created.
    PlaybookCreated(PlaybookRef),
    /// A playbook was changed.
    PlaybookChanged(PlaybookRef),
    /// A playbook was deleted.
    PlaybookDeleted(PlaybookRef),
    /// A playbook was restored.
    PlaybookRestored(PlaybookRef),
    /// A rule was made: its id and name.
    RuleCreated(ProjectKey, RuleId, String),
    /// A rule was changed.
    RuleChanged(ProjectKey, RuleId, String),
    /// A rule was deleted.
    RuleDeleted(ProjectKey, RuleId, String),
    /// A schedule was made: its id and name.
    ScheduleCreated(ProjectKey, ScheduleId, String),
    /// A schedule was changed.
    ScheduleChanged(ProjectKey, ScheduleId, String),
    /// A schedule was deleted.
    ScheduleDeleted(ProjectKey, ScheduleId, String),
    /// The factory settings of a project changed.
    FactorySettingsChanged(ProjectKey),
    /// The refinement settings of a project changed.
    RefinementSettingsChanged(ProjectKey),
    /// The organization was connected with an account at the code host.
    CodeHostConnected(String),
    /// The organization's connection with an account at the code host ended.
    CodeHostDisconnected(String),
    /// The organization got a webhook for its code host, or another one.
    WebhookSet,
    /// The organization's webhook was deleted.
    WebhookDeleted,
    /// The budgets of the organization changed.
    BudgetsChanged,
    /// A pull request of an item asks for a follow-up.
    PullRequestAsked(ItemKey),

    /// The refinement of an item went on.
    RefinementChanged(ItemKey, RefinementStatus),

    // --- Runs.
    /// A run of an item was queued.
    RunQueued(ItemKey, RunId),
    /// A run went back to the queue.
    RunReturned(ItemKey, RunId),
    /// A runner took a run.
    RunTaken(ItemKey, RunId),
    /// The harness of a run started.
    RunStarted(ItemKey, RunId),
    /// Somebody asked a run to stop that a runner holds.
    RunCancelAsked(ItemKey, RunId),
    /// A run ended.
    RunEnded(ItemKey, RunId, RunStatus),
    /// A failed run is to be continued by itself after a while.
    RunContinuesLater(RunId, SignedDuration),
}
