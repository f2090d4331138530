//! The factory as people see it: agents, runners, playbooks, settings, runs and their logs.

use reqwest::Method;
use svc_api::Page;
use svc_api::factory::{
    Agent, AgentMention, AnswerRefinement, AskForChanges, Budgets, ChangesQuery, CodeHost, CodeHostDeparture,
    ConfirmRefinement, ConnectCodeHost, FactorySettings, FactoryStats, FiringQuery, LogPage, LogQuery,
    MentionPreview, NewAgent, NewPlaybook, NewRule, NewRunner, NewSchedule, NewWebhook, Playbook,
    PreviewMentions, PreviewSchedule, Refinement, RefinementSettings, Rule, RuleFiring, Run, RunArtifact,
    RunChanges, RunPreview, RunQuery, Runner, RunnerSecret, Schedule, ScheduleFiring, SchedulePreview,
    StartRefinement, StartRun, StatsQuery, SubmitRefinement, UpdateAgent, UpdateBudget,
    UpdateFactorySettings, UpdatePlaybook, UpdateRefinementSettings, UpdateRule, UpdateRunner,
    UpdateSchedule,
};
use svc_api::page::PageQuery;

use crate::attachments::Download;
use crate::client::{Client, Org};
use crate::error::Error;

/// Runs are found by their id alone, whatever their organization.
impl Client {
    /// A run.
    pub async fn run(&self, id: &str) -> Result<Run, Error> {
        self.get("/runs/{}", &[id]).fetch().await
    }

    /// Entries of a run's log after the given `seq`; from the beginning when absent.
    pub async fn run_log(&self, id: &str, after: Option<u64>) -> Result<LogPage, Error> {
        self.run_log_part(id, &LogQuery { after, ..LogQuery::default() }).await
    }

    /// The part of a run's log that the query asks for.
    pub async fn run_log_part(&self, id: &str, query: &LogQuery) -> Result<LogPage, Error> {
        self.get("/runs/{}/log", &[id]).query(query).fetch().await
    }

    /// What a run changed, with or without the patch.
    pub async fn run_changes(&self, id: &str, patch: bool) -> Result<RunChanges, Error> {
        self.get("/runs/{}/changes", &[id]).query(&ChangesQuery { patch: Some(patch) }).fetch().await
    }

    /// The files that a run left.
    pub async fn run_artifacts(&self, id: &str) -> Result<Vec<RunArtifact>, Error> {
        self.get("/runs/{}/artifacts", &[id]).fetch().await
    }

    /// Begins to download a file that a run left.
    pub async fn run_artifact(&self, id: &str, name: &str) -> Result<Download, Error> {
        self.download(self.get("/runs/{}/artifacts/{}", &[id, name])).await
    }

    /// Cancels a run.
    pub async fn cancel_run(&self, id: &str) -> Result<Run, Error> {
        self.post("/runs/{}/cancel", &[id]).fetch().await
    }

    /// Goes on with a run that failed, in its session.
    pub async fn continue_run(&self, id: &str) -> Result<Run, Error> {
        self.post("/runs/{}/continue", &[id]).fetch().await
    }

    /// Starts a failed run over.
    pub async fn retry_run(&self, id: &str) -> Result<Run, Error> {
        self.post("/runs/{}/retry", &[id]).fetch().await
    }
}

