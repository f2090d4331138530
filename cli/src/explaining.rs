//! Explains a failure beyond what the instance says: which part of a name does not exist and what exists instead,
//! where a refused credential came from, and that the blocking claim is the person's own. This costs requests,
//! but only after a failure. What cannot be looked up is left out.

use svc_api::factory::RunStatus;
use svc_api::identity::Organization;
use svc_api::tracker::{ItemQuery, ProjectQuery};
use svc_client::Client;
use svc_domain::ids::ItemKey;

use crate::failure::{Cause, Failure};
use crate::near::did_you_mean;
use crate::output::one_line;
use crate::session::Session;
use crate::settings::Source;

/// Most neighbours that are named.
const NEIGHBOURS: usize = 12;

/// The failure, with what can be found out about it.
pub(crate) async fn explained(mut failure: Failure, session: &Session<'_>) -> Failure {
    match failure.cause.take().map(|cause| *cause) {
        Some(Cause::Missing(path)) => missing(failure, &path, &session.client).await,
        Some(Cause::Claimed(holder)) => claimed(failure, &holder, session).await,
        Some(Cause::Deleted { org, key }) => deleted(failure, &org, &key, &session.client).await,
        Some(Cause::DeletedProject { org, key }) => {
            deleted_project(failure, &org, &key, &session.client).await
        }
        Some(Cause::LiveRun(run)) => live_run(failure, &run, &session.client).await,
        Some(Cause::Credential) => credential(failure, session),
        Some(Cause::Stale) | None => failure,
    }
}

/// Names where a credential came from that the instance refused.
fn credential(failure: Failure, session: &Session<'_>) -> Failure {
    if failure.is_unauthenticated() {
        return refused(failure, session.token_source());
    }
    let from = format!("the token came from {}", session.token_source());
    let detail = match failure.detail.as_deref() {
        Some(detail) => format!("{detail}\n  {from}"),
        None => from,
    };
    failure.detail(detail)
}

/// Says which token is not valid, and how to get another one into its place.
fn refused(failure: Failure, source: &Source) -> Failure {
    let title = format!("the token in {source} is not valid: it expired, was revoked, or is mistyped");
    let hint = match source {
        Source::Flag(name) => format!("correct {name}, or leave it out and sign in with `svc auth login`"),
        Source::Environment(name) => {
            format!("set {name} to a valid token, or unset it and sign in with `svc auth login`")
        }
        Source::File(_) => "sign in again with `svc auth login`".to_owned(),
    };
    failure.retold(title, hint)
}

/// Says so when the claim in the way is the caller's own.
async fn claimed(failure: Failure, holder: &str, session: &Session<'_>) -> Failure {
    match session.client.me().await {
        Ok(me) if me.display_name == holder => failure
            .detail("You hold the claim.")
            .hint("continue with the item, or release it with `svc item release <ITEM_KEY>`"),
        _ => failure,
    }
}

/// Says how the item comes back, to callers that may restore it.
async fn deleted(failure: Failure, org: &str, key: &str, client: &Client) -> Failure {
    let Ok(parsed) = key.parse::<ItemKey>() else { return failure };
    match client.org(org).deleted_items(parsed.project.as_str()).await {
        Ok(items) if items.iter().any(|item| item.key == parsed.to_string()) => {
            failure.hint(format!("restore it with `svc item restore {parsed}`"))
        }
        _ => failure,
    }
}

/// Says how a deleted project comes back, to callers that may restore it. `key` is its own, or that of an item.
async fn deleted_project(failure: Failure, org: &str, key: &str, client: &Client) -> Failure {
    let project = key.rsplit_once('-').map_or(key, |(project, _)| project);
    match client.org(org).deleted_projects().await {
        Ok(gone) if gone.iter().any(|known| known.key.eq_ignore_ascii_case(project)) => {
            failure.hint(format!("restore it with `svc project restore {project}`"))
        }
        _ => failure,
    }
}

/// Says so when the run in the way has not begun: then no runner works on the item.
async fn live_run(failure: Failure, id: &str, client: &Client) -> Failure {
    match client.run(id).await {
        Ok(run) if run.status == RunStatus::Queued => {
            failure.detail(format!("Run {id} waits for a runner. Wait for it or cancel it."))
        }
        _ => failure,
    }
}

