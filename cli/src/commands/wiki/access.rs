//! `svc wiki access`: shows who reads and edits a page, or reads the page's version and changes it under that.

use svc_api::wiki::{Audience, AudienceKind, PageAccess, SetPageAccess};

use super::shared::At;
use crate::commands::people;
use crate::failure::Failure;
use crate::output::{Pairs, name, yes};
use crate::session::Session;
use crate::values::{Names, OrNone, audience_or_none};

/// Show or change who reads and edits a page and those below it.
///
/// What the pages above it say narrows this. Admins of the project, and Owners and Admins, are always meant.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc wiki access PRJ Plans
  svc wiki access PRJ Plans --read members --edit admins
  svc wiki access PRJ Plans --read people --people ada@example.org,ben@example.org
  svc wiki access PRJ Plans --read none --edit none")]
pub(crate) struct Args {
    #[command(flatten)]
    at: At,
    /// Who reads it: everyone, members, admins, people, or none for what the page above says
    #[arg(long, value_name = "WHO", value_parser = audience_or_none(), ignore_case = true)]
    read: Option<OrNone<AudienceKind>>,
    /// Who edits it, of those who read it
    #[arg(long, value_name = "WHO", value_parser = audience_or_none(), ignore_case = true)]
    edit: Option<OrNone<AudienceKind>>,
    /// Addresses, names or ids of the people that --read people or --edit people means, separated by commas
    #[arg(long, value_name = "LIST")]
    people: Option<Names>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, (project, path)) = (session.org_slug().await?, args.at.names(session)?);
    let (project, path) = (project.as_str(), path.as_str());
    let org = session.org(&slug);
    let access = org.wiki_access(project, path).await?;
    if args.read.is_none() && args.edit.is_none() {
        return show(&access, session);
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
    show(&org.set_wiki_access(project, path, &set).await?, session)
}

fn show(access: &PageAccess, session: &Session<'_>) -> Result<(), Failure> {
    if session.output.json {
        return session.output.json(access);
    }
    let mut pairs = Pairs::default();
    pairs.add("read", audience(access.read.as_ref()));
    pairs.add("edit", audience(access.edit.as_ref()));
    pairs.add("you may change this", yes(access.can_change));
    session.output.pairs(&pairs)
}

fn audience(audience: Option<&Audience>) -> String {
    match audience {
        None => "as the page above".to_owned(),
        Some(Audience { who: AudienceKind::People, people }) => people.join(", "),
        Some(Audience { who, .. }) => name(who),
    }
}
