//! What the commands of this noun share: how they name a rule and how they show it.

use std::collections::HashMap;

use svc_api::factory::Rule;

use crate::commands::in_project::InProject;
use crate::commands::named::{Named, resolve};
use crate::failure::Failure;
use crate::output::{Column, Table, option, yes};
use crate::session::Session;

/// A rule and its project.
#[derive(clap::Args)]
pub(super) struct Which {
    /// Name, in any case, or id of the rule
    #[arg(value_name = "RULE")]
    pub(super) rule: String,
    #[command(flatten)]
    pub(super) project: InProject,
}

impl Which {
    pub(super) async fn find(&self, org: &str, session: &Session<'_>) -> Result<Rule, Failure> {
        find(&self.rule, self.project.key(session).await?.as_str(), org, session).await
    }
}

/// The rule of a project that `wanted` means, by name or id.
pub(super) async fn find(
    wanted: &str,
    project: &str,
    org: &str,
    session: &Session<'_>,
) -> Result<Rule, Failure> {
    let mut rules = session.org(org).rules(project).await?;
    let all: Vec<_> = rules.iter().map(|rule| Named { id: &rule.id, name: &rule.name }).collect();
    let id = resolve("rule", wanted, &all, true)?;
    let index = rules.iter().position(|rule| rule.id == id);
    index
        .map(|index| rules.swap_remove(index))
        .ok_or_else(|| Failure::not_found(format!("there is no rule {wanted:?}")))
}

/// Rules, one a row.
pub(super) fn table(rules: &[Rule]) -> Table {
    let mut table = Table::new([
        Column::fixed("ID"),
        Column::flexible("NAME"),
        Column::fixed("STATE"),
        Column::flexible("LABEL"),
        Column::fixed("DISABLED"),
        Column::flexible("SAVED BY"),
    ]);
    for rule in rules {
        table.row([
            rule.id.as_str().into(),
            rule.name.as_str().into(),
            rule.state.as_str().into(),
            option(rule.label.as_deref()).into(),
            yes(rule.disabled).into(),
            rule.saved_by.name.as_str().into(),
        ]);
    }
    table
}

/// The same with what they start: `names` are those of playbooks and agents by their ids.
pub(super) fn named_table(rules: &[Rule], names: &HashMap<String, String>) -> Table {
    let mut table = Table::new([
        Column::id("ID"),
        Column::flexible("NAME"),
        Column::fixed("STATE"),
        Column::flexible("LABEL"),
        Column::flexible("PLAYBOOK"),
        Column::flexible("AGENT"),
        Column::fixed("DISABLED"),
        Column::flexible("SAVED BY").minor(),
    ]);
    let called = |id: &str| names.get(id).cloned().unwrap_or_else(|| id.to_owned());
    for rule in rules {
        let agent = rule.agent.as_deref().map_or_else(|| "(default)".to_owned(), called);
        table.row([
            rule.id.as_str().into(),
            rule.name.as_str().into(),
            rule.state.as_str().into(),
            option(rule.label.as_deref()).into(),
            called(&rule.playbook).into(),
            agent.into(),
            yes(rule.disabled).into(),
            rule.saved_by.name.as_str().into(),
        ]);
    }
    table
}
