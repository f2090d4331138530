//! Settings that rules and use cases read, under the names of the specification (`Automation:MaxLogBytes`).
//!
//! Owns names, defaults and bounds. Where they come from (a TOML file, the environment) is the business of
//! the room that boots a process.

mod administration;

use serde::{Deserialize, Serialize};
use svc_domain::identity::Plan;

pub use administration::{Administration, Creators};

/// All settings of the service's behaviour.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct Settings {
    /// Addresses of the service.
    pub service: Service,
    /// Sign-in and sessions.
    pub authentication: Authentication,
    /// Who administers the instance, and who may create organizations.
    pub administration: Administration,
    /// The factory.
    pub automation: Automation,
    /// Attachments.
    pub attachments: Attachments,
    /// Claims.
    pub claims: Claims,
    /// Request budgets.
    pub rate_limits: RateLimits,
    /// How much one account or organization may have.
    pub limits: Limits,
    /// How people are told of things outside the service.
    pub notifications: Notifications,
    /// How long things are kept.
    pub retention: Retention,
    /// What plans of the hosted service say instead.
    pub billing: Billing,
    /// What a process keeps in memory.
    pub memory: Memory,
}

/// What a process keeps in memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct Memory {
    /// Items of all projects together, about 1 kB each: what was not asked for longest is read anew when it is
    /// asked for. One project is kept whatever its size. Four times as many runs are kept beside them, in less than
    /// a fifth of that memory.
    pub max_items: usize,
}

impl Memory {
    /// Runs of all organizations together that are kept for lists, about 32 bytes each.
    pub const fn max_runs(&self) -> usize {
        self.max_items.saturating_mul(4)
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self { max_items: 300_000 }
    }
}

/// Addresses of the service, and how it answers those that wait for news.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct Service {
    /// Address that people and runners use, without a final slash; taken from `--listen` when empty.
    pub base_url: String,
    /// How many reverse proxies in front of the service add to `X-Forwarded-For`; 0 trusts none.
    pub trusted_proxies: u32,
    /// Whether answers are held open for those that wait.
    pub streams: Streams,
    /// Seconds until a client that got a short stream asks again.
    pub poll_seconds: u32,
}

impl Default for Service {
    fn default() -> Self {
        Self { base_url: String::new(), trusted_proxies: 0, streams: Streams::Held, poll_seconds: 5 }
    }
}

/// How streams, and a runner's requests for work, are answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Streams {
    /// Held open until there is news.
    #[default]
    Held,
    /// At once, with a place to go on from and the time after which to ask again: for hosts that charge for the time
    /// that an answer takes.
    Short,
}

/// Sign-in and sessions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct Authentication {
    /// Hours after which a session ends that is not renewed.
    pub session_hours: u32,
    /// Hours for which an invitation can be accepted.
    pub invitation_hours: u32,
    /// Whether the session cookie is sent over HTTPS only. Turn it off only where the service is reached
    /// over plain HTTP; loopback addresses are exempt by themselves.
    pub secure_cookies: bool,
}

impl Default for Authentication {
    fn default() -> Self {
        Self { session_hours: 24 * 14, invitation_hours: 24 * 7, secure_cookies: true }
    }
}

/// The factory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct Automation {
    /// Bytes of a run's log that are kept (specification section 8).
    pub max_log_bytes: u64,
    /// Seconds without a heartbeat after which a run's runner counts as lost.
    pub runner_lost_seconds: u32,
    /// Seconds between a runner's heartbeats.
    pub heartbeat_seconds: u32,
    /// Seconds that a runner's request for work may wait.
    pub take_wait_seconds: u32,
    /// Seconds between two requests of a runner for work, where streams are short.
    pub take_every_seconds: u32,
    /// Minutes of a playbook that names no time limit.
    pub default_time_limit_minutes: u32,
}

impl Default for Automation {
    fn default() -> Self {
        Self {
            max_log_bytes: 8 * 1024 * 1024,
            runner_lost_seconds: 300,
            heartbeat_seconds: 15,
            take_wait_seconds: 20,
            take_every_seconds: 25,
            default_time_limit_minutes: 60,
        }
    }
}

/// Attachments (specification section 8 limits what a run takes of them; these limit what is kept).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct Attachments {
    /// Bytes of one attachment.
    pub max_bytes: u64,
    /// Attachments of one item, those of its comments included.
    pub max_per_item: u64,
    /// Media types that are taken, such as `image/*, application/pdf`; empty takes every type.
    pub allowed_types: String,
    /// Minutes in which the bytes of an announced attachment must arrive.
    pub upload_minutes: u32,
    /// Hours after which an attachment for a comment goes that was never written.
    pub unreferenced_hours: u32,
}