/// Names what was not found, and what there is beside it: the organization, else the project, else the rest.
async fn missing(failure: Failure, path: &[String], client: &Client) -> Failure {
    let parts: Vec<&str> = path.iter().map(String::as_str).collect();
    let named = match parts[..] {
        ["orgs", org, ref rest @ ..] => match no_organization(org, client).await {
            Some(said) => Some(said),
            None => in_organization(org, rest, client).await,
        },
        ["runs", id, ..] => Some(Said::new("run", id, "list the runs that you may see with `svc run list`")),
        ["me", "tokens", id, ..] => Some(Said::new("token", id, "`svc token list` shows yours")),
        _ => None,
    };
    match named {
        Some(Said { title, hint }) => failure.retold(title, hint),
        None => failure.retold(
            "not found",
            "check the spelling; things that you may not see are also reported as not found",
        ),
    }
}

/// What is said instead of "not found".
struct Said {
    title: String,
    hint: String,
}

impl Said {
    fn new(what: &str, name: &str, hint: impl Into<String>) -> Self {
        Self { title: format!("no {what} {:?}", one_line(name)), hint: hint.into() }
    }

    /// The same, with a question first.
    fn perhaps(self, question: Option<String>) -> Self {
        match question {
            Some(question) => Self { hint: format!("{question} {}", self.hint), ..self },
            None => self,
        }
    }
}

async fn no_organization(org: &str, client: &Client) -> Option<Said> {
    let orgs: Vec<Organization> = client.orgs().await.ok()?;
    if orgs.iter().any(|known| known.slug == org) {
        return None;
    }
    let slugs: Vec<_> = orgs.iter().map(|org| org.slug.as_str()).collect();
    let hint = match slugs[..] {
        [] => "you belong to no organization yet".to_owned(),
        _ => format!("you are in {}; choose one with `svc org use <SLUG>`", list(&slugs)),
    };
    Some(Said::new("organization", org, hint).perhaps(did_you_mean(org, slugs)))
}

/// What is missing in an organization that the caller belongs to.
async fn in_organization(org: &str, rest: &[&str], client: &Client) -> Option<Said> {
    match *rest {
        ["projects", key, ref rest @ ..] => match no_project(org, key, client).await {
            Some(said) => Some(said),
            None => in_project(org, key, rest, client).await,
        },
        ["items", key, ref rest @ ..] => in_item(org, key, rest, client).await,
        ["sprints", id, ..] => Some(Said::new("sprint", id, "`svc sprint list -p <PROJECT_KEY>` shows them")),
        ["attachments", id, ..] => {
            Some(Said::new("attachment", id, "`svc attachment list <ITEM_KEY>` shows them"))
        }
        ["invitations", id, ..] => Some(Said::new("invitation", id, "`svc invite list` shows them")),
        ["members", id, ..] => Some(Said::new("member", id, "`svc member list` shows them")),
        _ => None,
    }
}

async fn no_project(org: &str, key: &str, client: &Client) -> Option<Said> {
    let all = ProjectQuery { archived: Some(true), deleted: None };
    let projects = client.org(org).projects(&all).await.ok()?;
    if projects.iter().any(|project| project.key == key) {
        return None;
    }
    let keys: Vec<_> = projects.iter().map(|project| project.key.as_str()).collect();
    let hint = match keys[..] {
        [] => format!(
            "you can see no project in {org}; ask to be added to one, or create one with `svc project create` as an Owner or Admin"
        ),
        _ => format!("the projects in {org} are {}", list(&keys)),
    };
    let names = projects.iter().flat_map(|project| [project.key.as_str(), project.name.as_str()]);
    Some(Said::new("project", key, hint).perhaps(did_you_mean(key, names)))
}

/// What is missing in a project that there is, with what may be meant.
async fn in_project(org: &str, key: &str, rest: &[&str], client: &Client) -> Option<Said> {
    let said = missing_in_project(key, rest)?;
    let org = client.org(org);
    let (wanted, known): (String, Vec<String>) = match *rest {
        ["wiki", "version" | "deleted", ..] => return Some(said),
        ["wiki", _, ref page @ ..] => {
            let pages = org.wiki_tree(key).await.unwrap_or_default();
            (page.join("/"), pages.into_iter().map(|page| page.path).collect())
        }
        ["labels", name, ..] => {
            let labels = org.labels(key).await.unwrap_or_default();
            (name.to_owned(), labels.into_iter().map(|label| label.name).collect())
        }
        ["teams", name, ..] => {
            let teams = org.teams(key).await.unwrap_or_default();
            (name.to_owned(), teams.into_iter().flat_map(|team| [team.key, team.name]).collect())
        }
        _ => return Some(said),
    };
    Some(said.perhaps(did_you_mean(&wanted, known.iter().map(String::as_str))))
}

