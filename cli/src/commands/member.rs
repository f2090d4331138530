//! `svc member`: the people of the organization.

use clap::Subcommand;
use svc_api::identity::{Member, OrgRole, UpdateMember};

use crate::commands::confirm::Confirm;
use crate::commands::people::{self, are_known};
use crate::failure::Failure;
use crate::output::{Cell, Column, Table, name, option, yes};
use crate::session::Session;
use crate::values::org_role;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List the members of the organization, by name.
    ///
    /// `svc project member list` lists the members of a project, `svc invite list` the invitations.
    #[command(after_help = "\
Example:
  svc member list")]
    List,
    Edit(EditArgs),
    #[command(visible_alias = "delete")]
    Remove(RemoveArgs),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List => list(session).await,
        Command::Edit(args) => edit(args, session).await,
        Command::Remove(args) => remove(args, session).await,
    }
}

async fn list(session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let members = session.org(&org).members().await?;
    session.output.all(&members, "There are no members that you can see.", table)
}

/// Change a member's role in the organization, and whether they may start AI work.
///
/// You need to be an Owner or Admin, with a token that has the scope admin. Only Owners can appoint or change Owners.
/// If someone else saves in between, nothing is changed (exit code 3).
#[derive(clap::Args)]
#[command(
    override_usage = "svc member edit [OPTIONS] <MEMBER>",
    after_help = "\
Examples:
  svc member edit ada@example.org --role admin
  svc member edit 'Ada Lovelace' --can-start-ai-work true"
)]
pub(crate) struct EditArgs {
    /// Address, name or id of the member
    #[arg(value_name = "MEMBER")]
    member: String,
    #[command(flatten)]
    change: Change,
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct Change {
    /// New role in the organization
    #[arg(long, value_parser = org_role(), ignore_case = true)]
    role: Option<OrgRole>,
    /// Whether they may hand items to agents; Owners and Admins always may, Guests never
    #[arg(long, value_name = "BOOL")]
    can_start_ai_work: Option<bool>,
}

async fn edit(args: EditArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let member = people::member(&args.member, &org, session).await?;
    let Change { role, can_start_ai_work } = args.change;
    let change = UpdateMember { version: member.version, role, can_start_ai_work };
    let member = session.org(&org).update_member(&member.user_id, &change).await?;
    session.output.one(&member, table)
}

/// Remove a member from the organization and all its projects.
///
/// Their account and everything they wrote stay. Invite them again to bring them back.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc member remove ada@example.org
  svc member remove ada@example.org --yes")]
pub(crate) struct RemoveArgs {
    /// Address, name or id of the member
    #[arg(value_name = "MEMBER")]
    member: String,
    #[command(flatten)]
    confirm: Confirm,
}

async fn remove(args: RemoveArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let member = people::member(&args.member, &org, session).await?;
    let who = people::called(&member);
    args.confirm.sure(&format!("Remove {who} from {org} and all its projects?"), session.output)?;
    session.org(&org).remove_member(&member.user_id).await?;
    session.output.say(&format!("removed {who} from {org}"));
    Ok(())
}

/// Members of the organization, one a row.
fn table(members: &[Member]) -> Table {
    let addresses = are_known(members.iter().map(|member| member.email.as_str()));
    let mut columns = vec![Column::fixed("ROLE"), Column::fixed("AI WORK")];
    columns.extend(addresses.then(|| Column::flexible("EMAIL")));
    columns.push(Column::flexible("NAME"));
    let mut table = Table::new(columns);
    for member in members {
        let mut row: Vec<Cell> = vec![name(&member.role).into(), yes(may_start_ai_work(member)).into()];
        let address = Some(member.email.as_str()).filter(|email| !email.is_empty());
        row.extend(addresses.then(|| option(address).into()));
        row.push(member.display_name.as_str().into());
        table.row(row);
    }
    table
}

/// Whether they may hand items to agents. Administrators always may, other members where the flag says so.
fn may_start_ai_work(member: &Member) -> bool {
    match member.role {
        OrgRole::Owner | OrgRole::Admin => true,
        OrgRole::Member => member.can_start_ai_work,
        OrgRole::Guest | OrgRole::Unknown => false,
    }
}
