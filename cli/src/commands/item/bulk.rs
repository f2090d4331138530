//! `svc item bulk`: reads the version of each item, then changes all under those versions. Each is changed or
//! left by itself.

use clap::ArgGroup;
use svc_api::Problem;
use svc_api::tracker::{BulkChange, BulkItem, BulkOutcome, BulkResult, Item, ItemQuery, MoveItem};
use svc_domain::ids::{ItemKey, ProjectKey};

use super::fields::Fields;
use super::naming;
use crate::commands::confirm::Confirm;
use crate::commands::paging::collect_items;
use crate::commands::sprint;
use crate::failure::Failure;
use crate::flags;
use crate::keys::{item_key, project_key};
use crate::output::{Column, Progress, Table, item_list, listed};
use crate::session::Session;
use crate::values::OrNone;
use crate::values::zone_for;

/// The most items that the instance takes at once.
const MOST: usize = 100;

/// Change or move many items of a project.
///
/// Each item is changed on its own: if one cannot be changed, the others still are, and the command fails. If a key
/// names no item, nothing is changed. On a terminal, --filter asks for confirmation.
#[derive(clap::Args)]
#[command(
    group = ArgGroup::new("what").args(Fields::ARGS).args(["state", "sprint"]).required(true).multiple(true),
    group = ArgGroup::new("which").args(["keys", "filter"]).required(true),
    override_usage = "svc item bulk [OPTIONS] <ITEM_KEY>...
       svc item bulk [OPTIONS] [--project <PROJECT_KEY>] --filter <TERMS>",
    after_help = "\
Examples:
  svc item bulk PRJ-12 PRJ-13 --assignee @me --priority high
  svc item bulk PRJ-12 PRJ-13 --state Closed
  svc item bulk PRJ-12 PRJ-13 --sprint current
  svc item bulk -p PRJ --filter 'label:flaky state:backlog' --labels +ci,-flaky"
)]
pub(crate) struct Args {
    /// Keys of items of one project
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    keys: Vec<ItemKey>,
    /// Key of the project to search, only needed with --filter [env: SVC_PROJECT]
    #[arg(short, long, value_name = "PROJECT_KEY", value_parser = project_key)]
    project: Option<ProjectKey>,
    /// The items that match these terms, as in svc item list
    #[arg(short, long, value_name = "TERMS", allow_hyphen_values = true)]
    filter: Option<String>,
    /// Name of the state to move to, in any case
    #[arg(long, value_name = "NAME", conflicts_with_all = Fields::ARGS)]
    state: Option<String>,
    /// Sprint to move them into: its name, its id, current, or none for the backlog
    #[arg(long, value_name = "SPRINT")]
    sprint: Option<OrNone<String>>,
    #[command(flatten)]
    fields: Fields,
    /// List the items, and change nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let Args { keys, project, filter, state, sprint, fields, dry_run, confirm } = args;
    let filtered = filter.is_some();
    let (project, items) = match filter {
        Some(filter) => {
            let project = session.project(project).await?;
            let filter = naming::with_ids(&filter, Some(&project), &org, session).await?;
            let items = matching(&org, &project, filter, session).await?;
            (project, items)
        }
        None => named(&org, keys, project, session).await?,
    };
    if items.is_empty() {
        session.output.say("No items match.");
        return Ok(());
    }
    if dry_run {
        return match session.output.json {
            true => session.output.json(&listed(&items)?),
            false => session.output.table(&item_list(&items, &[])),
        };
    }
    let change = match fields.is_empty() {
        true => None,
        false => Some(fields.resolve(&org, session).await?),
    };
    if let Some(labels) = change.as_ref().and_then(|change| change.labels.as_ref()) {
        let labels = if labels.is_empty() { "none".to_owned() } else { labels.join(", ") };
        session.output.say(&format!(
            "This replaces all labels of the items by: {labels}. +name adds a label, -name removes one."
        ));
    }
    if filtered {
        let question = format!("Change {} of {project}?", count(items.len()));
        confirm.sure_on_terminal(&question, session.output)?;
    }
    let items: Vec<_> =
        items.into_iter().map(|item| BulkItem { key: item.key, version: item.version }).collect();
    if let Some(sprint) = sprint {
        let sprint = sprint::patch(sprint, &project, &org, session).await?;
        return move_all(&org, items, &MoveItem { sprint, state, change, ..MoveItem::default() }, session)
            .await;
    }
    let bulk = BulkChange { items, change, state };
    send_all(&org, &project, &bulk, session).await
}

/// Sends the change of all items in as many requests as it takes, and shows what became of each.
async fn send_all(
    org: &str,
    project: &ProjectKey,
    bulk: &BulkChange,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let mut results = Vec::new();
    let mut progress = Progress::new("changing", bulk.items.len() as u64, session.output);
    for items in bulk.items.chunks(MOST) {
        let part = BulkChange { items: items.to_vec(), ..bulk.clone() };
        progress.advance(0);
        match session.org(org).change_items(project.as_str(), &part).await.map_err(Failure::from) {
            Ok(more) => {
                progress.advance(items.len() as u64);
                results.extend(more.results);
            }
            // What happened before stays, so it is told.
            Err(failure) if !results.is_empty() => {
                drop(progress);
                print(&BulkResult { results }, &bulk.items, session)?;
                return Err(failure);
            }
            Err(failure) => return Err(failure),
        }
    }
    drop(progress);
    let result = BulkResult { results };
    print(&result, &bulk.items, session)?;
    judge(&result)
}

