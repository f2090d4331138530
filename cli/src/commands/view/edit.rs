//! `svc view edit`: reads the view's version, then sends the change under it.

use svc_api::Patch;
use svc_api::tracker::UpdateView;

use super::shared::{Which, table};
use crate::commands::item::{check_saved, with_ids};
use crate::failure::Failure;
use crate::session::Session;

/// Change a saved view.
///
/// Other fields stay as they are. If someone else saves in between, nothing is changed (exit code 3).
#[derive(clap::Args)]
#[command(
    override_usage = "svc view edit [OPTIONS] --project <PROJECT_KEY> <VIEW>",
    after_help = "\
Examples:
  svc view edit 'Open bugs' -p PRJ --filter 'type:bug -state:closed'
  svc view edit 'Open bugs' -p PRJ --shared true"
)]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    change: Change,
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct Change {
    /// New name, on one line
    #[arg(long)]
    name: Option<String>,
    /// New filter terms; empty for all items
    #[arg(short, long, value_name = "TERMS", allow_hyphen_values = true)]
    filter: Option<String>,
    /// New search words; empty for none
    #[arg(short, long, value_name = "WORDS")]
    query: Option<String>,
    /// New order; empty for the default order
    #[arg(long, allow_hyphen_values = true, value_name = "ORDER")]
    sort: Option<String>,
    /// Whether it is shared with everyone who can see the project
    #[arg(long, value_name = "BOOL")]
    shared: Option<bool>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.which.project.key(session).await?);
    let view = args.which.find(&org, session).await?;
    let Change { name, filter, query, sort, shared } = args.change;
    let filter = match filter {
        Some(filter) => {
            let filter = with_ids(&filter, Some(&project), &org, session).await?;
            check_saved(&filter, &project, &org, session).await?;
            Some(filter)
        }
        None => None,
    };
    let change = UpdateView {
        version: view.version,
        name,
        shared,
        filter,
        q: given(query),
        sort: given(sort),
        ..UpdateView::default()
    };
    let view = session.org(&org).update_view(project.as_str(), &view.id, &change).await?;
    session.output.one(&view, table)
}

/// What a text changes: an empty one clears.
fn given(text: Option<String>) -> Patch<String> {
    match text {
        None => Patch::Keep,
        Some(text) if text.trim().is_empty() => Patch::Clear,
        Some(text) => Patch::Set(text),
    }
}