impl Default for Attachments {
    fn default() -> Self {
        Self {
            max_bytes: 50 * 1024 * 1024,
            max_per_item: 200,
            allowed_types: String::new(),
            upload_minutes: 60,
            unreferenced_hours: 24,
        }
    }
}

/// Claims.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct Claims {
    /// Seconds without a heartbeat after which anyone may claim the item.
    pub stale_seconds: u32,
}

impl Default for Claims {
    fn default() -> Self {
        Self { stale_seconds: 300 }
    }
}

impl Claims {
    /// Age of its last heartbeat from which a claim is stale.
    pub fn stale_after(&self) -> jiff::SignedDuration {
        jiff::SignedDuration::from_secs(i64::from(self.stale_seconds))
    }
}

/// Request budgets, per minute (specification section 8), and that of invitations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct RateLimits {
    /// Requests per IP address, or per token when one is presented.
    pub requests_per_minute: u32,
    /// How many tokens' requests a person may make under all tokens and sessions together.
    pub tokens_worth_per_account: u32,
    /// Requests to sign-in routes per IP address.
    pub authentication_per_minute: u32,
    /// Requests per runner secret: enough for the heartbeats and log batches of 16 runs at once.
    pub runner_per_minute: u32,
    /// Mails to invited addresses an hour, by one account and for one organization. Organizations older than 30 days send
    /// five times as many.
    pub invitations_per_hour: u32,
    /// The same, a day.
    pub invitations_per_day: u32,
}

impl Default for RateLimits {
    fn default() -> Self {
        Self {
            requests_per_minute: 300,
            tokens_worth_per_account: 3,
            authentication_per_minute: 10,
            runner_per_minute: 6_000,
            invitations_per_hour: 20,
            invitations_per_day: 100,
        }
    }
}

impl RateLimits {
    /// Requests that a person may make in a minute under all tokens and sessions together.
    pub const fn account_per_minute(&self) -> u32 {
        self.requests_per_minute.saturating_mul(self.tokens_worth_per_account)
    }
}

/// How much one account or organization may have. What is there already stays when a limit is lowered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct Limits {
    /// Access tokens of a person.
    pub tokens_per_account: u32,
    /// Organizations that a person belongs to and still makes another.
    pub organizations_per_account: u32,
    /// Runners of an organization.
    pub runners_per_organization: u32,
    /// Megabytes of attachments of an organization without a plan; 0 for as many as the disk holds.
    pub storage_megabytes: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            tokens_per_account: 100,
            organizations_per_account: 50,
            runners_per_organization: 1_000,
            storage_megabytes: 0,
        }
    }
}

/// How people are told of things outside the service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct Notifications {
    /// Token of the Telegram bot that chats are connected with; without one there is no chat_1.
    pub chat_1_bot_token: BotToken,
    /// Name of the bot, without the at sign.
    pub chat_1_bot_username: String,
    /// Address of Telegram's API.
    pub chat_1_api_url: String,
    /// Whether Telegram delivers what chats say, instead of being asked for it: on Lambda.
    pub chat_1_webhook: bool,
    /// What addresses of Slack's incoming webhooks begin with.
    pub chat_2_prefix: String,
    /// What addresses of Discord's webhooks begin with.
    pub chat_3_prefix: String,
    /// What names of hosts of Teams' workflows end with, apart by commas.
    pub chat_4_hosts: String,
}

impl Default for Notifications {
    fn default() -> Self {
        Self {
            chat_1_bot_token: BotToken::default(),
            chat_1_bot_username: String::new(),
            chat_1_api_url: "https://api.telegram.org".into(),
            chat_1_webhook: false,
            chat_2_prefix: "https://hooks.slack.com/services/".into(),
            chat_3_prefix: "https://discord.com/api/webhooks/".into(),
            chat_4_hosts: "logic.azure.com, api.powerplatform.com".into(),
        }
    }
}

impl Notifications {
    /// Name of the bot, where there is one.
    pub fn bot(&self) -> Option<&str> {
        let given = !self.chat_1_bot_token.0.is_empty() && !self.chat_1_bot_username.is_empty();
        given.then_some(self.chat_1_bot_username.as_str())
    }
}

/// A token that is never printed.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BotToken(pub String);

impl std::fmt::Debug for BotToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_empty() { "" } else { "…" })
    }
}

