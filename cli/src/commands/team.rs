//! `svc team`.

use clap::Subcommand;
use svc_api::tracker::{NewTeam, Team, UpdateTeam};

use crate::commands::confirm::Confirm;
use crate::commands::in_project::InProject;
use crate::commands::new_name::taken;
use crate::commands::people;
use crate::failure::Failure;
use crate::output::{Pairs, Table, joined, when, yes};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List a project's teams, by key.
    #[command(after_help = "\
Example:
  svc team list -p PRJ")]
    List(InProject),
    /// Show a team and its members.
    #[command(after_help = "\
Example:
  svc team view web -p PRJ")]
    View(Which),
    #[command(visible_alias = "add")]
    Create(CreateArgs),
    Edit(EditArgs),
    Archive(ArchiveArgs),
    /// Restore an archived team. It can plan sprints again.
    #[command(after_help = "\
Example:
  svc team unarchive web -p PRJ")]
    Unarchive(Which),
    #[command(visible_alias = "remove")]
    Delete(DeleteArgs),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(project) => list(project, session).await,
        Command::View(which) => view(which, session).await,
        Command::Create(args) => create(args, session).await,
        Command::Edit(args) => edit(args, session).await,
        Command::Archive(args) => archive(args, session).await,
        Command::Unarchive(which) => unarchive(which, session).await,
        Command::Delete(args) => delete(args, session).await,
    }
}

async fn list(project: InProject, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, project.key(session).await?);
    let teams = session.org(&org).teams(project.as_str()).await?;
    session.output.all(&teams, "The project has no teams.", table)
}

async fn view(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let project = which.project.key(session).await?;
    let team = session.org(&org).team(project.as_str(), &which.team).await?;
    if session.output.json { session.output.json(&team) } else { session.output.pairs(&pairs(&team)) }
}

fn pairs(team: &Team) -> Pairs {
    let members: Vec<_> = team.members.iter().map(|member| member.name.clone()).collect();
    let mut pairs = Pairs::default();
    pairs.add("key", team.key.as_str());
    pairs.add("name", team.name.as_str());
    pairs.add("archived", yes(team.archived));
    pairs.add("members", joined(&members));
    pairs.add("created", when(team.created_at));
    pairs.add("id", team.id.as_str());
    pairs.add("version", team.version.to_string());
    pairs
}

/// Create a team with its own sprints.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc team create web -p PRJ --name 'Web front end' --member ada@example.org --member @me")]
pub(crate) struct CreateArgs {
    /// Short name that cannot be changed later: 1 to 20 letters, digits and inner hyphens
    #[arg(value_name = "NEW_KEY")]
    key: String,
    #[command(flatten)]
    project: InProject,
    /// Name shown to people
    #[arg(long)]
    name: String,
    /// Address, name or id of a member of the project, or @me; may be repeated
    #[arg(long = "member", value_name = "MEMBER")]
    members: Vec<String>,
}

async fn create(args: CreateArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let members = people::accounts(&args.members, &org, session).await?;
    let new = NewTeam { key: args.key, name: args.name, members };
    let created = session.org(&org).create_team(project.as_str(), &new).await;
    let next = format!("choose another key, or change that team with `svc team edit -p {project}`");
    let team = created.map_err(|error| taken(error, "a team", &new.key, &next))?;
    session.output.one(&team, table)
}

/// Rename a team, or change its members.
///
/// If someone else saves in between, nothing is changed (exit code 3).
#[derive(clap::Args)]
#[command(
    override_usage = "svc team edit [OPTIONS] --project <PROJECT_KEY> <TEAM>",
    after_help = "\
Examples:
  svc team edit web -p PRJ --name 'Web'
  svc team edit web -p PRJ --add-member ben@example.org --remove-member ada@example.org"
)]
pub(crate) struct EditArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    change: Change,
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct Change {
    /// New name
    #[arg(long)]
    name: Option<String>,
    /// Address, name or id of a project member to add, or @me; may be repeated
    #[arg(long, value_name = "MEMBER")]
    add_member: Vec<String>,
    /// Address, name or id of a member to remove, or @me; may be repeated
    #[arg(long, value_name = "MEMBER")]
    remove_member: Vec<String>,
}

