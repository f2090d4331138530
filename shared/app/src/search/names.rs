//! What is found by its name or key without the index: projects, people, and the item of a key.

use std::collections::HashSet;

use jiff::Timestamp;
use svc_domain::identity::Member;
use svc_domain::ids::{ItemKey, OrgId, ProjectKey};
use svc_domain::item::Item;
use svc_domain::project::Project;
use svc_domain::search::{Class, Rank, SearchQuery, snippet, terms};
use svc_storage::{Query, Range, keys};

use super::answer::{Answer, Answered};
use crate::App;
use crate::entry::Entry;
use crate::error::Result;
use crate::identity::Known;
use crate::tracker::gone::key_now;

/// Members whose names are looked at: one read.
const PEOPLE: usize = 1_000;

/// A project whose name or key has all that was asked for.
pub(super) fn project(project: &Project, query: &SearchQuery) -> Option<(Rank, Answered)> {
    let answer = Answer::Project(project.key.clone());
    named(answer, &project.name, project.key.as_str(), query, project.created_at)
}

/// The words of the names of these projects, and of the people whom the caller may know of if `people` are wanted.
pub(super) async fn words<'a>(
    app: &App,
    entry: &Entry,
    projects: impl Iterator<Item = &'a Project>,
    people: bool,
) -> Result<Vec<String>> {
    let mut names: Vec<String> = projects.map(|project| project.name.clone()).collect();
    if people {
        names.extend(members(app, entry).await?.into_iter().map(|member| member.display_name));
    }
    Ok(names.iter().flat_map(|name| terms::tokens(name)).map(|token| token.term).collect())
}

/// Members of the organization whose names have all that was asked for, of those whom the caller may know of.
pub(super) async fn people(app: &App, entry: &Entry, query: &SearchQuery) -> Result<Vec<(Rank, Answered)>> {
    let members = members(app, entry).await?.into_iter();
    let found = members.filter_map(|member| {
        named(Answer::Person(member.user), &member.display_name, "", query, Timestamp::UNIX_EPOCH)
    });
    Ok(found.collect())
}

/// The members of the organization whom the caller may know of.
async fn members(app: &App, entry: &Entry) -> Result<Vec<Member>> {
    let known = Known::to(app, &entry.access).await?;
    let range = Range::Prefix(keys::MEMBER_PREFIX.to_owned());
    let rows = app.table.query(&Query::new(keys::org_pk(entry.org_id()), range, PEOPLE)).await?.rows;
    let mut members = rows.iter().map(svc_storage::Row::read).collect::<Result<Vec<Member>, _>>()?;
    members.retain(|member| known.includes(member));
    Ok(members)
}

/// The item whose key was typed, or was its key before it moved, in a project that the caller sees.
pub(super) async fn item(
    app: &App,
    org: OrgId,
    q: &str,
    visible: &HashSet<&ProjectKey>,
    query: &SearchQuery,
) -> Result<Option<(Rank, Answered)>> {
    let key: Option<ItemKey> = q.trim().to_ascii_uppercase().parse().ok();
    let Some(key) = key.filter(|key| visible.contains(&key.project)) else { return Ok(None) };
    let (key, row) = match app.table.find(&keys::item(org, &key)).await? {
        Some(row) => (key, Some(row)),
        None => match key_now(app, org, &key).await?.filter(|now| visible.contains(&now.project)) {
            Some(now) => {
                let row = app.table.find(&keys::item(org, &now)).await?;
                (now, row)
            }
            None => return Ok(None),
        },
    };
    let Some(row) = row else { return Ok(None) };
    let item: Item = row.read()?;
    let rank = Rank::new(Class::Identifier, query.clauses.len(), item.created_at, key.to_string());
    let answered = Answered {
        title: snippet::whole(&item.title, query),
        snippet: Some(snippet::around(&item.body, query)).filter(|part| !part.text.trim().is_empty()),
        updated_at: Some(item.updated_at),
        answer: Answer::Item { key, item_type: item.item_type, state: item.state },
    };
    Ok(Some((rank, answered)))
}

fn named(
    answer: Answer,
    name: &str,
    key: &str,
    query: &SearchQuery,
    created: Timestamp,
) -> Option<(Rank, Answered)> {
    let (of_name, of_key) = (terms::tokens(name), terms::tokens(key));
    let occurs = |clause: &svc_domain::search::Clause| {
        clause.places(&of_name).next().is_some() || clause.places(&of_key).next().is_some()
    };
    if query.is_empty() || !query.clauses.iter().all(occurs) {
        return None;
    }
    let rank = Rank::new(Class::Title, query.clauses.len(), created, format!("{key} {name}"));
    Some((rank, Answered::of_name(answer, name, query)))
}
