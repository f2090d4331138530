//! `svc project`.

mod export;
mod exported;
mod markdown;
mod member;
mod stats;
mod view;

use std::path::PathBuf;

use clap::Subcommand;
use svc_api::identity::{OrgRole, ProjectRole};
use svc_api::tracker::{NewProject, Project, ProjectQuery, UpdateProject};
use svc_client::Org;
use svc_domain::ids::ProjectKey;

use crate::commands::confirm::Confirm;
use crate::commands::deleted::{self, Gone};
use crate::commands::files::given;
use crate::commands::in_project::ThisProject;
use crate::commands::new_name::taken;
use crate::failure::Failure;
use crate::keys::project_key;
use crate::output::{Cell, Column, Table, name, option, yes};
use crate::session::Session;
use crate::settings::ConfigFile;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(ListArgs),
    View(view::Args),
    Stats(stats::Args),
    #[command(visible_alias = "add")]
    Create(CreateArgs),
    Edit(EditArgs),
    Export(export::Args),
    Use(ChooseArgs),
    Archive(ArchiveArgs),
    /// Restore an archived project.
    #[command(after_help = "\
Example:
  svc project unarchive PRJ")]
    Unarchive(ThisProject),
    Delete(DeleteArgs),
    Restore(RestoreArgs),
    /// Manage the members of a project
    #[command(subcommand)]
    Member(member::Command),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list(args, session).await,
        Command::View(args) => view::run(args, session).await,
        Command::Stats(args) => stats::run(args, session).await,
        Command::Create(args) => create(args, session).await,
        Command::Edit(args) => edit(args, session).await,
        Command::Export(args) => export::run(args, session).await,
        Command::Use(args) => choose(args, session).await,
        Command::Archive(args) => archive(args, session).await,
        Command::Unarchive(which) => unarchive(which, session).await,
        Command::Delete(args) => delete(args, session).await,
        Command::Restore(args) => restore(args, session).await,
        Command::Member(command) => member::run(command, session).await,
    }
}

/// What is said where the caller sees no project.
const NONE: &str = "There are no projects that you can see. Create one with `svc project create`, ask to be added to \
one, or list archived ones with --archived.";

/// List the projects that you can see.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc project list --archived
  svc project list --deleted")]
pub(crate) struct ListArgs {
    /// Include archived projects
    #[arg(long)]
    archived: bool,
    /// List the projects that were deleted and can be restored
    #[arg(long, conflicts_with = "archived")]
    deleted: bool,
}

async fn list(args: ListArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, output) = (session.org_slug().await?, session.output);
    let org = session.org(&slug);
    if args.deleted {
        let projects = org.deleted_projects().await?;
        return output.all(&projects, "There are no deleted projects that can be restored.", deleted_table);
    }
    let query = ProjectQuery { archived: args.archived.then_some(true), deleted: None };
    let projects = org.projects(&query).await?;
    if output.json {
        return output.json(&projects);
    }
    let role = role_in_org(org, &projects).await?;
    let table = |projects: &[Project]| table_for(projects, role, args.archived);
    output.all(&projects, NONE, table)
}

/// Create a project. You become its Admin.
///
/// It starts with a workflow, a team and the built-in item templates.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc project create PRJ --name 'Search and find' --description 'The search of the shop'")]
pub(crate) struct CreateArgs {
    /// Key of the project, such as PRJ in the item PRJ-12: 2 to 10 letters and digits
    #[arg(value_name = "NEW_KEY", value_parser = project_key)]
    key: ProjectKey,
    /// Name shown to people
    #[arg(long)]
    name: String,
    /// What it is about
    #[arg(long, value_name = "TEXT", conflicts_with = "description_file")]
    description: Option<String>,
    /// File that says what it is about; - reads stdin
    #[arg(long, value_name = "PATH")]
    description_file: Option<PathBuf>,
}

