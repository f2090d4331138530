//! `svc rule`.

use std::collections::HashMap;

use clap::Subcommand;
use svc_api::Patch;
use svc_api::factory::{FiringQuery, NewRule, Rule, RuleFiring, UpdateRule};

use crate::commands::confirm::Confirm;
use crate::commands::in_project::InProject;
use crate::commands::named::{Named, pick};
use crate::commands::schedule::outcome;
use crate::failure::Failure;
use crate::output::{Table, option, when, yes};
use crate::session::Session;
use crate::values::OrNone;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List a project's rules.
    #[command(after_help = "\
Example:
  svc rule list -p PRJ")]
    List(InProject),
    #[command(visible_alias = "add")]
    Create(CreateArgs),
    Edit(EditArgs),
    #[command(visible_alias = "remove")]
    Delete(DeleteArgs),
    Firings(FiringsArgs),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(project) => list(project, session).await,
        Command::Create(args) => create(args, session).await,
        Command::Edit(args) => edit(args, session).await,
        Command::Delete(args) => delete(args, session).await,
        Command::Firings(args) => firings(args, session).await,
    }
}

async fn list(project: InProject, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, project.key(session).await?);
    let (slug, project) = (org, project.as_str());
    let org = session.org(&slug);
    let rules = org.rules(project).await?;
    if session.output.json || rules.is_empty() {
        return session.output.all(&rules, "The project has no rules.", table);
    }
    // Ids say little to a person, and are shown only where the names are hidden.
    let (playbooks, agents) = futures::join!(org.playbooks(project), org.agents());
    let playbooks = playbooks.unwrap_or_default().into_iter().map(|playbook| (playbook.id, playbook.name));
    let agents = agents.unwrap_or_default().into_iter().map(|agent| (agent.id, agent.name));
    session.output.table(&named_table(&rules, &playbooks.chain(agents).collect()))
}

/// Create a rule that hands items to an agent when they enter a state. It acts with your rights.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc rule create 'Bugs go to the agent' -p PRJ --state 'In progress' --label bug --playbook implement
  svc rule create Review -p PRJ --state 'In review' --playbook review --agent Robin")]
pub(crate) struct CreateArgs {
    /// Name of the rule
    #[arg(value_name = "NEW_NAME")]
    name: String,
    #[command(flatten)]
    project: InProject,
    /// State that an item enters
    #[arg(long)]
    state: String,
    /// Label that the item must have [default: any]
    #[arg(long)]
    label: Option<String>,
    /// Name, in any case, or id of the playbook
    #[arg(long)]
    playbook: String,
    /// Display name or id of the agent [default: the project's]
    #[arg(long)]
    agent: Option<String>,
    /// Start runs, too, when a person moves the item who may not start AI work
    #[arg(long)]
    for_everybody: bool,
}

async fn create(args: CreateArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let CreateArgs { name, project: _, state, label, playbook, agent, for_everybody } = args;
    let only_ai_starters = for_everybody.then_some(false);
    let new = NewRule { name, state, label, playbook, agent, only_ai_starters };
    let rule = session.org(&org).create_rule(project.as_str(), &new).await?;
    session.output.one(&rule, table)
}

/// Change, disable or enable a rule. It then acts with your rights.
#[derive(clap::Args)]
#[command(
    override_usage = "svc rule edit [OPTIONS] --project <PROJECT_KEY> <RULE>",
    after_help = "\
Examples:
  svc rule edit review -p PRJ --disabled true
  svc rule edit review -p PRJ --label none --playbook implement"
)]
pub(crate) struct EditArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    change: Change,
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct Change {
    /// New name
    #[arg(long)]
    name: Option<String>,
    /// New state
    #[arg(long)]
    state: Option<String>,
    /// New label, or none
    #[arg(long)]
    label: Option<OrNone<String>>,
    /// Another playbook
    #[arg(long)]
    playbook: Option<String>,
    /// Another agent, or none for the project's default
    #[arg(long)]
    agent: Option<OrNone<String>>,
    /// Whether the rule skips items that were moved by a person who may not start AI work
    #[arg(long, value_name = "BOOL")]
    only_ai_starters: Option<bool>,
    /// Whether the rule is disabled
    #[arg(long, value_name = "BOOL")]
    disabled: Option<bool>,
}

