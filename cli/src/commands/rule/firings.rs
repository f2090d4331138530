//! `svc rule firings`.

use svc_api::factory::{FiringQuery, RuleFiring};

use super::shared::find;
use crate::commands::in_project::InProject;
use crate::failure::Failure;
use crate::output::{Column, Table, when};
use crate::session::Session;

/// List the firings of a project's rules, newest first, with the run that each started or why it started none.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc rule firings -p PRJ
  svc rule firings -p PRJ --rule review --limit 10")]
pub(crate) struct Args {
    #[command(flatten)]
    project: InProject,
    /// Only firings of the rule with this name or id
    #[arg(long)]
    rule: Option<String>,
    /// Print at most this many
    #[arg(short = 'L', long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100))]
    limit: u32,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let rule = match &args.rule {
        Some(word) => Some(find(word, project.as_str(), &org, session).await?.id),
        None => None,
    };
    let query = FiringQuery { rule, page: Some(1), page_size: Some(args.limit) };
    let page = session.org(&org).rule_firings(project.as_str(), &query).await?;
    session.output.all(&page.items, "No rule fired in the last 90 days.", table)
}

fn table(firings: &[RuleFiring]) -> Table {
    let mut table = Table::new([
        Column::fixed("WHEN"),
        Column::flexible("RULE"),
        Column::fixed("ITEM"),
        Column::fixed("STATE"),
        Column::flexible("WHAT CAME OF IT"),
    ]);
    for firing in firings {
        let outcome = match (&firing.run, &firing.skipped_reason) {
            (Some(run), _) => format!("started run {run}"),
            (None, reason) => format!("skipped: {}", reason.as_deref().unwrap_or("no reason given")),
        };
        table.row([
            when(firing.at).into(),
            firing.rule_name.as_str().into(),
            firing.item.as_str().into(),
            firing.state.as_str().into(),
            outcome.into(),
        ]);
    }
    table
}
