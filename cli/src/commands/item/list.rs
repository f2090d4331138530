//! `svc item list`.

use svc_api::tracker::{ExportQuery, ItemQuery, ProjectQuery, SavedView};

use super::terms::Terms;
use super::{naming, unmatched};
use crate::commands::in_project::InProject;
use crate::commands::paging::collect;
use crate::commands::{saving, status, view};
use crate::failure::Failure;
use crate::output::{item_list, listed};
use crate::session::Session;

/// List a project's items, last changed first.
#[derive(clap::Args)]
#[command(after_help = FILTERS)]
pub(crate) struct Args {
    #[command(flatten)]
    project: InProject,
    /// List unfinished items that are assigned to you, of all projects
    #[arg(long, conflicts_with_all = ["project", "filter", "Terms", "query", "sort", "limit"])]
    mine: bool,
    /// Terms separated by spaces, all of which must match
    #[arg(short, long, value_name = "TERMS", allow_hyphen_values = true)]
    filter: Option<String>,
    #[command(flatten)]
    terms: Terms,
    /// Only the items of a saved view; more terms, words or an order may be added
    #[arg(long, value_name = "VIEW", conflicts_with = "mine")]
    view: Option<String>,
    /// Words that the item contains
    #[arg(short, long, visible_alias = "search", value_name = "WORDS")]
    query: Option<String>,
    /// Order: updated, created, key, title, priority, estimate, due, resolved or rank; with a hyphen in
    /// front, descending
    #[arg(long, allow_hyphen_values = true, value_name = "ORDER")]
    sort: Option<String>,
    /// Print comma-separated values for spreadsheets, with more columns; at most 10,000 items
    #[arg(long, conflicts_with_all = ["mine", "limit"])]
    csv: bool,
    /// Print at most this many
    #[arg(short = 'L', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

const FILTERS: &str = "\
Filter terms:
  state:active,resolved    any of the states or groups
  state:\"In progress\"      a name with a space
  type:task                the type
  priority:>=high          a comparison
  assignee:@me             or an address, a name, or none
  label:bug,frontend       any of the labels
  label:bug+frontend       all of the labels
  -label:wontfix           not the label
  sprint:current           the active sprints, or a sprint's name, or none
  estimate:>4              or remaining:none
  parent:PRJ-12            the items under one
  due:<=2026-01-31         or created, updated, resolved; also today, -7d, +7d, none
  creator:@me              as assignee
  watching:@me
  text:\"two words\"         in title, key, labels or description
  has:due                  or assignee, claim, estimate, label, link, parent,
                           remaining, run, sprint, subtasks
  blocked:true
  (type:bug OR blocked:true)  one or the other; -( ) for neither
  claimed:@me              or any, none, @agent, an address, a name

Examples:
  svc item list -p PRJ --filter 'state:active priority:>=high -label:wontfix'
  svc item list -p PRJ --state 'In progress' --assignee @me
  svc item list -p PRJ --view 'Open bugs' --filter assignee:@me
  svc item list -p PRJ --csv > items.csv

Lists have no descriptions, also as JSON; `svc item view` has them.";

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    if args.csv && session.output.json {
        return Err(Failure::rejected("--csv prints no JSON")
            .hint("leave out --csv, or --json with --jq and --format"));
    }
    if args.mine {
        let org = session.org_slug().await?;
        let items = status::mine("assignee:@me state:backlog,active", "-priority", &org, session).await?;
        return match session.output.json {
            true => session.output.json(&listed(&items)?),
            false => session.output.paged(|| session.output.all(&items, "No items match.", item_list)).await,
        };
    }
    let org = session.org_slug().await?;
    let project = match args.project.key(session) {
        Ok(project) => project,
        Err(failure) => return Err(or_none_yet(failure, &org, session).await),
    };
    let filter = match &args.terms.added_to(args.filter)? {
        Some(filter) => Some(naming::with_ids(filter, &project, &org, session).await?),
        None => None,
    };
    let mut query = ItemQuery { filter, q: args.query, sort: args.sort, ..ItemQuery::default() };
    if let Some(wanted) = &args.view {
        query = of_view(view::find(wanted, &project, &org, session).await?, query);
    }
    if args.csv {
        let query = ExportQuery { filter: query.filter, q: query.q, sort: query.sort };
        // Its size is not known beforehand.
        return saving::print(0, session.org(&org).items_csv(project.as_str(), &query).await?, session).await;
    }
    let limit = args.limit.map(|limit| limit as usize);
    let items = collect(limit, async |page, size| {
        let query = ItemQuery { page: Some(page), page_size: Some(size), ..query.clone() };
        session.org(&org).items(project.as_str(), &query).await
    })
    .await?;
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
            session.output.say(&reason);
        }
        return Ok(());
    }
    session.output.paged(|| session.output.table(&item_list(&items))).await
}

/// The failure to know a project, which is another one where there is none.
async fn or_none_yet(failure: Failure, org: &str, session: &Session<'_>) -> Failure {
    match session.org(org).projects(&ProjectQuery::default()).await {
        Ok(projects) if projects.is_empty() => {
            Failure::not_found(format!("{org} has no projects that you see"))
                .hint("create one with `svc project create`, or ask to become a member of one")
        }
        Ok(_) | Err(_) => failure,
    }
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