async fn create(args: CreateArgs, session: &Session<'_>) -> Result<(), Failure> {
    let description = given(args.description, args.description_file)?.unwrap_or_default();
    let new = NewProject { key: args.key.to_string(), name: args.name, description };
    let org = session.org_slug().await?;
    let created = session.org(&org).create_project(&new).await;
    let next =
        "choose another key; a project that is archived or deleted, or that you cannot see, may have it";
    let project = created.map_err(|error| taken(error, "a project", &new.key, next))?;
    session.output.one(&project, table)
}

/// Change a project's name or description.
///
/// Other fields stay as they are. If someone else saves in between, nothing is changed (exit code 3).
#[derive(clap::Args)]
#[command(
    override_usage = "svc project edit [OPTIONS] [PROJECT_KEY]",
    after_help = "\
Examples:
  svc project edit PRJ --name 'Find it'
  svc project edit PRJ --description-file about.md"
)]
pub(crate) struct EditArgs {
    #[command(flatten)]
    which: ThisProject,
    #[command(flatten)]
    change: Change,
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct Change {
    /// New name
    #[arg(long)]
    name: Option<String>,
    /// What it is about
    #[arg(long, value_name = "TEXT", conflicts_with = "description_file")]
    description: Option<String>,
    /// File that says what it is about; - reads stdin
    #[arg(long, value_name = "PATH")]
    description_file: Option<PathBuf>,
}

async fn edit(args: EditArgs, session: &Session<'_>) -> Result<(), Failure> {
    let Change { name, description, description_file } = args.change;
    let description = given(description, description_file)?;
    change(
        &args.which.key(session).await?,
        UpdateProject { name, description, ..UpdateProject::default() },
        session,
    )
    .await
}

/// Set the default project, for commands without -p.
///
/// The default is stored with your current account. SVC_PROJECT overrides it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc project use PRJ
  svc project use --unset")]
pub(crate) struct ChooseArgs {
    /// Key of the project
    #[arg(value_name = "PROJECT_KEY", value_parser = project_key, required_unless_present = "unset")]
    key: Option<ProjectKey>,
    /// Remove the default
    #[arg(long, conflicts_with = "key")]
    unset: bool,
}

async fn choose(args: ChooseArgs, session: &Session<'_>) -> Result<(), Failure> {
    let key = match args.key {
        Some(key) => {
            let org = session.org_slug().await?;
            Some(session.org(&org).project(key.as_str()).await?.key)
        }
        None => None,
    };
    let chosen = key.clone();
    session.remember(ConfigFile::locate()?, |account| account.project = chosen)?;
    session.output.say(&match key {
        Some(key) => format!("The default project is now {key}."),
        None => "There is no default project now.".to_owned(),
    });
    Ok(())
}

/// Archive a project. It becomes read-only.
///
/// It is hidden from the list of projects until you restore it with `svc project unarchive`.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc project archive PRJ")]
pub(crate) struct ArchiveArgs {
    #[command(flatten)]
    which: ThisProject,
    #[command(flatten)]
    confirm: Confirm,
}

async fn archive(args: ArchiveArgs, session: &Session<'_>) -> Result<(), Failure> {
    let archived = UpdateProject { archived: Some(true), ..UpdateProject::default() };
    let key = args.which.key(session).await?;
    if args.confirm.asks(session.output) {
        // Says so at once where there is none.
        let org = session.org_slug().await?;
        session.org(&org).project(key.as_str()).await?;
    }
    args.confirm.sure_on_terminal(
        &format!("Archive {key}? Nobody can change anything in it until it is unarchived."),
        session.output,
    )?;
    change(&key, archived, session).await
}

async fn unarchive(which: ThisProject, session: &Session<'_>) -> Result<(), Failure> {
    let unarchived = UpdateProject { archived: Some(false), ..UpdateProject::default() };
    change(&which.key(session).await?, unarchived, session).await
}

/// Delete a project and everything in it. It can be restored for 30 days.
///
/// Nobody can open it any more, its runs are cancelled, and its key is never reused. Only Owners and Admins of the
/// organization can delete and restore projects.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc project delete PRJ
  svc project delete PRJ --yes")]
pub(crate) struct DeleteArgs {
    /// Key of the project
    #[arg(value_name = "PROJECT_KEY", value_parser = project_key)]
    key: ProjectKey,
    #[command(flatten)]
    confirm: Confirm,
}

/// Restore a deleted project with everything in it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc project list --deleted
  svc project restore PRJ")]
pub(crate) struct RestoreArgs {
    /// Key of the project
    #[arg(value_name = "PROJECT_KEY", value_parser = project_key)]
    key: ProjectKey,
}

async fn delete(args: DeleteArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    // Says so at once where there is none.
    let project = session.org(&org).project(args.key.as_str()).await?;
    if args.confirm.asks(session.output) {
        session.output.say("Its queued and running runs are cancelled. It can be restored for 30 days.");
    }
    args.confirm.sure_by_name("project and everything in it", &project.key, session.output)?;
    session.org(&org).delete_project(&project.key).await?;
    let key = &project.key;
    session
        .output
        .say(&format!("deleted the project {key}; `svc project restore {key}` brings it back for 30 days"));
    Ok(())
}

async fn restore(args: RestoreArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, key) = (session.org_slug().await?, args.key.as_str());
    let org = session.org(&slug);
    // Restoring what is not deleted changes nothing: perhaps another one was meant.
    if org.project(key).await.is_ok() {
        return Err(Failure::not_found(format!("the project {key} is not deleted"))
            .hint("`svc project list --deleted` shows those that are"));
    }
    session.output.one(&org.restore_project(key).await?, table)
}

