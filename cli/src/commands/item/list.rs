//! `svc item list`.

use svc_api::tracker::ItemQuery;

use super::unmatched;
use crate::commands::in_project::InProject;
use crate::commands::paging::collect;
use crate::failure::Failure;
use crate::output::item_table;
use crate::session::Session;

/// List a project's items, the last changed first.
#[derive(clap::Args)]
#[command(after_help = FILTERS)]
pub(crate) struct Args {
    #[command(flatten)]
    project: InProject,
    /// Terms separated by spaces, all of which must match
    #[arg(short, long, value_name = "TERMS", allow_hyphen_values = true)]
    filter: Option<String>,
    /// Words that the key, title or labels contain
    #[arg(short, long, value_name = "WORDS")]
    query: Option<String>,
    /// Order: updated, created, key, title, priority, estimate or rank; with a hyphen before it, descending
    #[arg(long, allow_hyphen_values = true, value_name = "ORDER")]
    sort: Option<String>,
    /// Print at most so many; all when absent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

const FILTERS: &str = "\
Filter terms:
  state:active,resolved    any of the states or groups
  state:\"In progress\"      a name with a space
  type:task                the type
  priority:>=high          a comparison
  assignee:@me             or a user's id, or none
  label:bug,frontend       any of the labels
  label:bug+frontend       all of the labels
  -label:wontfix           not the label
  sprint:current           the active sprints, or a sprint's id, or none
  estimate:>4              or remaining:none
  blocked:true
  claimed:@me              or any, none, @agent, a user's id

Example:
  svc item list -p PRJ --filter 'state:active priority:>=high -label:wontfix'";

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session)?);
    let query = ItemQuery { filter: args.filter, q: args.query, sort: args.sort, ..ItemQuery::default() };
    let limit = args.limit.map(|limit| limit as usize);
    let items = collect(limit, async |page, size| {
        let query = ItemQuery { page: Some(page), page_size: Some(size), ..query.clone() };
        session.org(&org).items(project.as_str(), &query).await
    })
    .await?;
    if session.output.json {
        return session.output.json(&items);
    }
    if items.is_empty() {
        session.output.say("No items match.");
        let filter = query.filter.as_deref().unwrap_or_default();
        for reason in unmatched::reasons(filter, project.as_str(), &org, session).await {
            session.output.say(&reason);
        }
        return Ok(());
    }
    session.output.table(&item_table(&items))
}
