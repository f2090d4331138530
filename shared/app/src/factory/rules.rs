//! Rules of a project: their management and the record of their firings.
//!
//! All rules of a project are one row, as its ticket templates are. What fires them: [`fire`].

mod fire;

use svc_domain::access::Capability;
use svc_domain::event::FactoryEvent;
use svc_domain::ids::{OrgId, ProjectKey, RuleId};
use svc_domain::name::check_given;
use svc_domain::playbook::FactorySettings;
use svc_domain::refusal::Refusal;
use svc_domain::rule::{Firing, Rule, Rules};
use svc_domain::workflow::Workflow;
use svc_storage::{Condition, Op, Query, Range, Row, RowOf, keys};

use super::draft::{self, RunSelection};
use super::playbooks::require_factory_area;
use super::runs::Slice;
use crate::App;
use crate::entry::{Caller, Entry, enter_project, enter_project_with};
use crate::error::Result;
use crate::identity::bring_up_to_date;
use crate::tracker::saving_state_names;
use crate::transaction::Transaction;

pub use fire::fire;

/// A wanted rule.
#[derive(Clone, Debug, Default)]
pub struct NewRule {
    /// Name.
    pub name: String,
    /// State that an item enters.
    pub state: String,
    /// Label that the item must have.
    pub label: Option<String>,
    /// Id or name of the playbook.
    pub playbook: String,
    /// Id or name of the agent.
    pub agent: Option<String>,
    /// Whether people who may not start AI work set it off, too.
    pub for_everybody: bool,
}

/// A wanted change of a rule; `None` leaves a field, `Some(None)` clears it.
#[derive(Clone, Debug, Default)]
pub struct RuleEdit {
    /// The version last read.
    pub version: u64,
    /// New name.
    pub name: Option<String>,
    /// New state.
    pub state: Option<String>,
    /// New label.
    pub label: Option<Option<String>>,
    /// New playbook.
    pub playbook: Option<String>,
    /// New agent.
    pub agent: Option<Option<String>>,
    /// Whether only people who may start AI work set it off.
    pub only_ai_starters: Option<bool>,
    /// Disables or enables it.
    pub disabled: Option<bool>,
}

/// The rules of a project, oldest first.
///
/// # Errors
/// [`Refusal::FactoryNotPermitted`] for who neither operates nor configures the factory.
pub async fn list(app: &App, caller: Caller<'_>, project: &ProjectKey) -> Result<Vec<Rule>> {
    let wanted = |org| keys::rules(org, project);
    let (entry, row) = enter_project_with(app, caller, project, Capability::SeeProject, wanted).await?;
    require_factory_area(&entry)?;
    let mut rules = RowOf::or_default(row.as_ref())?.0;
    bring_up_to_date(app, entry.org_id(), rules.iter_mut().map(|rule| &mut rule.by)).await?;
    Ok(rules)
}

/// What the rules of a project did, newest first, and how many firings there are.
///
/// # Errors
/// As [`list`].
pub async fn firings(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    rule: Option<RuleId>,
    slice: Slice,
) -> Result<(Vec<Firing>, u64)> {
    let entry = enter_project(app, caller, project, Capability::SeeProject).await?;
    require_factory_area(&entry)?;
    let query = Query::new(keys::firings_pk(entry.org_id(), project), Range::All, 1_000).descending();
    let rows = app.table.query_all(query).await?;
    let mut all = rows.iter().map(Row::read).collect::<Result<Vec<Firing>, _>>()?;
    all.retain(|firing| rule.is_none_or(|rule| firing.rule == rule));
    let total = all.len() as u64;
    Ok((all.into_iter().skip(slice.offset).take(slice.limit).collect(), total))
}

/// Makes a rule.
///
/// # Errors
/// [`Refusal::Invalid`]; what [`Capability::ConfigureProject`] refuses.
pub async fn create(app: &App, caller: Caller<'_>, project: &ProjectKey, new: &NewRule) -> Result<Rule> {
    app.decide(|| async {
        let loaded = Loaded::enter(app, caller, project).await?;
        let selection = RunSelection {
            playbook: Some(&new.playbook),
            agent: new.agent.as_deref(),
            ..RunSelection::default()
        };
        let (playbook, agent) =
            draft::name(app, loaded.org(), project, &FactorySettings::default(), &selection).await?;
        let rule = Rule {
            id: RuleId(app.uuid()),
            version: 1,
            name: new.name.clone(),
            state: new.state.clone(),
            label: new.label.clone(),
            playbook,
            agent: new.agent.as_ref().and(agent),
            only_ai_starters: !new.for_everybody,
            disabled: false,
            by: loaded.entry.actor().clone(),
        };
        let rule = rule.checked(&loaded.workflow()?)?;
        check_given("name", &rule.name, None)?;
        let told = FactoryEvent::RuleCreated(project.clone(), rule.id, rule.name.clone());
        loaded.save(app, |rules| rules.put(rule.clone()), told).await?;
        Ok(rule)
    })
    .await
}

