//! What a search asks for, in the use cases' words. Refuses types and project keys that there are not.

use std::collections::BTreeSet;

use svc_api::search::{OrgSearchQuery, ProjectSearchQuery};
use svc_app::search::{Find, Kind};
use svc_domain::ids::ProjectKey;
use svc_domain::refusal::{FieldErrors, Refusal};

/// Answers where none are asked for.
const DEFAULT_LIMIT: u32 = 20;
/// Most answers.
const MAX_LIMIT: u32 = 50;

/// What a project has.
const OF_PROJECT: [(&str, Kind); 3] =
    [("items", Kind::Items), ("comments", Kind::Comments), ("pages", Kind::Pages)];

/// What an organization has besides.
const OF_ORG: [(&str, Kind); 5] =
    [OF_PROJECT[0], OF_PROJECT[1], OF_PROJECT[2], ("projects", Kind::Projects), ("people", Kind::People)];

/// What a search of a project asks for.
///
/// # Errors
/// A kind that projects do not have.
pub fn of_project(query: ProjectSearchQuery) -> Result<Find, Refusal> {
    let mut errors = FieldErrors::default();
    let kinds = kinds(query.types.as_deref(), &OF_PROJECT, &mut errors);
    errors.into_result().map_err(Refusal::InvalidQuery)?;
    Ok(Find {
        q: query.q.unwrap_or_default(),
        kinds,
        projects: Vec::new(),
        limit: limit(query.limit),
        count: query.totals == Some(true),
    })
}

/// What a search of an organization asks for.
///
/// # Errors
/// A kind or a project key that there is not.
pub fn of_org(query: OrgSearchQuery) -> Result<Find, Refusal> {
    let mut errors = FieldErrors::default();
    let kinds = kinds(query.types.as_deref(), &OF_ORG, &mut errors);
    let mut projects: Vec<ProjectKey> = Vec::new();
    for key in words(query.projects.as_deref()) {
        projects.extend(errors.check("projects", key.parse::<ProjectKey>()));
    }
    errors.into_result().map_err(Refusal::InvalidQuery)?;
    Ok(Find {
        q: query.q.unwrap_or_default(),
        kinds,
        projects,
        limit: limit(query.limit),
        count: query.totals == Some(true),
    })
}

fn kinds(types: Option<&str>, known: &[(&str, Kind)], errors: &mut FieldErrors) -> BTreeSet<Kind> {
    let mut kinds = BTreeSet::new();
    for word in words(types) {
        match known.iter().find(|(name, _)| *name == word) {
            Some((_, kind)) => {
                kinds.insert(*kind);
            }
            None => {
                let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
                errors.add("types", format!("{word:?} is not one of {}.", names.join(", ")));
            }
        }
    }
    if kinds.is_empty() { known.iter().map(|(_, kind)| *kind).collect() } else { kinds }
}

/// The limit, clamped.
fn limit(wanted: Option<u32>) -> usize {
    wanted.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT) as usize
}

/// The parts of a list with commas.
fn words(list: Option<&str>) -> impl Iterator<Item = &str> {
    list.unwrap_or_default().split(',').map(str::trim).filter(|word| !word.is_empty())
}
