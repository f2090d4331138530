//! `svc wiki access`: shows who reads and edits a page, or reads the page's version and changes it under that.

use std::collections::HashMap;

use svc_api::wiki::{Audience, AudienceKind, PageAccess, SetPageAccess};

use super::shared::At;
use crate::commands::people;
use crate::failure::Failure;
use crate::output::{Pairs, name, yes};
use crate::session::Session;
use crate::values::{Names, OrNone, audience_or_none};

/// Show or change who can read and edit a page and the pages below it.
///
/// Nobody gets more access than the pages above allow. Project Admins, and Owners and Admins of the organization,
/// always have access.
#[derive(clap::Args)]
#[command(
    override_usage = "svc wiki access [OPTIONS] [PROJECT_KEY] <PAGE_PATH>",
    after_help = "\
Examples:
  svc wiki access -p PRJ Plans
  svc wiki access -p PRJ Plans --read members --edit admins
  svc wiki access -p PRJ Plans --read people --people ada@example.org,ben@example.org
  svc wiki access -p PRJ Plans --read none --edit none"
)]
pub(crate) struct Args {
    #[command(flatten)]
    at: At,
    /// Who can read the page: everyone, members, admins, people, or none to inherit from the page above
    #[arg(long, value_name = "WHO", value_parser = audience_or_none(), ignore_case = true)]
    read: Option<OrNone<AudienceKind>>,
    /// Which of the readers can edit it
    #[arg(long, value_name = "WHO", value_parser = audience_or_none(), ignore_case = true)]
    edit: Option<OrNone<AudienceKind>>,
    /// The people for --read people and --edit people: addresses, names or ids, separated by commas
    #[arg(long, value_name = "LIST")]
    people: Option<Names>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, (project, path)) = (session.org_slug().await?, args.at.names(session).await?);
    let (project, path) = (project.as_str(), path.as_str());
    let org = session.org(&slug);
    let access = org.wiki_access(project, path).await?;
    if args.read.is_none() && args.edit.is_none() {
        return show(&access, &slug, session).await;
    }
    let people = people::accounts(&args.people.unwrap_or_default().0, &slug, session).await?;
    let meant = |wanted, now: Option<Audience>| match wanted {
        None => now,
        Some(OrNone::None) => None,
        Some(OrNone::Some(who)) => {
            let people = if who == AudienceKind::People { people.clone() } else { Vec::new() };
            Some(Audience { who, people })
        }
    };
    let (read, edit) = (meant(args.read, access.read), meant(args.edit, access.edit));
    let set = SetPageAccess { version: access.version, read, edit };
    show(&org.set_wiki_access(project, path, &set).await?, &slug, session).await
}

async fn show(access: &PageAccess, org: &str, session: &Session<'_>) -> Result<(), Failure> {
    if session.output.json {
        return session.output.json(access);
    }
    let names = names(access, org, session).await;
    let mut pairs = Pairs::default();
    pairs.add("read", audience(access.read.as_ref(), &names));
    pairs.add("edit", audience(access.edit.as_ref(), &names));
    pairs.add("you may change this", yes(access.can_change));
    session.output.pairs(&pairs)
}

/// Names of the people that are named, by their ids; none where they cannot be had.
async fn names(access: &PageAccess, org: &str, session: &Session<'_>) -> HashMap<String, String> {
    let named = [&access.read, &access.edit];
    if named.into_iter().flatten().all(|audience| audience.people.is_empty()) {
        return HashMap::new();
    }
    let members = session.org(org).members().await.unwrap_or_default();
    members.into_iter().map(|member| (member.user_id, member.display_name)).collect()
}

fn audience(audience: Option<&Audience>, names: &HashMap<String, String>) -> String {
    match audience {
        None => "as the page above".to_owned(),
        Some(Audience { who: AudienceKind::People, people }) => {
            let called = |id: &String| names.get(id).unwrap_or(id).clone();
            people.iter().map(called).collect::<Vec<_>>().join(", ")
        }
        Some(Audience { who, .. }) => name(who),
    }
}
