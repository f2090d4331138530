//! The factory as people see it: agents, runners, playbooks, runs and their logs (specification sections
//! 1.5, 2.4–2.6, 4.1).

mod agents;
mod artifacts;
mod budgets;
mod changes;
mod code_host;
mod deliveries;
mod log;
mod mentions;
mod playbooks;
mod refinement;
mod refinement_settings;
mod rules;
mod runners;
mod runs;
mod schedules;
mod stats;

pub use agents::{Agent, NewAgent, Ref, UpdateAgent};
pub use artifacts::RunArtifact;
pub use budgets::{Budget, BudgetLeft, BudgetLimits, BudgetUse, Budgets, UpdateBudget};
pub use changes::{ChangedFile, ChangesQuery, RunChanges, RunCommit};
pub use code_host::{CodeHost, CodeHostConnection, CodeHostDeparture, ConnectCodeHost, NewWebhook, Webhook};
pub use deliveries::{
    CodeHostDelivery, DeliveredApp, DeliveredCheck, DeliveredCommit, DeliveredOutput, DeliveredPullRequest,
    DeliveredRepository, DeliveredReview, DeliveredUser,
};
pub use log::{LogEntry, LogPage, LogQuery, LogStream, LogStreamQuery};
pub use mentions::{
    AgentMention, MentionEffect, MentionPreview, MentionStatus, PreviewMentions, PreviewedMention,
};
pub use playbooks::{
    Delivers, DeliveryMode, FactorySettings, NewPlaybook, Playbook, RepositorySource, UpdateFactorySettings,
    UpdatePlaybook,
};
pub use refinement::{
    AnswerRefinement, AnswerTo, AskForChanges, ConfirmRefinement, Refinement, RefinementAnswer,
    RefinementProposal, RefinementQuestion, RefinementRound, RefinementStatus, StartRefinement,
    SubmitRefinement, SubmittedProposal,
};
pub use refinement_settings::{RefinementSettings, UpdateRefinementSettings};
pub use rules::{FiringQuery, NewRule, Rule, RuleFiring, UpdateRule};
pub use runners::{Harness, NewRunner, Runner, RunnerSecret, UpdateRunner};
pub use runs::{Run, RunKind, RunPreview, RunQuery, RunStatus, StartRun, TokenCounts};
pub use schedules::{
    NewSchedule, PreviewSchedule, Schedule, ScheduleFiring, SchedulePreview, UpdateSchedule,
};
pub use stats::{FactoryStats, GroupBy, RunNumbers, StatsGroup, StatsQuery, WeekOfRuns};
