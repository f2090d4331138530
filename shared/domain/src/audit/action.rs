//! What lines of the audit log say was done, and to what.

use crate::word::word_enum;

word_enum! {
    /// What was done.
    AuditAction {
        /// The organization was created.
        OrgCreated = "orgCreated",
        /// The organization was renamed.
        OrgRenamed = "orgRenamed",
        /// The organization became read-only or writable.
        OrgReadOnlySet = "orgReadOnlySet",
        /// The organization was deleted.
        OrgDeleted = "orgDeleted",
        /// The organization was restored.
        OrgRestored = "orgRestored",
        /// A member was added.
        MemberAdded = "memberAdded",
        /// A member's role or permissions changed.
        MemberChanged = "memberChanged",
        /// A member is called otherwise.
        MemberRenamed = "memberRenamed",
        /// A member was removed or left.
        MemberRemoved = "memberRemoved",
        /// Groups of the identity provider give other roles.
        GroupRolesChanged = "groupRolesChanged",
        /// A person got a role in a project.
        ProjectMemberSet = "projectMemberSet",
        /// A person was taken out of a project.
        ProjectMemberRemoved = "projectMemberRemoved",
        /// An invitation was sent.
        InvitationSent = "invitationSent",
        /// An invitation was withdrawn.
        InvitationRevoked = "invitationRevoked",
        /// An invitation was accepted.
        InvitationAccepted = "invitationAccepted",
        /// A project was created.
        ProjectCreated = "projectCreated",
        /// A project's name or description changed.
        ProjectChanged = "projectChanged",
        /// A project was archived or revived.
        ProjectArchiveSet = "projectArchiveSet",
        /// A project was deleted.
        ProjectDeleted = "projectDeleted",
        /// A project was restored.
        ProjectRestored = "projectRestored",
        /// Nothing is left of a deleted project.
        ProjectPurged = "projectPurged",
        /// A workflow was replaced.
        WorkflowChanged = "workflowChanged",
        /// A label was deleted.
        LabelDeleted = "labelDeleted",
        /// A milestone was deleted.
        MilestoneDeleted = "milestoneDeleted",
        /// A ticket template was deleted.
        TemplateDeleted = "templateDeleted",
        /// A saved view that others see was deleted.
        ViewDeleted = "viewDeleted",
        /// A team was created.
        TeamCreated = "teamCreated",
        /// A team was changed.
        TeamChanged = "teamChanged",
        /// A team was deleted.
        TeamDeleted = "teamDeleted",
        /// An agent was created.
        AgentCreated = "agentCreated",
        /// An agent was changed.
        AgentChanged = "agentChanged",
        /// An agent was deleted.
        AgentDeleted = "agentDeleted",
        /// An agent was restored.
        AgentRestored = "agentRestored",
        /// A runner was registered.
        RunnerRegistered = "runnerRegistered",
        /// A runner was renamed, disabled or enabled.
        RunnerChanged = "runnerChanged",
        /// A runner got a new secret.
        RunnerSecretRotated = "runnerSecretRotated",
        /// A runner was deleted.
        RunnerRemoved = "runnerRemoved",
        /// A playbook was created.
        PlaybookCreated = "playbookCreated",
        /// A playbook was changed.
        PlaybookChanged = "playbookChanged",
        /// A playbook was deleted.
        PlaybookDeleted = "playbookDeleted",
        /// A playbook was restored.
        PlaybookRestored = "playbookRestored",
        /// Factory settings changed.
        FactorySettingsChanged = "factorySettingsChanged",
        /// A rule was made.
        RuleCreated = "ruleCreated",
        /// A rule was changed.
        RuleChanged = "ruleChanged",
        /// A rule was deleted.
        RuleDeleted = "ruleDeleted",
        /// A schedule was made.
        ScheduleCreated = "scheduleCreated",
        /// A schedule was changed.
        ScheduleChanged = "scheduleChanged",
        /// A schedule was deleted.
        ScheduleDeleted = "scheduleDeleted",
        /// An address that makes items was made.
        IntakeCreated = "intakeCreated",
        /// Such an address was changed, disabled or enabled.
        IntakeChanged = "intakeChanged",
        /// Such an address got another secret.
        IntakeRotated = "intakeRotated",
        /// Such an address was deleted.
        IntakeDeleted = "intakeDeleted",
        /// Refinement settings changed.
        RefinementSettingsChanged = "refinementSettingsChanged",
        /// The organization was connected with a code host.
        CodeHostConnected = "codeHostConnected",
        /// The connection with a code host ended.
        CodeHostDisconnected = "codeHostDisconnected",
        /// The budgets of the organization changed.
        BudgetsChanged = "budgetsChanged",
        /// The organization got a webhook for its code host, or another one.
        WebhookSet = "webhookSet",
        /// The organization's webhook was deleted.
        WebhookDeleted = "webhookDeleted",
        /// A channel of the organization was created.
        ChannelCreated = "channelCreated",
        /// A channel's name changed, or what it is told of.
        ChannelChanged = "channelChanged",
        /// A channel was deleted.
        ChannelDeleted = "channelDeleted",
        /// An outbound webhook was created.
        OutboundWebhookCreated = "outboundWebhookCreated",
        /// An outbound webhook was changed, disabled or enabled.
        OutboundWebhookChanged = "outboundWebhookChanged",
        /// An outbound webhook got a new secret.
        OutboundWebhookSecretRotated = "outboundWebhookSecretRotated",
        /// An outbound webhook was deleted.
        OutboundWebhookDeleted = "outboundWebhookDeleted",
        /// An outbound webhook failed for days, or its address is gone: it was disabled.
        OutboundWebhookDisabled = "outboundWebhookDisabled",
        /// A token that reaches this organization, or all of its owner's, was made.
        TokenCreated = "tokenCreated",
        /// A token that reaches this organization, or all of its owner's, was revoked.
        TokenRevoked = "tokenRevoked",
        /// An item was deleted.
        ItemDeleted = "itemDeleted",
        /// A deleted item was restored.
        ItemRestored = "itemRestored",
        /// A comment was deleted.
        CommentDeleted = "commentDeleted",
        /// A wiki page was deleted.
        PageDeleted = "pageDeleted",
        /// A deleted wiki page was restored.
        PageRestored = "pageRestored",
        /// Who reads or edits a wiki page changed.
        PageAccessChanged = "pageAccessChanged",
        /// A sprint was deleted.
        SprintDeleted = "sprintDeleted",
        /// A run of an agent was started.
        RunStarted = "runStarted",
        /// A run of an agent was cancelled.
        RunCancelled = "runCancelled",
        /// An account was disabled.
        AccountDisabled = "accountDisabled",
        /// An account was enabled again.
        AccountEnabled = "accountEnabled",
        /// An account was signed out everywhere.
        AccountSignedOut = "accountSignedOut",
        /// A link to a new password was made or mailed for an account.
        PasswordLinkMade = "passwordLinkMade",
        /// An organization was put on a plan, or on none.
        PlanSet = "planSet",
        /// Messages that workers gave up on were sent again.
        MessagesReplayed = "messagesReplayed",
        /// A mail was sent to see whether that works.
        MailTested = "mailTested",
    }
}

