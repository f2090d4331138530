//! `svc team view`.

use svc_api::tracker::Team;

use super::shared::Which;
use crate::failure::Failure;
use crate::output::{Pairs, list, when, yes};
use crate::session::Session;

/// Show a team and its members.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc team view web -p PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(Args { which }: Args, session: &Session<'_>) -> Result<(), Failure> {
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
    pairs.add("members", list(&members));
    pairs.add("created", when(team.created_at));
    pairs.add("id", team.id.as_str());
    pairs.add("version", team.version.to_string());
    pairs
}