impl Org<'_> {
    /// One page of the organization's runs, newest first.
    pub async fn runs(self, query: &RunQuery) -> Result<Page<Run>, Error> {
        self.client.get("/orgs/{}/runs", &[self.slug]).query(query).page().await
    }

    /// One page of an item's runs, newest first.
    pub async fn item_runs(self, key: &str, page: &PageQuery) -> Result<Page<Run>, Error> {
        self.client.get("/orgs/{}/items/{}/runs", &[self.slug, key]).query(page).page().await
    }

    /// Hands an item to an agent.
    pub async fn start_run(self, key: &str, start: &StartRun) -> Result<Run, Error> {
        self.client.post("/orgs/{}/items/{}/runs", &[self.slug, key]).json(start).fetch().await
    }

    /// The organization's agents.
    pub async fn agents(self) -> Result<Vec<Agent>, Error> {
        self.client.get("/orgs/{}/agents", &[self.slug]).fetch().await
    }

    /// Creates an agent.
    pub async fn create_agent(self, new: &NewAgent) -> Result<Agent, Error> {
        self.client.post("/orgs/{}/agents", &[self.slug]).json(new).fetch().await
    }

    /// Changes an agent.
    pub async fn update_agent(self, id: &str, change: &UpdateAgent) -> Result<Agent, Error> {
        self.client.call(Method::PATCH, "/orgs/{}/agents/{}", &[self.slug, id]).json(change).fetch().await
    }

    /// The code host, and the organization's connection with it.
    pub async fn code_host(self) -> Result<CodeHost, Error> {
        self.client.get("/orgs/{}/code-host", &[self.slug]).fetch().await
    }

    /// The organization's budgets, and what is used of them.
    pub async fn budgets(self) -> Result<Budgets, Error> {
        self.client.get("/orgs/{}/budgets", &[self.slug]).fetch().await
    }

    /// Changes one budget.
    pub async fn update_budget(self, change: &UpdateBudget) -> Result<Budgets, Error> {
        self.client.call(Method::PATCH, "/orgs/{}/budgets", &[self.slug]).json(change).fetch().await
    }

    /// Makes the webhook by which a code host tells of pull requests, in place of the one before.
    pub async fn create_webhook(self) -> Result<NewWebhook, Error> {
        self.client.post("/orgs/{}/code-host/webhook", &[self.slug]).fetch().await
    }

    /// Deletes the organization's webhook.
    pub async fn delete_webhook(self) -> Result<(), Error> {
        self.client.call(Method::DELETE, "/orgs/{}/code-host/webhook", &[self.slug]).done().await
    }

    /// Begins to connect the organization with the code host: the caller's browser goes to the address.
    pub async fn connect_code_host(self, connect: &ConnectCodeHost) -> Result<CodeHostDeparture, Error> {
        self.client.post("/orgs/{}/code-host", &[self.slug]).json(connect).fetch().await
    }

    /// Ends the organization's connection with the code host.
    pub async fn disconnect_code_host(self) -> Result<(), Error> {
        self.client.call(Method::DELETE, "/orgs/{}/code-host", &[self.slug]).done().await
    }

    /// The organization's runners.
    pub async fn runners(self) -> Result<Vec<Runner>, Error> {
        self.client.get("/orgs/{}/runners", &[self.slug]).fetch().await
    }

    /// Creates a runner; the answer holds its secret.
    pub async fn create_runner(self, new: &NewRunner) -> Result<RunnerSecret, Error> {
        self.client.post("/orgs/{}/runners", &[self.slug]).json(new).fetch().await
    }

    /// Changes a runner.
    pub async fn update_runner(self, id: &str, change: &UpdateRunner) -> Result<Runner, Error> {
        self.client.call(Method::PATCH, "/orgs/{}/runners/{}", &[self.slug, id]).json(change).fetch().await
    }

    /// Replaces a runner's secret; the old one stops working at once.
    pub async fn rotate_runner(self, id: &str) -> Result<RunnerSecret, Error> {
        self.client.post("/orgs/{}/runners/{}/rotate", &[self.slug, id]).fetch().await
    }

    /// Deletes a runner.
    pub async fn delete_runner(self, id: &str) -> Result<(), Error> {
        self.client.call(Method::DELETE, "/orgs/{}/runners/{}", &[self.slug, id]).done().await
    }

    /// A project's playbooks.
    pub async fn playbooks(self, project: &str) -> Result<Vec<Playbook>, Error> {
        self.client.get("/orgs/{}/projects/{}/playbooks", &[self.slug, project]).fetch().await
    }

    /// A playbook.
    pub async fn playbook(self, project: &str, id: &str) -> Result<Playbook, Error> {
        let args = [self.slug, project, id];
        self.client.get("/orgs/{}/projects/{}/playbooks/{}", &args).fetch().await
    }

    /// Creates a playbook.
    pub async fn create_playbook(self, project: &str, new: &NewPlaybook) -> Result<Playbook, Error> {
        self.client.post("/orgs/{}/projects/{}/playbooks", &[self.slug, project]).json(new).fetch().await
    }

    /// Changes a playbook.
    pub async fn update_playbook(
        self,
        project: &str,
        id: &str,
        change: &UpdatePlaybook,
    ) -> Result<Playbook, Error> {
        let args = [self.slug, project, id];
        let call = self.client.call(Method::PATCH, "/orgs/{}/projects/{}/playbooks/{}", &args);
        call.json(change).fetch().await
    }

    /// A project's factory settings.
    pub async fn factory_settings(self, project: &str) -> Result<FactorySettings, Error> {
        self.client.get("/orgs/{}/projects/{}/factory-settings", &[self.slug, project]).fetch().await
    }

    /// A project's rules.
    pub async fn rules(self, project: &str) -> Result<Vec<Rule>, Error> {
        self.client.get("/orgs/{}/projects/{}/rules", &[self.slug, project]).fetch().await
    }

    /// Makes a rule.
    pub async fn create_rule(self, project: &str, new: &NewRule) -> Result<Rule, Error> {
        self.client.post("/orgs/{}/projects/{}/rules", &[self.slug, project]).json(new).fetch().await
    }

    /// Changes a rule.
    pub async fn update_rule(self, project: &str, id: &str, change: &UpdateRule) -> Result<Rule, Error> {
        let args = [self.slug, project, id];
        self.client.call(Method::PATCH, "/orgs/{}/projects/{}/rules/{}", &args).json(change).fetch().await
    }

    /// Deletes a rule.
    pub async fn delete_rule(self, project: &str, id: &str) -> Result<(), Error> {
        let args = [self.slug, project, id];
        self.client.call(Method::DELETE, "/orgs/{}/projects/{}/rules/{}", &args).done().await
    }

    /// One page of what a project's rules did, newest first.
    pub async fn rule_firings(self, project: &str, query: &FiringQuery) -> Result<Page<RuleFiring>, Error> {
        self.client.get("/orgs/{}/projects/{}/rule-firings", &[self.slug, project]).query(query).page().await
    }

    /// A project's schedules.
    pub async fn schedules(self, project: &str) -> Result<Vec<Schedule>, Error> {
        self.client.get("/orgs/{}/projects/{}/schedules", &[self.slug, project]).fetch().await
    }

    /// Makes a schedule.
    pub async fn create_schedule(self, project: &str, new: &NewSchedule) -> Result<Schedule, Error> {
        self.client.post("/orgs/{}/projects/{}/schedules", &[self.slug, project]).json(new).fetch().await
    }

    /// A schedule.
    pub async fn schedule(self, project: &str, id: &str) -> Result<Schedule, Error> {
        self.client.get("/orgs/{}/projects/{}/schedules/{}", &[self.slug, project, id]).fetch().await
    }

    /// Changes a schedule.
    pub async fn update_schedule(
        self,
        project: &str,
        id: &str,
        change: &UpdateSchedule,
    ) -> Result<Schedule, Error> {
        let args = [self.slug, project, id];
        self.client.call(Method::PATCH, "/orgs/{}/projects/{}/schedules/{}", &args).json(change).fetch().await
    }

    /// Deletes a schedule.
    pub async fn delete_schedule(self, project: &str, id: &str) -> Result<(), Error> {
        let args = [self.slug, project, id];
        self.client.call(Method::DELETE, "/orgs/{}/projects/{}/schedules/{}", &args).done().await
    }

    /// Fires a schedule now.
    pub async fn fire_schedule(self, project: &str, id: &str) -> Result<ScheduleFiring, Error> {
        self.client.post("/orgs/{}/projects/{}/schedules/{}/fire", &[self.slug, project, id]).fetch().await
    }

    /// What a schedule did, newest first.
    pub async fn schedule_firings(self, project: &str, id: &str) -> Result<Vec<ScheduleFiring>, Error> {
        self.client.get("/orgs/{}/projects/{}/schedules/{}/firings", &[self.slug, project, id]).fetch().await
    }

    /// When a cron expression is due.
    pub async fn preview_schedule(
        self,
        project: &str,
        asked: &PreviewSchedule,
    ) -> Result<SchedulePreview, Error> {
        let args = [self.slug, project];
        self.client.post("/orgs/{}/projects/{}/schedule-preview", &args).json(asked).fetch().await
    }

    /// Numbers of the factory.
    pub async fn factory_stats(self, query: &StatsQuery) -> Result<FactoryStats, Error> {
        self.client.get("/orgs/{}/factory-stats", &[self.slug]).query(query).fetch().await
    }

    /// What starting a run would do.
    pub async fn preview_run(self, item: &str, start: &StartRun) -> Result<RunPreview, Error> {
        self.client.post("/orgs/{}/items/{}/runs/preview", &[self.slug, item]).json(start).fetch().await
    }

    /// What mentions of agents on an item asked for, as they were written.
    pub async fn agent_mentions(self, item: &str) -> Result<Vec<AgentMention>, Error> {
        self.client.get("/orgs/{}/items/{}/mentions", &[self.slug, item]).fetch().await
    }

    /// What a comment would start.
    pub async fn preview_mentions(
        self,
        item: &str,
        comment: &PreviewMentions,
    ) -> Result<MentionPreview, Error> {
        let call = self.client.post("/orgs/{}/items/{}/mentions/preview", &[self.slug, item]);
        call.json(comment).fetch().await
    }

    /// The refinement of an item.
    pub async fn refinement(self, item: &str) -> Result<Refinement, Error> {
        self.client.get("/orgs/{}/items/{}/refinement", &[self.slug, item]).fetch().await
    }

    /// Starts a refinement.
    pub async fn start_refinement(self, item: &str, start: &StartRefinement) -> Result<Refinement, Error> {
        self.client.post("/orgs/{}/items/{}/refinement", &[self.slug, item]).json(start).fetch().await
    }

    /// Answers questions and refines again.
    pub async fn answer_refinement(
        self,
        item: &str,
        answers: &AnswerRefinement,
    ) -> Result<Refinement, Error> {
        let args = [self.slug, item];
        self.client.post("/orgs/{}/items/{}/refinement/answers", &args).json(answers).fetch().await
    }

    /// Asks for another pass.
    pub async fn ask_for_changes(self, item: &str, changes: &AskForChanges) -> Result<Refinement, Error> {
        let args = [self.slug, item];
        self.client.post("/orgs/{}/items/{}/refinement/changes", &args).json(changes).fetch().await
    }

    /// Confirms the proposal.
    pub async fn confirm_refinement(
        self,
        item: &str,
        confirm: &ConfirmRefinement,
    ) -> Result<Refinement, Error> {
        let args = [self.slug, item];
        self.client.post("/orgs/{}/items/{}/refinement/confirm", &args).json(confirm).fetch().await
    }

    /// Hands in what the run of this client's token made.
    pub async fn submit_refinement(self, item: &str, made: &SubmitRefinement) -> Result<Refinement, Error> {
        let args = [self.slug, item];
        let call = self.client.call(Method::PUT, "/orgs/{}/items/{}/refinement/submission", &args);
        call.json(made).fetch().await
    }

    /// A project's refinement settings.
    pub async fn refinement_settings(self, project: &str) -> Result<RefinementSettings, Error> {
        self.client.get("/orgs/{}/projects/{}/refinement-settings", &[self.slug, project]).fetch().await
    }

    /// Changes a project's refinement settings.
    pub async fn update_refinement_settings(
        self,
        project: &str,
        change: &UpdateRefinementSettings,
    ) -> Result<RefinementSettings, Error> {
        let args = [self.slug, project];
        let call = self.client.call(Method::PATCH, "/orgs/{}/projects/{}/refinement-settings", &args);
        call.json(change).fetch().await
    }

    /// Changes a project's factory settings.
    pub async fn update_factory_settings(
        self,
        project: &str,
        change: &UpdateFactorySettings,
    ) -> Result<FactorySettings, Error> {
        let args = [self.slug, project];
        let call = self.client.call(Method::PATCH, "/orgs/{}/projects/{}/factory-settings", &args);
        call.json(change).fetch().await
    }
}
