//! `svc project member add`: it never lowers a role in the project.

use svc_api::identity::{Member, ProjectMember, ProjectRole, SetProjectMember};

use super::shared::table;
use crate::commands::in_project::{InProject, with_project};
use crate::commands::people;
use crate::failure::Failure;
use crate::output::name;
use crate::session::Session;
use crate::values::project_role;

/// Add a member of the organization to a project.
///
/// An existing member of the project keeps their role, unless the new role is higher. To lower a role, use
/// `svc project member edit`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc project member add PRJ ada@example.org
  svc project member add PRJ 'Ada Lovelace' --role admin")]
pub(crate) struct Args {
    /// Key of the project (or give it with -p), and the address, name or id of the member, or @me
    #[arg(value_name = "MEMBER", num_args = 1..=2, required = true)]
    words: Vec<String>,
    #[command(flatten)]
    project: InProject,
    /// Role in the project
    #[arg(long, value_parser = project_role(), ignore_case = true, default_value = "member")]
    role: ProjectRole,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
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