async fn edit(args: EditArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let rule = args.which.find(&org, session).await?;
    let Change { name, state, label, playbook, agent, only_ai_starters, disabled } = args.change;
    let change = UpdateRule {
        version: rule.version,
        name,
        state,
        label: label.map_or(Patch::Keep, Patch::from),
        playbook,
        agent: agent.map_or(Patch::Keep, Patch::from),
        only_ai_starters,
        disabled,
    };
    let project = args.which.project.key(session).await?;
    let rule = session.org(&org).update_rule(project.as_str(), &rule.id, &change).await?;
    session.output.one(&rule, table)
}

/// Delete a rule. The record of its firings stays.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc rule delete review -p PRJ --yes")]
pub(crate) struct DeleteArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

async fn delete(args: DeleteArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let rule = args.which.find(&org, session).await?;
    let project = args.which.project.key(session).await?;
    args.confirm.sure(&format!("Delete the rule {:?} of {project}?", rule.name), session.output)?;
    session.org(&org).delete_rule(project.as_str(), &rule.id).await?;
    session.output.say(&format!("deleted the rule {:?} of {project}", rule.name));
    Ok(())
}

/// List the firings of a project's rules, newest first, with the run that each started or why it started none.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc rule firings -p PRJ
  svc rule firings -p PRJ --rule review --limit 10")]
pub(crate) struct FiringsArgs {
    #[command(flatten)]
    project: InProject,
    /// Only firings of the rule with this name or id
    #[arg(long)]
    rule: Option<String>,
    /// Print at most this many
    #[arg(short = 'L', long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100))]
    limit: u32,
}

async fn firings(args: FiringsArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let rule = match &args.rule {
        Some(word) => Some(find(word, project.as_str(), &org, session).await?.id),
        None => None,
    };
    let query = FiringQuery { rule, page: Some(1), page_size: Some(args.limit) };
    let page = session.org(&org).rule_firings(project.as_str(), &query).await?;
    session.output.all(&page.items, "No rule fired in the last 90 days.", firing_table)
}

fn firing_table(firings: &[RuleFiring]) -> Table {
    Table::of(firings)
        .fixed("WHEN", |firing| when(firing.at))
        .flexible("RULE", |firing| firing.rule_name.as_str())
        .fixed("ITEM", |firing| firing.item.as_str())
        .fixed("STATE", |firing| firing.state.as_str())
        .flexible("WHAT CAME OF IT", |firing| {
            outcome(firing.run.as_deref(), firing.skipped_reason.as_deref())
        })
        .end()
}

/// A rule and its project.
#[derive(clap::Args)]
struct Which {
    /// Name, in any case, or id of the rule
    #[arg(value_name = "RULE")]
    rule: String,
    #[command(flatten)]
    project: InProject,
}

impl Which {
    async fn find(&self, org: &str, session: &Session<'_>) -> Result<Rule, Failure> {
        find(&self.rule, self.project.key(session).await?.as_str(), org, session).await
    }
}

/// The rule of a project that `wanted` means, by name or id.
async fn find(wanted: &str, project: &str, org: &str, session: &Session<'_>) -> Result<Rule, Failure> {
    let rules = session.org(org).rules(project).await?;
    pick("rule", wanted, rules, true, |rule| Named { id: &rule.id, name: &rule.name })
}

/// Rules, one a row.
fn table(rules: &[Rule]) -> Table {
    Table::of(rules)
        .fixed("ID", |rule| rule.id.as_str())
        .flexible("NAME", |rule| rule.name.as_str())
        .fixed("STATE", |rule| rule.state.as_str())
        .flexible("LABEL", |rule| option(rule.label.as_deref()))
        .fixed("DISABLED", |rule| yes(rule.disabled))
        .flexible("SAVED BY", |rule| rule.saved_by.name.as_str())
        .end()
}

/// The same with what they start: `names` are those of playbooks and agents by their ids.
fn named_table(rules: &[Rule], names: &HashMap<String, String>) -> Table {
    let called = |id: &str| names.get(id).cloned().unwrap_or_else(|| id.to_owned());
    Table::of(rules)
        .id("ID", |rule| rule.id.as_str())
        .flexible("NAME", |rule| rule.name.as_str())
        .fixed("STATE", |rule| rule.state.as_str())
        .flexible("LABEL", |rule| option(rule.label.as_deref()))
        .flexible("PLAYBOOK", |rule| called(&rule.playbook))
        .flexible("AGENT", |rule| rule.agent.as_deref().map_or_else(|| "(default)".to_owned(), called))
        .fixed("DISABLED", |rule| yes(rule.disabled))
        .flexible("SAVED BY", |rule| rule.saved_by.name.as_str())
        .minor()
        .end()
}
