//! `svc view create`.

use svc_api::tracker::NewView;

use super::shared::table;
use crate::commands::in_project::InProject;
use crate::commands::item::{check_saved, with_ids};
use crate::commands::new_name::{NewName, taken};
use crate::failure::Failure;
use crate::session::Session;

/// Save a view for `svc item list --view`. Only you see it, unless you share it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc view create 'Open bugs' -p PRJ --filter 'type:bug state:active' --sort -priority
  svc view create Triage -p PRJ --filter 'state:backlog has:label' --shared")]
pub(crate) struct Args {
    #[command(flatten)]
    name: NewName,
    #[command(flatten)]
    project: InProject,
    /// Filter terms, separated by spaces; all must match
    #[arg(
        short,
        long,
        value_name = "TERMS",
        allow_hyphen_values = true,
        default_value = "",
        hide_default_value = true
    )]
    filter: String,
    /// Words that items contain
    #[arg(short, long, value_name = "WORDS")]
    query: Option<String>,
    /// Order, as in `svc item list`
    #[arg(long, allow_hyphen_values = true, value_name = "ORDER")]
    sort: Option<String>,
    /// Share it with everyone who can see the project
    #[arg(long)]
    shared: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let filter = with_ids(&args.filter, Some(&project), &org, session).await?;
    check_saved(&filter, &project, &org, session).await?;
    let (name, q) = (args.name.into_text(), args.query);
    let new = NewView { name, shared: args.shared, filter, q, sort: args.sort, ..NewView::default() };
    let created = session.org(&org).create_view(project.as_str(), &new).await;
    let next = format!("choose another name, or change that view with `svc view edit -p {project}`");
    let view = created.map_err(|error| taken(error, "a view", &new.name, &next))?;
    session.output.one(&view, table)
}
