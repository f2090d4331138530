//! `svc playbook`.

mod edit;

use std::path::PathBuf;

use clap::Subcommand;
use svc_api::factory::{Delivers, DeliveryMode, Harness, NewPlaybook, Playbook};

use crate::commands::confirm::Confirm;
use crate::commands::deleted::{self, Gone, not_restored};
use crate::commands::files::given;
use crate::commands::in_project::InProject;
use crate::commands::named::{Named, pick};
use crate::commands::new_name::NewName;
use crate::failure::Failure;
use crate::output::{self, Pairs, Table, option, yes};
use crate::session::Session;
use crate::values::{delivers, delivery_mode, harness};

#[derive(Subcommand)]
pub(crate) enum Command {
    List(ListArgs),
    View(ViewArgs),
    #[command(visible_alias = "add")]
    Create(CreateArgs),
    #[command(visible_alias = "update")]
    Edit(edit::Args),
    #[command(visible_alias = "remove")]
    Delete(DeleteArgs),
    /// Restore a deleted playbook and its page.
    #[command(after_help = "\
Examples:
  svc playbook list -p PRJ --deleted
  svc playbook restore Implement -p PRJ")]
    Restore(Which),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list(args, session).await,
        Command::View(args) => view(args, session).await,
        Command::Create(args) => create(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Delete(args) => delete(args, session).await,
        Command::Restore(which) => restore(which, session).await,
    }
}

/// List a project's playbooks.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc playbook list -p PRJ
  svc playbook list -p PRJ --deleted")]
pub(crate) struct ListArgs {
    #[command(flatten)]
    project: InProject,
    /// List the playbooks that were deleted and can be restored
    #[arg(long)]
    deleted: bool,
}

async fn list(args: ListArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    if args.deleted {
        let playbooks = session.org(&org).deleted_playbooks(project.as_str()).await?;
        let none = format!("{project} has no deleted playbooks that can be restored.");
        return session.output.all(&playbooks, &none, deleted_table);
    }
    let playbooks = session.org(&org).playbooks(project.as_str()).await?;
    let none = "The project has no playbook yet; create one with `svc playbook create <NAME>`.";
    session.output.all(&playbooks, none, table)
}

/// Show a playbook and its instructions.
///
/// With --body-only it prints only the instructions, for `svc playbook edit --body-file`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc playbook view Implement -p PRJ
  svc playbook view Implement -p PRJ --body-only > implement.md")]
pub(crate) struct ViewArgs {
    #[command(flatten)]
    which: Which,
    /// Print the instructions and nothing else
    #[arg(long)]
    body_only: bool,
}

async fn view(args: ViewArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.which.project.key(session).await?);
    let found = find(&args.which.playbook, project.as_str(), &org, session).await?;
    let playbook = session.org(&org).playbook(project.as_str(), &found.id).await?;
    let output = session.output;
    if output.json {
        return output.json(&playbook);
    }
    let body = playbook.instructions.as_deref().unwrap_or_default();
    if args.body_only {
        return output.text(body);
    }
    output.pairs(&pairs(&playbook))?;
    let body = body.trim();
    if body.is_empty() { Ok(()) } else { output.text(&format!("\n{body}")) }
}

fn pairs(playbook: &Playbook) -> Pairs {
    let mut pairs = Pairs::default();
    pairs.add("name", playbook.name.as_str());
    pairs.add("harness", output::harness(playbook.harness));
    pairs.add("time limit", format!("{} min", playbook.time_limit_minutes));
    pairs.add("on success", option(playbook.success_state.as_deref()));
    pairs.add("on failure", option(playbook.failure_state.as_deref()));
    pairs.add("delivery", delivery(playbook.delivery_mode));
    if playbook.delivers == Delivers::Nothing {
        pairs.add("delivers", "nothing");
    }
    pairs.add("follow-ups", if playbook.pull_request_follow_ups { "on pull requests" } else { "no" });
    pairs.add("default", yes(playbook.project_default));
    pairs.add("page", playbook.page_path.as_str());
    pairs.add("id", playbook.id.as_str());
    pairs.add("version", playbook.version.to_string());
    pairs
}

