//! `svc playbook create`.

use std::path::PathBuf;

use svc_api::factory::{Delivers, DeliveryMode, Harness, NewPlaybook};

use super::shared::table;
use crate::commands::files::given;
use crate::commands::in_project::InProject;
use crate::commands::new_name::NewName;
use crate::failure::Failure;
use crate::session::Session;
use crate::values::{delivers, delivery_mode, harness};

/// Create a playbook: the instructions that an agent gets, and the harness that executes them.
///
/// The instructions become the wiki page Factory/<name>. You need to be an Admin of the project.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc playbook create Implement -p PRJ --harness claude-code --body-file implement.md --default
  svc playbook create Fix -p PRJ --harness codex -m 'Fix the bug. Add a test.' --success-state 'In review'")]
pub(crate) struct Args {
    #[command(flatten)]
    name: NewName,
    #[command(flatten)]
    project: InProject,
    /// Coding harness that executes it
    #[arg(long, value_parser = harness(), ignore_case = true)]
    harness: Harness,
    /// Instructions in Markdown
    #[arg(short = 'm', long, value_name = "TEXT", conflicts_with = "body_file")]
    body: Option<String>,
    /// File with the instructions; - reads stdin
    #[arg(long, value_name = "PATH")]
    body_file: Option<PathBuf>,
    /// State that the item moves to when a run succeeds
    #[arg(long, value_name = "STATE")]
    success_state: Option<String>,
    /// State that the item moves to when a run fails
    #[arg(long, value_name = "STATE")]
    failure_state: Option<String>,
    /// Minutes after which a run is stopped, 1 to 1440 [default: 60]
    #[arg(long, value_name = "MINUTES")]
    time_limit: Option<u32>,
    /// Where the result goes: a branch with a pull request (the default), or a push to the default branch
    #[arg(long, value_parser = delivery_mode(), ignore_case = true)]
    delivery: Option<DeliveryMode>,
    /// What a run must leave to have succeeded: a commit (the default), or nothing
    #[arg(long, value_parser = delivers(), ignore_case = true)]
    delivers: Option<Delivers>,
    /// Start a follow-up run when a check fails or a review requests changes on a pull request of its runs
    #[arg(long)]
    pull_request_follow_ups: bool,
    /// Make it the default playbook of the project
    #[arg(long)]
    default: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let project = args.project.key(session).await?;
    let instructions = given(args.body, args.body_file)?.ok_or_else(|| {
        Failure::rejected("a playbook needs instructions").hint("give them with -m/--body or --body-file")
    })?;
    let new = NewPlaybook {
        name: args.name.into_text(),
        instructions,
        harness: args.harness,
        time_limit_minutes: args.time_limit,
        success_state: args.success_state,
        failure_state: args.failure_state,
        delivery_mode: args.delivery,
        delivers: args.delivers,
        pull_request_follow_ups: args.pull_request_follow_ups,
        project_default: args.default,
    };
    let org = session.org_slug().await?;
    let playbook = session.org(&org).create_playbook(project.as_str(), &new).await?;
    session.output.one(&playbook, table)
}