/// How long things are kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct Retention {
    /// Days that the chunks of run logs are kept.
    pub run_log_days: u32,
    /// Minutes between sweeps.
    pub sweep_interval_minutes: u32,
    /// Days that the lines of an organization's audit log are kept.
    pub audit_days: u32,
}

impl Default for Retention {
    fn default() -> Self {
        Self { run_log_days: 30, sweep_interval_minutes: 60, audit_days: 365 }
    }
}

impl Settings {
    /// Seconds that an answer to a runner is held open until there is news.
    pub const fn take_wait_seconds(&self) -> u32 {
        match self.service.streams {
            Streams::Held => self.automation.take_wait_seconds,
            Streams::Short => 0,
        }
    }

    /// Seconds between two requests of a runner for work.
    pub const fn take_every_seconds(&self) -> u32 {
        match self.service.streams {
            Streams::Held => 1,
            Streams::Short => self.automation.take_every_seconds,
        }
    }

    /// Bytes of attachments that an organization on this plan may have; `None` for as many as there is room for.
    pub fn storage_bytes(&self, plan: Option<Plan>) -> Option<u64> {
        let Billing { hosted, free_tier } = &self.billing;
        let megabytes = match plan {
            Some(Plan::Hosted | Plan::Evaluation) => hosted.storage_megabytes.unwrap_or(HOSTED_MEGABYTES),
            Some(Plan::Free) => free_tier.storage_megabytes.unwrap_or(FREE_MEGABYTES),
            None => self.limits.storage_megabytes,
        };
        (megabytes > 0).then(|| u64::from(megabytes) * 1_000_000)
    }

    /// Days that the chunks of the run logs of an organization on this plan are kept.
    pub const fn run_log_days(&self, plan: Option<Plan>) -> u32 {
        match plan {
            Some(Plan::Hosted | Plan::Evaluation) => self.billing.hosted.run_log_days,
            Some(Plan::Free) => self.billing.free_tier.run_log_days,
            None => self.retention.run_log_days,
        }
    }
}

/// What plans of the hosted service say. A plan without an opinion is as [`Retention`] says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct Billing {
    /// The hosted offer, and its evaluation.
    pub hosted: PlanLimits,
    /// The free tier.
    pub free_tier: PlanLimits,
}

/// What one plan says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct PlanLimits {
    /// Days that the chunks of run logs are kept.
    pub run_log_days: u32,
    /// Megabytes of attachments of an organization; 0 for as many as there is room for. As [`Billing`] says when absent.
    #[serde(default)]
    pub storage_megabytes: Option<u32>,
}

/// Megabytes of attachments that a plan has unless the settings say otherwise.
const HOSTED_MEGABYTES: u32 = 100_000;
const FREE_MEGABYTES: u32 = 1_000;

impl Default for Billing {
    fn default() -> Self {
        let plan = |run_log_days| PlanLimits { run_log_days, storage_megabytes: None };
        Self { hosted: plan(90), free_tier: plan(30) }
    }
}

#[cfg(test)]
mod tests {
    use svc_domain::identity::Plan;

    use super::{Automation, Retention, Settings};

    /// Specification section 8.
    #[test]
    fn the_factorys_limits_are_those_of_the_specification() {
        let (automation, retention) = (Automation::default(), Retention::default());
        assert_eq!((automation.max_log_bytes, automation.runner_lost_seconds), (8 * 1024 * 1024, 300));
        assert_eq!(retention.run_log_days, 30);
    }

    /// Specification section 8.
    #[test]
    fn logs_are_kept_as_long_as_the_plan_says_or_the_instance() {
        let mut settings = Settings::default();
        settings.retention.run_log_days = 7;
        let days = [Some(Plan::Hosted), Some(Plan::Evaluation), Some(Plan::Free), None]
            .map(|plan| settings.run_log_days(plan));
        assert_eq!(days, [90, 90, 30, 7]);
    }

    #[test]
    fn a_plan_has_so_many_bytes_and_an_instance_of_ones_own_as_many_as_its_disk() {
        let mut settings = Settings::default();
        let bytes = |settings: &Settings| {
            [Some(Plan::Hosted), Some(Plan::Free), None].map(|plan| settings.storage_bytes(plan))
        };
        assert_eq!(bytes(&settings), [Some(100_000_000_000), Some(1_000_000_000), None]);
        settings.billing.hosted.storage_megabytes = Some(0);
        settings.billing.free_tier.storage_megabytes = Some(5);
        settings.limits.storage_megabytes = 7;
        assert_eq!(bytes(&settings), [None, Some(5_000_000), Some(7_000_000)]);
    }
}
