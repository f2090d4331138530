//! `svc item list`.

use svc_api::tracker::{ExportQuery, Item, ItemQuery, SavedView};
use svc_client::Error;
use svc_domain::filter::{Field, Filter};
use svc_domain::ids::ProjectKey;

use super::naming;
use super::terms::Terms;
use super::unmatched::{self, warn_of};
use crate::commands::in_project::InProject;
use crate::commands::paging::collect_items;
use crate::commands::{saving, status, view};
use crate::failure::Failure;
use crate::output::{More, item_list, listed};
use crate::session::Session;
use crate::values::zone_for;

/// List a project's items, last changed first.
#[derive(clap::Args)]
#[command(after_help = FILTERS)]
pub(crate) struct Args {
    #[command(flatten)]
    project: InProject,
    /// List unfinished items in all projects that are assigned to you
    #[arg(long, conflicts_with_all = ["project", "all_projects", "filter", "Terms", "query", "sort", "limit"])]
    mine: bool,
    /// List the items of all projects that you can see
    #[arg(long, conflicts_with_all = ["project", "view", "csv"])]
    all_projects: bool,
    /// Filter terms, separated by spaces; all must match
    #[arg(short, long, value_name = "TERMS", allow_hyphen_values = true)]
    filter: Option<String>,
    #[command(flatten)]
    terms: Terms,
    /// Items of a saved view; other options narrow or sort them further
    #[arg(long, value_name = "VIEW", conflicts_with = "mine")]
    view: Option<String>,
    /// Words that items contain
    #[arg(short, long, visible_alias = "search", value_name = "WORDS")]
    query: Option<String>,
    /// Order: updated, created, key, title, priority, estimate, due, resolved or rank; a leading hyphen means
    /// descending
    #[arg(long, allow_hyphen_values = true, value_name = "ORDER")]
    sort: Option<String>,
    /// Print CSV with more columns, for spreadsheets; at most 10,000 items
    #[arg(long, conflicts_with_all = ["mine", "limit"])]
    csv: bool,
    /// Print at most this many
    #[arg(short = 'L', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

const FILTERS: &str = "\
Filter terms:
  state:active,resolved    in any of these states or state groups
  state:\"In progress\"      a name with a space
  type:task                the type
  priority:>=high          a comparison
  assignee:@me             or an address, a name, or none
  label:bug,frontend       with any of these labels
  label:bug+frontend       with all of these labels
  -label:wontfix           without the label
  sprint:current           the active sprints, or a sprint's name, or none
  estimate:>4              or remaining:none
  parent:PRJ-12            the children of an item
  milestone:\"First beta\"   or any, none
  due:<=friday             or created, updated, resolved; a day is 2026-01-31, today,
                           yesterday, tomorrow, -7d, +2w, +1m or friday; or none, any
  updated:<7d              less than seven days ago; or created, resolved
  creator:@me              the values of assignee; or commented
  watching:@me
  text:\"two words\"         in title, key, labels or description; or title
  project:PRJ              with --all-projects
  has:due                  or assignee, claim, estimate, label, link, parent,
                           remaining, run, sprint, subtasks
  blocked:true
  (type:bug OR blocked:true)  either term; -( ) for neither
  claimed:@me              or any, none, @agent, an address, a name

Examples:
  svc item list -p PRJ --filter 'state:active priority:>=high -label:wontfix'
  svc item list -p PRJ --state 'In progress' --assignee @me
  svc item list -p PRJ --filter 'due:<=+7d state:backlog,active' --sort due
  svc item list -p PRJ --view 'Open bugs' --filter assignee:@me
  svc item list -p PRJ --csv > items.csv

friday is the next Friday for due, and the last Friday for created, updated and resolved. On a Friday, it is today.
Days are those of your time zone (the variable TZ).
Lists have no descriptions, not even as JSON; `svc item view` shows them.";

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    if args.csv && session.output.json {
        return Err(Failure::rejected("--csv cannot print JSON")
            .hint("leave out --csv, or --json with --jq and --format"));
    }
    let org = session.org_slug().await?;
    if args.mine || args.all_projects {
        return everywhere(args, &org, session).await;
    }
    let project = args.project.key(session).await?;
    let filter = match &args.terms.added_to(args.filter)? {
        Some(filter) => Some(naming::with_ids(filter, Some(&project), &org, session).await?),
        None => None,
    };
    let mut query = ItemQuery { filter, q: args.query, sort: args.sort, ..ItemQuery::default() };
    let mut told = Vec::new();
    let view = match &args.view {
        Some(wanted) => Some(view::find(wanted, &project, &org, session).await?),
        None => None,
    };
    if let Some(view) = &view {
        query = of_view(view.clone(), query);
        if !session.output.json {
            told = warn_of(view, &project, &org, session).await;
        }
    }
    query.time_zone = zone_for(query.filter.as_deref());
    if args.csv {
        let ItemQuery { filter, q, sort, time_zone, .. } = query;
        let query = ExportQuery { filter, q, sort, time_zone };
        let items = session.org(&org).items_csv(project.as_str(), &query).await;
        // Its size is not known beforehand.
        return saving::print(0, items.map_err(|error| of_filter(error, view.as_ref(), &project))?, session)
            .await;
    }
    let limit = args.limit.map(|limit| limit as usize);
    let items = collect_items(limit, async |page, size| {
        let query = ItemQuery { page: Some(page), page_size: Some(size), ..query.clone() };
        session.org(&org).items(project.as_str(), &query).await
    })
    .await
    .map_err(|error| of_filter(error, view.as_ref(), &project))?;
    if session.output.json {
        return session.output.json(&listed(&items)?);
    }
    if items.is_empty() {
        if query.filter.is_none() && query.q.is_none() {
            session.output.say(&format!("{project} has no items yet; create one with `svc item create`."));
            return Ok(());
        }
        session.output.say("No items match.");
        let filter = query.filter.as_deref().unwrap_or_default();
        for reason in unmatched::reasons(filter, project.as_str(), &org, session).await {
            if !told.contains(&reason.text) {
                session.output.say(&reason.text);
            }
        }
        return Ok(());
    }
    let asked_for = asked_for(&query);
    session.output.paged(|| session.output.table(&item_list(&items, &asked_for))).await
}

