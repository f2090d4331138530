//! Events of agents, playbooks, rules, schedules and the factory's settings.

use crate::budget::{Limits, Scope};
use crate::ids::{AgentId, PlaybookId, ProjectKey, RuleId, ScheduleId};

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

/// What happens to agents, playbooks, rules, schedules and the settings of the factory.
#[derive(Clone, Debug, PartialEq)]
pub enum FactoryEvent {
    /// An agent was created.
    AgentCreated(AgentId, String),
    /// An agent was changed.
    AgentChanged(AgentId, String),
    /// An agent was deleted.
    AgentDeleted(AgentId, String),
    /// An agent was restored.
    AgentRestored(AgentId, String),
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
    /// A schedule paused itself: no run can begin by it.
    SchedulePaused(ProjectKey, ScheduleId, String),
    /// A schedule was deleted.
    ScheduleDeleted(ProjectKey, ScheduleId, String),
    /// The factory settings of a project changed.
    SettingsChanged(ProjectKey),
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
    BudgetChanged {
        /// Whose it is.
        of: Scope,
        /// Its limits before.
        from: Box<Limits>,
        /// Its limits after.
        to: Box<Limits>,
    },
}
