//! `svc refine start`.

use svc_api::factory::{Harness, StartRefinement};

use super::shared::{Which, show};
use crate::failure::Failure;
use crate::session::Session;
use crate::values::harness;

/// Have an agent refine an item: it asks questions, or proposes a better title and description.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc refine start PRJ-12
  svc refine start PRJ-12 --harness harness_2")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// Name or id of the runner to use [default: any]
    #[arg(long)]
    runner: Option<String>,
    /// Harness [default: that of the default playbook]
    #[arg(long, value_parser = harness(), ignore_case = true)]
    harness: Option<Harness>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, key) = (session.org_slug().await?, args.which.key.to_string());
    let start = StartRefinement { runner_id: args.runner, harness: args.harness };
    let refinement = session.org(&org).start_refinement(&key, &start).await?;
    show(&refinement, session.output)
}
