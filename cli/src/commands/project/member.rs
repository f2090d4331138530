//! `svc project member`.

use std::collections::HashMap;

use clap::Subcommand;
use svc_api::identity::{Member, ProjectMember, ProjectRole, SetProjectMember};

use crate::commands::in_project::{InProject, ThisProject, with_project};
use crate::commands::people::{self, are_known};
use crate::commands::project::role;
use crate::failure::Failure;
use crate::output::{Cell, Column, Table, name, option};
use crate::session::Session;
use crate::values::project_role;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List the members of a project.
    ///
    /// Owners and Admins of the organization can work in every project without being members of it.
    #[command(after_help = "\
Example:
  svc project member list PRJ")]
    List(ThisProject),
    Add(AddArgs),
    Edit(EditArgs),
    #[command(visible_alias = "delete")]
    Remove(RemoveArgs),
}

pub(super) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(which) => list(which, session).await,
        Command::Add(args) => add(args, session).await,
        Command::Edit(args) => edit(args, session).await,
        Command::Remove(args) => remove(args, session).await,
    }
}

async fn list(which: ThisProject, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let members = session.org(&org).project_members(which.key(session).await?.as_str()).await?;
    let output = session.output;
    if output.json {
        return output.json(&members);
    }
    if members.is_empty() {
        output.say("The project has no members; Owners and Admins of the organization can still work in it.");
        return Ok(());
    }
    output.table(&table(&members, &session.org(&org).members().await?))
}

/// Add a member of the organization to a project.
///
/// An existing member of the project keeps their role, unless the new role is higher. To lower a role, use
/// `svc project member edit`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc project member add PRJ ada@example.org
  svc project member add PRJ 'Ada Lovelace' --role admin")]
pub(crate) struct AddArgs {
    /// Key of the project (or give it with -p), and the address, name or id of the member, or @me
    #[arg(value_name = "MEMBER", num_args = 1..=2, required = true)]
    words: Vec<String>,
    #[command(flatten)]
    project: InProject,
    /// Role in the project
    #[arg(long, value_parser = project_role(), ignore_case = true, default_value = "member")]
    role: ProjectRole,
}

async fn add(args: AddArgs, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let (project, words) = with_project(&args.words, 1, &args.project, session).await?;
    let (org, project) = (session.org(&slug), project.as_str());
    let member = people::member(&words[0], &slug, session).await?;
    let members = org.project_members(project).await?;
    let now = members.into_iter().find(|known| known.user_id == member.user_id);
    if let Some(now) = now.as_ref().filter(|now| now.role != ProjectRole::Member || args.role == now.role) {
        session.output.say(&kept(&member, now, project, args.role));
        return show(now.clone(), member, session);
    }
    // Under the version that was read, no promotion in between is undone.
    let set = SetProjectMember { role: args.role, version: Some(now.map_or(0, |now| now.version)) };
    let added = org.set_project_member(project, &member.user_id, &set).await?;
    show(added, member, session)
}

fn kept(member: &Member, now: &ProjectMember, project: &str, wanted: ProjectRole) -> String {
    let (who, role) = (people::called(member), name(&now.role));
    let mut text = format!("{who} is already in {project}, as {role}.");
    if now.role != wanted {
        let wanted = name(&wanted);
        text.push_str(&format!(
            " To lower the role: svc project member edit {project} {} --role {wanted}",
            member.email
        ));
    }
    text
}

fn show(member: ProjectMember, known: Member, session: &Session<'_>) -> Result<(), Failure> {
    let output = session.output;
    if output.json { output.json(&member) } else { output.table(&table(&[member], &[known])) }
}

/// Change the role of a member of a project.
///
/// If someone else saves in between, nothing is changed (exit code 3).
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc project member edit PRJ ada@example.org --role member")]
pub(crate) struct EditArgs {
    /// Key of the project (or give it with -p), and the address, name or id of the member, or @me
    #[arg(value_name = "MEMBER", num_args = 1..=2, required = true)]
    words: Vec<String>,
    #[command(flatten)]
    project: InProject,
    /// New role in the project
    #[arg(long, value_parser = project_role(), ignore_case = true)]
    role: ProjectRole,
}

async fn edit(args: EditArgs, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let (project, words) = with_project(&args.words, 1, &args.project, session).await?;
    let (org, project) = (session.org(&slug), project.as_str());
    let member = people::member(&words[0], &slug, session).await?;
    let members = org.project_members(project).await?;
    let Some(now) = members.iter().find(|known| known.user_id == member.user_id) else {
        let who = people::called(&member);
        return Err(Failure::not_found(format!("{who} is not in {project}"))
            .hint(format!("add them with `svc project member add {project} {}`", member.email)));
    };
    let set = SetProjectMember { role: args.role, version: Some(now.version) };
    let set = org.set_project_member(project, &member.user_id, &set).await?;
    let output = session.output;
    if output.json { output.json(&set) } else { output.table(&table(&[set], &[member])) }
}

/// Remove a member from a project. Everything they wrote stays, and you can add them again.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc project member remove PRJ ada@example.org")]
pub(crate) struct RemoveArgs {
    /// Key of the project (or give it with -p), and the address, name or id of the member, or @me
    #[arg(value_name = "MEMBER", num_args = 1..=2, required = true)]
    words: Vec<String>,
    #[command(flatten)]
    project: InProject,
}

async fn remove(args: RemoveArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let (project, words) = with_project(&args.words, 1, &args.project, session).await?;
    let member = people::member(&words[0], &org, session).await?;
    session.org(&org).remove_project_member(&project, &member.user_id).await?;
    session.output.say(&format!("removed {} from {}", people::called(&member), project));
    Ok(())
}

/// Members of a project, one a row, with what the organization knows of them.
fn table(members: &[ProjectMember], known: &[Member]) -> Table {
    let addresses = are_known(known.iter().map(|member| member.email.as_str()));
    let known: HashMap<_, _> = known.iter().map(|member| (&member.user_id, member)).collect();
    let address =
        |member: &ProjectMember| known.get(&member.user_id).map_or("", |known| known.email.as_str());
    let mut columns = vec![Column::fixed("ROLE")];
    columns.extend(addresses.then(|| Column::flexible("EMAIL")));
    columns.push(Column::flexible("NAME"));
    let mut table = Table::new(columns);
    for member in members {
        let in_org = known.get(&member.user_id).map(|known| known.role);
        let mut row: Vec<Cell> = vec![role(Some(member.role), in_org).into()];
        row.extend(addresses.then(|| option(Some(address(member)).filter(|email| !email.is_empty())).into()));
        row.push(member.display_name.as_str().into());
        table.row(row);
    }
    table
}