/// Lists the items of all projects that match; without a choice, those that the caller has to do.
async fn everywhere(args: Args, org: &str, session: &Session<'_>) -> Result<(), Failure> {
    let (filter, sort) = match args.mine {
        true => (Some(status::ASSIGNED.to_owned()), Some("-priority".to_owned())),
        false => (args.terms.added_to(args.filter)?, args.sort),
    };
    let filter = match &filter {
        Some(filter) => Some(naming::with_ids(filter, None, org, session).await?),
        None => None,
    };
    let time_zone = zone_for(filter.as_deref());
    let query = ItemQuery { filter, q: args.query, sort, time_zone, ..ItemQuery::default() };
    let asked_for = asked_for(&query);
    let items = status::everywhere(&query, args.limit.map(|limit| limit as usize), org, session).await?;
    if session.output.json {
        return session.output.json(&listed(&items)?);
    }
    let table = |items: &[Item]| item_list(items, &asked_for);
    session.output.paged(|| session.output.all(&items, "No items match.", table)).await
}

/// The failure to list, with the view whose filter is refused.
fn of_filter(error: Error, view: Option<&SavedView>, project: &ProjectKey) -> Failure {
    let failure = Failure::from(error);
    match view {
        Some(view) if failure.fields.contains_key("filter") => failure
            .retold(format!("the view {:?} cannot be listed", view.name), unmatched::mend(view, project)),
        _ => failure,
    }
}

/// The columns of what the list is ordered by, or looks for.
fn asked_for(query: &ItemQuery) -> Vec<More> {
    let sort = query.sort.as_deref().unwrap_or_default();
    let mut columns = vec![match sort.trim_start_matches('-') {
        "due" => Some(More::Due),
        "estimate" => Some(More::Estimate),
        "created" => Some(More::Created),
        "updated" => Some(More::Updated),
        "resolved" => Some(More::Resolved),
        _ => None,
    }];
    if let Ok(filter) = Filter::parse(query.filter.as_deref().unwrap_or_default()) {
        columns.extend(filter.terms().into_iter().map(|term| match term.condition.field() {
            Field::Due => Some(More::Due),
            Field::Estimate => Some(More::Estimate),
            Field::Remaining => Some(More::Remaining),
            Field::Created => Some(More::Created),
            Field::Updated => Some(More::Updated),
            Field::Resolved => Some(More::Resolved),
            _ => None,
        }));
    }
    let mut asked_for = Vec::new();
    for column in columns.into_iter().flatten() {
        if !asked_for.contains(&column) {
            asked_for.push(column);
        }
    }
    asked_for
}

/// The items of a view that a query narrows further.
fn of_view(view: SavedView, query: ItemQuery) -> ItemQuery {
    let joined = |own: Option<String>, more: Option<String>| {
        let parts: Vec<String> = [own, more].into_iter().flatten().filter(|part| !part.is_empty()).collect();
        Some(parts.join(" ")).filter(|text| !text.is_empty())
    };
    ItemQuery {
        filter: joined(Some(view.filter), query.filter),
        q: joined(view.q, query.q),
        sort: query.sort.or(view.sort),
        ..query
    }
}