/// Changes a rule, which from now on acts with the caller's rights.
///
/// # Errors
/// [`Refusal::NotFound`], [`Refusal::StaleVersion`]; as [`create`].
pub async fn update(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    id: RuleId,
    edit: &RuleEdit,
) -> Result<Rule> {
    app.decide(|| async {
        let loaded = Loaded::enter(app, caller, project).await?;
        let old = loaded.rules.find(id).ok_or(Refusal::NotFound)?.clone();
        if old.version != edit.version {
            return Err(Refusal::StaleVersion { current: old.version }.into());
        }
        let word = old.playbook.to_string();
        let agent = edit.agent.clone().flatten();
        let selection = RunSelection {
            playbook: Some(edit.playbook.as_deref().unwrap_or(&word)),
            agent: agent.as_deref(),
            ..RunSelection::default()
        };
        let (playbook, named) =
            draft::name(app, loaded.org(), project, &FactorySettings::default(), &selection).await?;
        let old_name = old.name.clone();
        let rule = Rule {
            version: old.version + 1,
            name: edit.name.clone().unwrap_or(old.name),
            state: edit.state.clone().unwrap_or(old.state),
            label: edit.label.clone().unwrap_or(old.label),
            playbook,
            agent: match &edit.agent {
                Some(wanted) => wanted.as_ref().and(named),
                None => old.agent,
            },
            only_ai_starters: edit.only_ai_starters.unwrap_or(old.only_ai_starters),
            disabled: edit.disabled.unwrap_or(old.disabled),
            by: loaded.entry.actor().clone(),
            ..old
        };
        let rule = rule.checked(&loaded.workflow()?)?;
        check_given("name", &rule.name, Some(&old_name))?;
        let told = FactoryEvent::RuleChanged(project.clone(), rule.id, rule.name.clone());
        loaded.save(app, |rules| rules.put(rule.clone()), told).await?;
        Ok(rule)
    })
    .await
}

/// Deletes a rule. The record of its firings stays until its time.
///
/// # Errors
/// [`Refusal::NotFound`]; what [`Capability::ConfigureProject`] refuses.
pub async fn delete(app: &App, caller: Caller<'_>, project: &ProjectKey, id: RuleId) -> Result<()> {
    app.decide(|| async {
        let loaded = Loaded::enter(app, caller, project).await?;
        let name = loaded.rules.find(id).ok_or(Refusal::NotFound)?.name.clone();
        let told = FactoryEvent::RuleDeleted(project.clone(), id, name);
        loaded.save(app, |rules| rules.remove(id).map(drop), told).await
    })
    .await
}

/// The rules of a project on the way to a change.
struct Loaded {
    entry: Entry,
    rules: Rules,
    /// What must hold of their row when they are written.
    unchanged: Condition,
    workflow: RowOf<Workflow>,
}

impl Loaded {
    async fn enter(app: &App, caller: Caller<'_>, project: &ProjectKey) -> Result<Self> {
        let wanted = |org| (keys::rules(org, project), keys::workflow(org, project));
        let (entry, (row, workflow)) =
            enter_project_with(app, caller, project, Capability::ConfigureProject, wanted).await?;
        let unchanged = row.as_ref().map_or(Condition::Absent, |row| Condition::Version(row.version));
        Ok(Self {
            entry,
            rules: RowOf::or_default(row.as_ref())?,
            unchanged,
            workflow: workflow.ok_or(Refusal::NotFound)?,
        })
    }

    const fn org(&self) -> OrgId {
        self.entry.org_id()
    }

    fn workflow(&self) -> Result<Workflow> {
        Ok(self.workflow.read()?)
    }

    /// Writes the rules after a change, in the version that was read and under the workflow that was read.
    async fn save(
        mut self,
        app: &App,
        change: impl FnOnce(&mut Rules) -> Result<(), Refusal>,
        told: FactoryEvent,
    ) -> Result<()> {
        change(&mut self.rules)?;
        let org = self.org();
        let project = self.entry.project.as_ref().ok_or(Refusal::NotFound)?.key.clone();
        let mut ops = vec![Op::put(keys::rules(org, &project), self.unchanged, &self.rules)];
        // Moves tell workers of the states that they enter only where the workflow says that there are rules.
        let (row, workflow) = (&self.workflow, self.workflow()?);
        let [unchanged, counted] = saving_state_names(org, &project, row);
        let rules = !self.rules.0.is_empty();
        let marked = Op::replace(row.key.clone(), row.version, &Workflow { rules, ..workflow.clone() });
        ops.extend([if workflow.rules == rules { unchanged } else { marked }, counted]);
        app.commit(Transaction::of(app, &self.entry).with(ops).telling(told)).await
    }
}