fn missing_in_project(key: &str, rest: &[&str]) -> Option<Said> {
    let shows = |noun: &str| format!("`svc {noun} list -p {key}` shows them");
    match *rest {
        ["wiki", "version", number, ..] => {
            Some(Said::new("version", number, "`svc wiki versions` lists those of the page"))
        }
        ["wiki", "deleted", id, ..] => {
            Some(Said::new("deleted page", id, format!("`svc wiki deleted -p {key}` shows them")))
        }
        ["wiki", _, ref page @ ..] if !page.is_empty() => {
            let hint = format!("`svc wiki tree -p {key}` shows the pages that you may read");
            Some(Said::new("page", &page.join("/"), hint))
        }
        ["labels", name, ..] => Some(Said::new("label", name, shows("label"))),
        ["teams", name, ..] => Some(Said::new("team", name, shows("team"))),
        ["views", id, ..] => Some(Said::new("view", id, shows("view"))),
        ["templates", name, ..] => Some(Said::new("template", name, shows("template"))),
        ["playbooks", name, ..] => Some(Said::new("playbook", name, shows("playbook"))),
        ["members", id, ..] => {
            Some(Said::new("member", id, format!("`svc project member list -p {key}` shows them")))
        }
        _ => None,
    }
}

/// The caller's other organization that has the item.
async fn elsewhere(org: &str, key: &ItemKey, client: &Client) -> Option<Said> {
    let orgs = client.orgs().await.ok()?;
    for other in orgs.iter().filter(|other| other.slug != org).take(NEIGHBOURS) {
        if client.org(&other.slug).item(&key.to_string()).await.is_ok() {
            return Some(Said {
                title: format!("{key} is an item of {}, not of {}", one_line(&other.slug), one_line(org)),
                hint: format!(
                    "repeat the command with --org {0}, or choose it with `svc org use {0}`",
                    other.slug
                ),
            });
        }
    }
    None
}

async fn in_item(org: &str, key: &str, rest: &[&str], client: &Client) -> Option<Said> {
    let parsed: ItemKey = key.parse().ok()?;
    if let Some(said) = elsewhere(org, &parsed, client).await {
        return Some(said);
    }
    let project = parsed.project.as_str();
    if let Some(said) = no_project(org, project, client).await {
        return Some(Said { title: format!("no item {key:?}: there is no project {project:?}"), ..said });
    }
    if !rest.is_empty() && client.org(org).item(key).await.is_ok() {
        return match *rest {
            ["restore"] => Some(Said {
                title: format!("{parsed} is not deleted"),
                hint: format!("`svc item view {parsed}` shows it"),
            }),
            ["comments", id, ..] => {
                Some(Said::new("comment", id, format!("`svc comment list {key}` shows those of {key}")))
            }
            _ => None,
        };
    }
    let newest = ItemQuery { sort: Some("-created".to_owned()), page_size: Some(1), ..ItemQuery::default() };
    let newest = client.org(org).items(project, &newest).await.map(|page| page.items.into_iter().next());
    let hint = match newest {
        Ok(Some(item)) => {
            let newest: Option<ItemKey> = item.key.parse().ok();
            // The same of every number that was given out: it says nothing about this one.
            if newest.is_some_and(|newest| newest.number > parsed.number) {
                format!(
                    "the newest item of {project} is {}; this one may be deleted, or in a project that you cannot \
                    see",
                    item.key
                )
            } else {
                format!("the newest item of {project} is {}", item.key)
            }
        }
        Ok(None) => format!("{project} has no items yet"),
        Err(_) => "check the spelling; things that you may not see are also reported as not found".to_owned(),
    };
    Some(Said::new("item", key, hint))
}

/// Names separated by commas, not too many.
fn list(names: &[&str]) -> String {
    let more = if names.len() > NEIGHBOURS { ", …" } else { "" };
    let shown: Vec<_> = names.iter().take(NEIGHBOURS).map(|name| one_line(name)).collect();
    format!("{}{more}", shown.join(", "))
}
