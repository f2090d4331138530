//! `svc team edit`: reads the team's version, then sends the change under it.

use svc_api::tracker::{Team, UpdateTeam};

use super::shared::{Which, table};
use crate::commands::people;
use crate::failure::Failure;
use crate::session::Session;

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
pub(crate) struct Args {
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

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
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