word_enum! {
    /// What something was done to.
    AuditKind {
        /// The organization.
        Organization = "organization",
        /// A member, or an invitation to become one.
        Member = "member",
        /// A project, its people, its workflow, and what else is set up in it.
        Project = "project",
        /// A team.
        Team = "team",
        /// An agent.
        Agent = "agent",
        /// A runner.
        Runner = "runner",
        /// A playbook.
        Playbook = "playbook",
        /// Settings of the factory, its rules and its schedules.
        Automation = "automation",
        /// A budget.
        Budget = "budget",
        /// A connection to others: a code host, a webhook, a chat.
        Connection = "connection",
        /// A token.
        Token = "token",
        /// An item or a comment on it.
        Item = "item",
        /// A page of the wiki.
        Page = "page",
        /// A sprint.
        Sprint = "sprint",
        /// A run.
        Run = "run",
    }
}

impl AuditAction {
    /// What it is done to.
    pub const fn kind(self) -> AuditKind {
        match self {
            Self::OrgCreated
            | Self::OrgRenamed
            | Self::OrgReadOnlySet
            | Self::OrgDeleted
            | Self::OrgRestored
            | Self::PlanSet
            | Self::MessagesReplayed
            | Self::MailTested => AuditKind::Organization,
            Self::MemberAdded
            | Self::MemberChanged
            | Self::MemberRenamed
            | Self::MemberRemoved
            | Self::GroupRolesChanged
            | Self::InvitationSent
            | Self::InvitationRevoked
            | Self::InvitationAccepted
            | Self::AccountDisabled
            | Self::AccountEnabled
            | Self::AccountSignedOut
            | Self::PasswordLinkMade => AuditKind::Member,
            Self::ProjectMemberSet
            | Self::ProjectMemberRemoved
            | Self::ProjectCreated
            | Self::ProjectChanged
            | Self::ProjectArchiveSet
            | Self::ProjectDeleted
            | Self::ProjectRestored
            | Self::ProjectPurged
            | Self::WorkflowChanged
            | Self::LabelDeleted
            | Self::MilestoneDeleted
            | Self::TemplateDeleted
            | Self::ViewDeleted => AuditKind::Project,
            Self::TeamCreated | Self::TeamChanged | Self::TeamDeleted => AuditKind::Team,
            Self::AgentCreated | Self::AgentChanged | Self::AgentDeleted | Self::AgentRestored => {
                AuditKind::Agent
            }
            Self::RunnerRegistered
            | Self::RunnerChanged
            | Self::RunnerSecretRotated
            | Self::RunnerRemoved => AuditKind::Runner,
            Self::PlaybookCreated
            | Self::PlaybookChanged
            | Self::PlaybookDeleted
            | Self::PlaybookRestored => AuditKind::Playbook,
            Self::FactorySettingsChanged
            | Self::RuleCreated
            | Self::RuleChanged
            | Self::RuleDeleted
            | Self::ScheduleCreated
            | Self::ScheduleChanged
            | Self::ScheduleDeleted
            | Self::RefinementSettingsChanged => AuditKind::Automation,
            Self::BudgetsChanged => AuditKind::Budget,
            Self::CodeHostConnected
            | Self::CodeHostDisconnected
            | Self::WebhookSet
            | Self::WebhookDeleted
            | Self::ChannelCreated
            | Self::ChannelChanged
            | Self::ChannelDeleted
            | Self::IntakeCreated
            | Self::IntakeChanged
            | Self::IntakeRotated
            | Self::IntakeDeleted
            | Self::OutboundWebhookCreated
            | Self::OutboundWebhookChanged
            | Self::OutboundWebhookSecretRotated
            | Self::OutboundWebhookDeleted
            | Self::OutboundWebhookDisabled => AuditKind::Connection,
            Self::TokenCreated | Self::TokenRevoked => AuditKind::Token,
            Self::ItemDeleted | Self::ItemRestored | Self::CommentDeleted => AuditKind::Item,
            Self::PageDeleted | Self::PageRestored | Self::PageAccessChanged => AuditKind::Page,
            Self::SprintDeleted => AuditKind::Sprint,
            Self::RunStarted | Self::RunCancelled => AuditKind::Run,
        }
    }
}