/// Reads the project's version, then changes it under that version.
async fn change(key: &ProjectKey, change: UpdateProject, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let version = session.org(&org).project(key.as_str()).await?.version;
    let change = UpdateProject { version, ..change };
    let project = session.org(&org).update_project(key.as_str(), &change).await?;
    session.output.one(&project, table)
}

/// A role in a project, as people say it: a Guest of the organization is one in each of its projects.
fn role(in_project: Option<ProjectRole>, in_org: Option<OrgRole>) -> String {
    match (in_project, in_org) {
        (Some(ProjectRole::Member), Some(OrgRole::Guest)) => name(&OrgRole::Guest),
        (in_project, _) => option(in_project.as_ref().map(name).as_deref()),
    }
}

/// The caller's role in the organization, if what they are in these projects depends on it.
///
/// # Errors
/// The instance does not tell.
async fn role_in_org(org: Org<'_>, projects: &[Project]) -> Result<Option<OrgRole>, Failure> {
    if projects.iter().any(|project| project.role == Some(ProjectRole::Member)) {
        return Ok(Some(org.get().await?.role));
    }
    Ok(None)
}

/// A project that was changed.
fn table(projects: &[Project]) -> Table {
    // Guests change no project.
    table_for(projects, None, true)
}

/// Projects that were deleted, one a row.
fn deleted_table(projects: &[Project]) -> Table {
    let gone = projects.iter().map(|project| Gone {
        id: &project.key,
        deletion: project.deletion.as_ref(),
        name: &project.name,
    });
    deleted::table("KEY", gone)
}

/// Projects, one a row, as the caller has this role in the organization.
fn table_for(projects: &[Project], in_org: Option<OrgRole>, archived: bool) -> Table {
    let mut columns = vec![Column::fixed("KEY"), Column::fixed("ROLE")];
    columns.extend(archived.then(|| Column::fixed("ARCHIVED")));
    columns.push(Column::flexible("NAME"));
    let mut table = Table::new(columns);
    for project in projects {
        let mut row: Vec<Cell> = vec![project.key.as_str().into(), role(project.role, in_org).into()];
        row.extend(archived.then(|| yes(project.archived).into()));
        row.push(project.name.as_str().into());
        table.row(row);
    }
    table
}