/// Moves each item by itself: the instance takes no sprint for many.
async fn move_all(
    org: &str,
    items: Vec<BulkItem>,
    to: &MoveItem,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let mut results = Vec::new();
    let mut progress = Progress::new("moving", items.len() as u64, session.output);
    for BulkItem { key, version } in items.clone() {
        progress.advance(0);
        let moved = session.org(org).move_item(&key, &MoveItem { version, ..to.clone() }).await;
        let (item, problem) = match moved {
            Ok(item) => (Some(item), None),
            Err(error) => match error.problem() {
                Some(problem) => (None, Some(problem.clone())),
                // What happened before stays, so it is told.
                None => {
                    drop(progress);
                    print(&BulkResult { results }, &items, session)?;
                    return Err(error.into());
                }
            },
        };
        progress.advance(1);
        results.push(BulkOutcome { key, item, problem });
    }
    drop(progress);
    let result = BulkResult { results };
    print(&result, &items, session)?;
    judge(&result)
}

/// The items of these keys, with their versions.
async fn named(
    org: &str,
    keys: Vec<ItemKey>,
    agreed: Option<ProjectKey>,
    session: &Session<'_>,
) -> Result<(ProjectKey, Vec<Item>), Failure> {
    let several = || {
        Failure::rejected("the items are in several projects")
            .hint("change the items of one project at a time")
    };
    let project = keys.first().map(|key| key.project.clone()).ok_or_else(several)?;
    if keys.iter().any(|key| key.project != project) {
        return Err(several());
    }
    if let Some(other) = agreed.filter(|agreed| *agreed != project) {
        return Err(Failure::rejected(format!("the items are in {project}, not in {other}"))
            .hint("leave out -p: the keys name the project"));
    }
    let mut items: Vec<Item> = Vec::new();
    for key in keys.iter().map(ItemKey::to_string) {
        if !items.iter().any(|item| item.key == key) {
            items.push(session.org(org).item(&key).await?);
        }
    }
    Ok((project, items))
}

/// The items that match the terms, with their versions.
async fn matching(
    org: &str,
    project: &ProjectKey,
    filter: String,
    session: &Session<'_>,
) -> Result<Vec<Item>, Failure> {
    let (time_zone, sort) = (zone_for(Some(&filter)), Some("key".to_owned()));
    let query = ItemQuery { filter: Some(filter), sort, time_zone, ..ItemQuery::default() };
    Ok(collect_items(None, async |page, size| {
        let query = ItemQuery { page: Some(page), page_size: Some(size), ..query.clone() };
        session.org(org).items(project.as_str(), &query).await
    })
    .await?)
}

/// How many items.
fn count(items: usize) -> String {
    if items == 1 { "1 item".to_owned() } else { format!("{items} items") }
}

/// Shows what became of each of the items, whose versions are those before, and how many were changed.
fn print(result: &BulkResult, before: &[BulkItem], session: &Session<'_>) -> Result<(), Failure> {
    if session.output.json {
        return session.output.json(result);
    }
    let mut table = Table::new([Column::fixed("KEY"), Column::fixed("STATE"), Column::flexible("RESULT")]);
    let (mut changed, mut unchanged, mut refused) = (0, 0, 0);
    for BulkOutcome { key, item, problem } in &result.results {
        let state = item.as_ref().map_or("-", |item| item.state.as_str());
        let is_same =
            |now: &Item| before.iter().any(|item| item.key == now.key && item.version == now.version);
        let (count, said) = match (problem, item) {
            (Some(problem), _) => (&mut refused, said(problem)),
            (None, Some(item)) if is_same(item) => {
                (&mut unchanged, "unchanged: it already had these values".to_owned())
            }
            (None, _) => (&mut changed, "changed".to_owned()),
        };
        *count += 1;
        table.row([key.as_str().into(), state.into(), said.into()]);
    }
    session.output.table(&table)?;
    let counts = [(changed, "changed"), (unchanged, "unchanged"), (refused, "refused")];
    let counts = counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
    session.output.say(&counts.collect::<Vec<_>>().join(", "));
    Ok(())
}

/// Fails where an item was left, as the first of them says.
fn judge(result: &BulkResult) -> Result<(), Failure> {
    let problems: Vec<_> = result.results.iter().filter_map(|outcome| outcome.problem.as_ref()).collect();
    match problems[..] {
        [] => Ok(()),
        [first, ..] => {
            let (left, all) = (problems.len(), result.results.len());
            Err(Failure::because_of(first, format!("{left} of {all} items were not changed")))
        }
    }
}

/// A problem on one line.
fn said(problem: &Problem) -> String {
    let fields = flags::lines(&problem.errors);
    match fields.is_empty() {
        true => [Some(problem.title.clone()), problem.detail.clone()]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" "),
        false => fields.join("; "),
    }
}
