//! `svc org view`.

use svc_api::identity::{Member, OrgRole, Organization};
use svc_api::tracker::{Project, ProjectQuery};

use crate::failure::Failure;
use crate::output::{Pairs, list, name, yes};
use crate::session::Session;

/// Show an organization: your role, its people and its projects.
///
/// With --json, it prints only the organization.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc org view
  svc org view demo --json")]
pub(crate) struct Args {
    /// Slug of the organization [default: your current one]
    #[arg(value_name = "SLUG")]
    slug: Option<String>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let slug = super::shared::named(args.slug, session).await?;
    let (org, output) = (session.org(&slug), session.output);
    if output.json {
        return output.json(&org.get().await?);
    }
    let query = ProjectQuery::default();
    let (seen, members, projects) = futures::try_join!(org.get(), org.members(), org.projects(&query))?;
    output.pairs(&pairs(&seen, &members, &projects))
}

fn pairs(org: &Organization, members: &[Member], projects: &[Project]) -> Pairs {
    let who = |role: OrgRole| -> Vec<String> {
        let those = members.iter().filter(|member| member.role == role);
        those.map(|member| member.display_name.clone()).collect()
    };
    let keys: Vec<String> = projects.iter().map(|project| project.key.clone()).collect();
    let mut pairs = Pairs::default();
    pairs.add("slug", org.slug.as_str());
    pairs.add("name", org.name.as_str());
    pairs.maybe("read-only", org.read_only.then_some("yes"));
    pairs.add("your role", name(&org.role));
    pairs.add("you start AI work", yes(org.can_operate_factory));
    pairs.add("owners", list(&who(OrgRole::Owner)));
    pairs.add("admins", list(&who(OrgRole::Admin)));
    pairs.add("members", members.len().to_string());
    pairs.add("projects", list(&keys));
    pairs.add("version", org.version.to_string());
    pairs
}
