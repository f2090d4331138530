//! What a filter refers to that a project's feed does not know: sprints and milestones by name, what the caller watches, and words in
//! descriptions. Only what the filter mentions is read.

use jiff::tz::TimeZone;
use svc_domain::feed::FilterContext;
use svc_domain::filter::{Condition, Filter, MilestoneChoice, SprintChoice};
use svc_domain::ids::{ActorId, ItemKey, MilestoneId, OrgId, ProjectKey, SprintId};
use svc_domain::label::folded;
use svc_domain::sprint::Register;
use svc_domain::workflow::Workflow;
use svc_storage::{Query, Range, RowOf, keys};

use super::{milestones, sprints};
use crate::App;
use crate::error::Result;
use crate::search;

/// Who asks, as far as a filter depends on it.
#[derive(Clone, Copy)]
pub(super) struct Asker<'a> {
    /// Who `@me` is.
    pub(super) me: Option<ActorId>,
    /// Whether they see what is said in the project's factory.
    pub(super) factory: bool,
    /// Whose days the filter means.
    pub(super) zone: &'a TimeZone,
}

impl Asker<'_> {
    /// Nobody in particular.
    pub(super) const NOBODY: Self = Self { me: None, factory: false, zone: &TimeZone::UTC };
}

/// What a filter refers to in one project.
#[derive(Debug, Default)]
pub(super) struct FilterFacts {
    current_sprints: Vec<String>,
    named_sprints: Vec<(String, String)>,
    named_milestones: Vec<(String, MilestoneId)>,
    watched: Vec<u64>,
    texts: Vec<(String, Vec<u64>)>,
    /// Numbers of the items whose descriptions answer the words of the list.
    pub(super) described: Vec<u64>,
}

impl FilterFacts {
    /// Reads them. `register` is the row that says which sprints are active, where [`asks_for_current_sprints`].
    ///
    /// # Errors
    /// Those of storage.
    pub(super) async fn of(
        app: &App,
        (org, me): (OrgId, ActorId),
        project: &ProjectKey,
        (filter, q): (&Filter, Option<&str>),
        register: Option<&RowOf<Register>>,
    ) -> Result<Self> {
        let mut facts = Self { current_sprints: sprints::current(register)?, ..Self::default() };
        if let Some(q) = q {
            facts.described = search::described(app, org, project, q).await?;
        }
        let names = named_sprints(filter);
        if !names.is_empty() {
            facts.named_sprints = with_names(app, org, project, &names).await?;
        }
        let names = named_milestones(filter);
        if !names.is_empty() {
            let known = milestones::of_project(app, org, project).await?;
            let found = |name: &str| Some((name.to_owned(), known.find(name)?.id));
            facts.named_milestones = names.into_iter().filter_map(found).collect();
        }
        if filter.terms().iter().any(|term| matches!(term.condition, Condition::Watching)) {
            facts.watched = watched(app, org, me, project).await?;
        }
        let texts = filter.terms().into_iter().flat_map(|term| match &term.condition {
            Condition::Text(texts) => texts.as_slice(),
            _ => &[],
        });
        for text in texts {
            facts.texts.push((text.clone(), search::described(app, org, project, text).await?));
        }
        Ok(facts)
    }

    /// What the filter's words refer to, for who asks.
    pub(super) fn context<'a>(
        &'a self,
        app: &App,
        asker: Asker<'a>,
        workflow: &'a Workflow,
    ) -> FilterContext<'a> {
        FilterContext {
            me: asker.me,
            factory: asker.factory,
            zone: asker.zone,
            current_sprints: &self.current_sprints,
            named_sprints: &self.named_sprints,
            named_milestones: &self.named_milestones,
            watched: &self.watched,
            texts: &self.texts,
            workflow,
            claim_stale_after: app.settings.claims.stale_after(),
            now: app.now(),
        }
    }
}

/// Whether the filter needs to know which sprints are active.
pub(super) fn asks_for_current_sprints(filter: &Filter) -> bool {
    let names = |condition: &Condition| matches!(condition, Condition::Sprint(choices) if choices.contains(&SprintChoice::Current));
    filter.terms().iter().any(|term| names(&term.condition))
}

/// The sprints that the filter names otherwise than by id.
fn named_sprints(filter: &Filter) -> Vec<&str> {
    let choices = filter.terms().into_iter().flat_map(|term| match &term.condition {
        Condition::Sprint(choices) => choices.as_slice(),
        _ => &[],
    });
    choices.filter_map(named).collect()
}

/// The milestones that the filter names otherwise than by id.
fn named_milestones(filter: &Filter) -> Vec<&str> {
    let choices = filter.terms().into_iter().flat_map(|term| match &term.condition {
        Condition::Milestone(choices) => choices.as_slice(),
        _ => &[],
    });
    choices
        .filter_map(|choice| match choice {
            MilestoneChoice::Named(name) => Some(name.as_str()),
            MilestoneChoice::Any | MilestoneChoice::None | MilestoneChoice::Id(_) => None,
        })
        .collect()
}

fn named(choice: &SprintChoice) -> Option<&str> {
    match choice {
        SprintChoice::Id(name) if name.parse::<SprintId>().is_err() => Some(name),
        _ => None,
    }
}

/// Ids of the project's sprints of these names, whatever their case, each beside the name that it was found by.
async fn with_names(
    app: &App,
    org: OrgId,
    project: &ProjectKey,
    names: &[&str],
) -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for (sprint, _) in sprints::all(app, org, project).await? {
        let same = names.iter().filter(|name| folded(name) == folded(&sprint.name));
        found.extend(same.map(|name| ((*name).to_owned(), sprint.id.to_string())));
    }
    Ok(found)
}

/// Numbers of the project's items that a person watches. Agents watch nothing.
async fn watched(app: &App, org: OrgId, me: ActorId, project: &ProjectKey) -> Result<Vec<u64>> {
    let ActorId::User(user) = me else { return Ok(Vec::new()) };
    let range = Range::Prefix(format!("{project}-"));
    let rows = app.table.query_all(Query::new(keys::watching_pk(org, user), range, 1_000)).await?;
    Ok(rows.iter().filter_map(|row| row.key.sk.parse::<ItemKey>().ok()).map(|key| key.number).collect())
}
