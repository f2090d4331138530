//! Checks teams, sprints, the register of which are active, and what sprints remember of their items.

use std::collections::BTreeMap;

use svc_domain::ids::{ItemKey, OrgId, ProjectKey, SprintId, TeamId};
use svc_domain::item::Item;
use svc_domain::sprint::{Fact, Planned, Register, Sprint, SprintState};
use svc_domain::team::Team;
use svc_storage::keys;

use super::context::{CheckContext, Stop, Subject, Verdict};
use super::item_or_mark::item_or_mark;
use super::kind::Kind;
use super::projects::project_of;
use crate::tracker::SprintPlace;

pub(super) const KINDS: &[Kind] = &[
    Kind::new("PROJ#<org>#<KEY>", "TEAM#<team>", team),
    Kind::new("PROJ#<org>#<KEY>", "SPRINT#<sprint>", sprint),
    Kind::new("PROJ#<org>#<KEY>", "SPRINTS", register),
    Kind::new("SPRINTREF#<sprint>", "PROJECT", sprint_ref),
    Kind::new("FACTS#<org>#<sprint>", "<time>#<number>#<rev>", fact),
];

fn team(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, project) = project_of(subject, context)?;
    let team: Team = subject.read(context)?;
    subject.is_named(context, &keys::team(org, &project, team.id));
    let name = keys::project_name(org, &project, "team", team.key.as_str());
    if context.need::<TeamId>(&name, "claim of its key")?.is_some_and(|holder| holder != team.id) {
        context.broken("another team claims its key");
    }
    Ok(())
}

fn sprint(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, project) = project_of(subject, context)?;
    let sprint: Sprint = subject.read(context)?;
    subject.is_named(context, &keys::sprint(org, &project, sprint.id));
    context.demand(&keys::team(org, &project, sprint.team), "team of it")?;
    context.demand(&keys::sprint_register(org, &project), "register of sprints")?;
    let place: Option<SprintPlace> = context.need(&keys::sprint_ref(sprint.id), "pointer to it by its id")?;
    if place.is_some_and(|place| place.org != org || place.project != project) {
        context.broken("the pointer by its id names another project");
    }
    for (number, fact) in last_facts(context, org, sprint.id)? {
        if fact.planned {
            remembers(context, org, &project, sprint.id, number)?;
        }
    }
    Ok(())
}

/// That an item that a sprint remembers as planned is in it.
fn remembers(
    context: &CheckContext<'_>,
    org: OrgId,
    project: &ProjectKey,
    sprint: SprintId,
    number: u64,
) -> Verdict {
    let key = ItemKey { project: project.clone(), number };
    let item: Option<Item> = context.need(&keys::item(org, &key), "item that it remembers")?;
    if item.is_some_and(|item| item.sprint.as_deref() != Some(&*sprint.to_string())) {
        context.broken(format!("it remembers {key}, which is not in it"));
    }
    Ok(())
}

/// The last that a sprint remembers of each item, by number.
fn last_facts(context: &CheckContext<'_>, org: OrgId, sprint: SprintId) -> Result<BTreeMap<u64, Fact>, Stop> {
    let facts: Vec<Fact> = context.all(keys::facts_pk(org, &sprint.to_string()), "")?;
    let mut last: BTreeMap<u64, Fact> = BTreeMap::new();
    for fact in facts {
        let newer = last.get(&fact.item.number).is_none_or(|known| known.revision <= fact.revision);
        if newer {
            last.insert(fact.item.number, fact);
        }
    }
    Ok(last)
}

/// That the sprint of an item remembers it as it is.
pub(super) fn remembered(context: &CheckContext<'_>, org: OrgId, item: &Item) -> Verdict {
    let Some(sprint) = &item.sprint else { return Ok(()) };
    let Ok(id) = sprint.parse::<SprintId>() else {
        context.broken(format!("{sprint:?} is the id of no sprint"));
        return Ok(());
    };
    if !context.has(&keys::sprint(org, &item.key.project, id))? {
        context.waiting(format!("it is in the sprint {id}, which is deleted"));
        return Ok(());
    }
    let last = last_facts(context, org, id)?.remove(&item.key.number);
    // What changes in a completed sprint is written down too: the item is still in it.
    match last {
        Some(fact) if fact.planned && fact.item == Planned::of(item) => {}
        Some(fact) if !fact.planned => context.broken(format!("the sprint {id} remembers that it left")),
        Some(fact) => {
            let revision = fact.revision;
            context.broken(format!("the sprint {id} remembers it as it was in revision {revision}"));
        }
        None => context.broken(format!("the sprint {id} does not remember it")),
    }
    Ok(())
}

fn register(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, project) = project_of(subject, context)?;
    let register: Register = subject.read(context)?;
    let sprints: Vec<Sprint> = context.all(keys::project_pk(org, &project), keys::SPRINT_PREFIX)?;
    let mut counted = Register::default();
    for sprint in sprints {
        let team = counted.teams.entry(sprint.team).or_default();
        match sprint.state {
            SprintState::Planned => team.planned += 1,
            SprintState::Completed => team.completed += 1,
            SprintState::Active if team.active.is_some() => {
                context.broken(format!("the team {} has two active sprints", sprint.team));
            }
            SprintState::Active => team.active = Some(sprint.id),
        }
    }
    let teams = |register: &Register| {
        let mut teams = register.teams.clone();
        teams.retain(|_, team| *team != svc_domain::sprint::TeamSprints::default());
        teams
    };
    if teams(&register) != teams(&counted) {
        context.broken("it does not count the sprints that there are, or names another as active");
    }
    Ok(())
}

fn sprint_ref(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (id, place): (SprintId, SprintPlace) = (subject.part("sprint", context)?, subject.read(context)?);
    context.demand(&keys::sprint(place.org, &place.project, id), "such sprint").map(drop)
}

fn fact(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, sprint): (OrgId, SprintId) = (subject.part("org", context)?, subject.part("sprint", context)?);
    let fact: Fact = subject.read(context)?;
    let at = fact.at.as_millisecond();
    subject.is_named(context, &keys::fact(org, &sprint.to_string(), at, fact.item.number, fact.revision));
    let Some(place) = context.read::<SprintPlace>(&keys::sprint_ref(sprint))? else {
        context.waiting("the sprint is deleted");
        return Ok(());
    };
    let key = ItemKey { project: place.project, number: fact.item.number };
    let item = item_or_mark(context, org, &key, "such item")?;
    if item.is_some_and(|item| item.revision < fact.revision) {
        context.broken("it is of a revision that the item does not have yet");
    }
    Ok(())
}