/// Create a playbook: the instructions that an agent gets, and the harness that executes them.
///
/// The instructions become the wiki page Factory/<name>. You need to be an Admin of the project.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc playbook create Implement -p PRJ --harness claude-code --body-file implement.md --default
  svc playbook create Fix -p PRJ --harness codex -m 'Fix the bug. Add a test.' --success-state 'In review'")]
pub(crate) struct CreateArgs {
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

async fn create(args: CreateArgs, session: &Session<'_>) -> Result<(), Failure> {
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

/// Delete a playbook and the page with its instructions. They can be restored for 30 days.
///
/// Queued and running runs keep the instructions that they were queued with.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc playbook delete Implement -p PRJ
  svc playbook delete Implement -p PRJ --yes")]
pub(crate) struct DeleteArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

async fn delete(args: DeleteArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.which.project.key(session).await?);
    let playbook = find(&args.which.playbook, project.as_str(), &org, session).await?;
    args.confirm.sure_by_name("playbook", &playbook.name, session.output)?;
    session.org(&org).delete_playbook(project.as_str(), &playbook.id).await?;
    let name = &playbook.name;
    session
        .output
        .say(&format!("deleted the playbook {name:?}; `svc playbook restore {name:?} -p {project}` brings it back for 30 days"));
    Ok(())
}

async fn restore(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, which.project.key(session).await?);
    let playbook = find_deleted(&which.playbook, project.as_str(), &org, session).await?;
    let restored = session.org(&org).restore_playbook(project.as_str(), &playbook.id).await;
    let hint = format!("`svc playbook delete {:?} -p {project}` deletes the other one", playbook.name);
    session.output.one(&restored.map_err(|error| not_restored(error, "Another playbook", &hint))?, table)
}

/// A playbook and its project.
#[derive(clap::Args)]
pub(crate) struct Which {
    /// Name, in any case, or id of the playbook
    #[arg(value_name = "PLAYBOOK")]
    playbook: String,
    #[command(flatten)]
    project: InProject,
}

/// The playbook of a project that `wanted` means, by name or id.
pub(super) async fn find(
    wanted: &str,
    project: &str,
    org: &str,
    session: &Session<'_>,
) -> Result<Playbook, Failure> {
    one_of(session.org(org).playbooks(project).await?, wanted)
}

/// The same among those that were deleted and can be restored.
async fn find_deleted(
    wanted: &str,
    project: &str,
    org: &str,
    session: &Session<'_>,
) -> Result<Playbook, Failure> {
    let deleted = session.org(org).deleted_playbooks(project).await?;
    if deleted.is_empty() {
        return Err(Failure::not_found(format!("{project} has no deleted playbooks that can be restored")));
    }
    one_of(deleted, wanted)
}

fn one_of(playbooks: Vec<Playbook>, wanted: &str) -> Result<Playbook, Failure> {
    pick("playbook", wanted, playbooks, true, |playbook| Named { id: &playbook.id, name: &playbook.name })
}

/// Where a run's result goes, as people say it.
const fn delivery(mode: DeliveryMode) -> &'static str {
    match mode {
        DeliveryMode::BranchAndPullRequest => "branch and pull request",
        DeliveryMode::PushToDefaultBranch => "push to the default branch",
        DeliveryMode::Unknown => "unknown to this version of svc",
    }
}

/// Playbooks that were deleted, one a row.
fn deleted_table(playbooks: &[Playbook]) -> Table {
    let gone = playbooks.iter().map(|playbook| Gone {
        id: &playbook.id,
        deletion: playbook.deletion.as_ref(),
        name: &playbook.name,
    });
    deleted::table("ID", gone)
}

/// Playbooks, one a row.
fn table(playbooks: &[Playbook]) -> Table {
    Table::of(playbooks)
        .flexible("HARNESS", |playbook| output::harness(playbook.harness))
        .fixed("MINUTES", |playbook| playbook.time_limit_minutes.to_string())
        .minor()
        .fixed("DEFAULT", |playbook| yes(playbook.project_default))
        .flexible("ON SUCCESS", |playbook| option(playbook.success_state.as_deref()))
        .minor()
        .flexible("ON FAILURE", |playbook| option(playbook.failure_state.as_deref()))
        .minor()
        .flexible("NAME", |playbook| playbook.name.as_str())
        .end()
}
