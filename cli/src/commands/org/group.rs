//! `svc org group`: the roles that groups of an identity provider give.

use clap::Subcommand;
use svc_api::identity::{GroupRole, GroupRoles, OrgRole, SetGroupRoles};

use crate::failure::Failure;
use crate::output::{Column, Table, name, one_line};
use crate::session::Session;
use crate::values::org_role;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// List the groups that give a role (Owners and Admins)
    #[command(after_help = "\
Example:
  svc org group list")]
    List,
    Map(Map),
    Unmap(Unmap),
}

/// Give the people of a group a role (Owners)
///
/// People whom SCIM put into the group have the role at once, others when they sign in next. A role that a person gave
/// stays, unless a group gives a higher one.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc org group map engineering member
  svc org group map 7e0c2a52-6c1f-4d0a-9f0e-2b0f0b6a4a11 admin")]
struct Map {
    /// Name of the group, exactly as the identity provider writes it; some write an id
    #[arg(value_name = "GROUP")]
    group: String,
    /// The role
    #[arg(value_name = "ROLE", value_parser = org_role(), ignore_case = true)]
    role: OrgRole,
}

/// Give the people of a group no role any more (Owners)
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc org group unmap engineering")]
struct Unmap {
    /// Name of the group
    #[arg(value_name = "GROUP")]
    group: String,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let before = session.org(&org).group_roles().await?;
    let (groups, said) = match args.what {
        What::List => return show(&before, session),
        What::Map(Map { group, role }) => {
            let mut groups = without(&before, &group);
            let said = format!("{} gives the role {}", one_line(&group), name(&role));
            groups.push(GroupRole { group, role });
            (groups, said)
        }
        What::Unmap(Unmap { group }) => {
            let groups = without(&before, &group);
            if groups.len() == before.groups.len() {
                return Err(Failure::rejected(format!("the group {:?} gives no role", one_line(&group))));
            }
            (groups, format!("{} gives no role any more", one_line(&group)))
        }
    };
    let after = session.org(&org).set_group_roles(&SetGroupRoles { version: before.version, groups }).await?;
    session.output.say(&said);
    show(&after, session)
}

fn without(seen: &GroupRoles, group: &str) -> Vec<GroupRole> {
    seen.groups.iter().filter(|one| one.group != group).cloned().collect()
}

fn show(seen: &GroupRoles, session: &Session<'_>) -> Result<(), Failure> {
    if session.output.json {
        return session.output.json(seen);
    }
    session.output.all(&seen.groups, "No group gives a role.", table)?;
    if !seen.at_sign_in && !seen.groups.is_empty() {
        session.output.say(
            "These count for groups that come by SCIM. At sign-in, groups count where the operator says so.",
        );
    }
    Ok(())
}

fn table(groups: &[GroupRole]) -> Table {
    let mut table = Table::new([Column::fixed("ROLE"), Column::flexible("GROUP")]);
    for one in groups {
        table.row([name(&one.role).into(), one.group.as_str().into()]);
    }
    table
}
