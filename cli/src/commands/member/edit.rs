//! `svc member edit`: reads the member's version, then sends the change under it.

use svc_api::identity::{OrgRole, UpdateMember};

use super::shared::table;
use crate::commands::people;
use crate::failure::Failure;
use crate::session::Session;
use crate::values::org_role;

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
pub(crate) struct Args {
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

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let member = people::member(&args.member, &org, session).await?;
    let Change { role, can_start_ai_work } = args.change;
    let change = UpdateMember { version: member.version, role, can_start_ai_work };
    let member = session.org(&org).update_member(&member.user_id, &change).await?;
    session.output.one(&member, table)
}