async fn edit(args: EditArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (Which { team: key, project }, Change { name, add_member, remove_member }) =
        (args.which, args.change);
    let project = project.key(session).await?;
    let slug = session.org_slug().await?;
    let add = people::accounts(&add_member, &slug, session).await?;
    let remove = people::accounts(&remove_member, &slug, session).await?;
    let team = session.org(&slug).team(project.as_str(), &key).await?;
    let members = (!add.is_empty() || !remove.is_empty()).then(|| members(&team, add, &remove));
    let change = UpdateTeam { version: team.version, name, members, archived: None };
    let team = session.org(&slug).update_team(project.as_str(), &key, &change).await?;
    session.output.one(&team, table)
}

/// The ids of the members from now on, in the order in which they came.
fn members(team: &Team, add: Vec<String>, remove: &[String]) -> Vec<String> {
    let mut members: Vec<_> = team.members.iter().map(|member| member.id.clone()).collect();
    members.extend(add.into_iter().filter(|id| !team.members.iter().any(|member| member.id == *id)));
    members.retain(|id| !remove.contains(id));
    members
}

/// Archive a team. It can no longer plan sprints.
///
/// A team with planned or active sprints cannot be archived (exit code 3).
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc team archive web -p PRJ")]
pub(crate) struct ArchiveArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

async fn archive(args: ArchiveArgs, session: &Session<'_>) -> Result<(), Failure> {
    let question = format!("Archive the team {}?", args.which.team);
    if args.confirm.asks(session.output) {
        // Says so at once where there is none.
        let (org, project) = (session.org_slug().await?, args.which.project.key(session).await?);
        session.org(&org).team(project.as_str(), &args.which.team).await?;
    }
    args.confirm.sure_on_terminal(&question, session.output)?;
    set_archived(&args.which, true, session).await
}

async fn unarchive(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    set_archived(&which, false, session).await
}

/// Delete a team that never had a sprint. Archive a team that had one.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc team delete web -p PRJ
  svc team delete web -p PRJ --yes")]
pub(crate) struct DeleteArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

async fn delete(args: DeleteArgs, session: &Session<'_>) -> Result<(), Failure> {
    let Which { team, project } = args.which;
    let project = project.key(session).await?;
    let org = session.org_slug().await?;
    if args.confirm.asks(session.output) {
        // Says so at once where there is none.
        session.org(&org).team(project.as_str(), &team).await?;
    }
    args.confirm.sure(&format!("Delete the team {team} of {project}?"), session.output)?;
    session.org(&org).delete_team(project.as_str(), &team).await?;
    session.output.say(&format!("deleted the team {team} of {project}"));
    Ok(())
}

/// A team and its project.
#[derive(clap::Args)]
pub(crate) struct Which {
    /// Key or id of the team
    #[arg(value_name = "TEAM")]
    team: String,
    #[command(flatten)]
    project: InProject,
}

/// Reads the team's version, then archives or revives it under that version.
async fn set_archived(which: &Which, archived: bool, session: &Session<'_>) -> Result<(), Failure> {
    let (team, project) = (&which.team, which.project.key(session).await?);
    let slug = session.org_slug().await?;
    let org = session.org(&slug);
    let version = org.team(project.as_str(), team).await?.version;
    let change = UpdateTeam { version, archived: Some(archived), ..UpdateTeam::default() };
    let team = org.update_team(project.as_str(), team, &change).await?;
    session.output.one(&team, table)
}

/// Teams, one a row.
fn table(teams: &[Team]) -> Table {
    Table::of(teams)
        .fixed("KEY", |team| team.key.as_str())
        .fixed("ARCHIVED", |team| yes(team.archived))
        .flexible("NAME", |team| team.name.as_str())
        .flexible("MEMBERS", |team| {
            let members: Vec<_> = team.members.iter().map(|member| member.name.clone()).collect();
            joined(&members)
        })
        .end()
}
