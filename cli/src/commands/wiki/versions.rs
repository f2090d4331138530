//! `svc wiki versions`.

use svc_api::wiki::{PageChange, PageChangeKind, VersionsQuery};

use super::shared::At;
use crate::failure::Failure;
use crate::output::{Table, name, when};
use crate::session::Session;

/// List the versions of a page, newest first.
#[derive(clap::Args)]
#[command(
    override_usage = "svc wiki versions [OPTIONS] [PROJECT_KEY] <PAGE_PATH>",
    after_help = "\
Example:
  svc wiki versions -p PRJ Guides/Testing --limit 5"
)]
pub(crate) struct Args {
    #[command(flatten)]
    at: At,
    /// Print at most this many
    #[arg(short = 'L', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, (project, path)) = (session.org_slug().await?, args.at.names(session).await?);
    let (project, path) = (project.as_str(), path.as_str());
    let limit = args.limit.map_or(usize::MAX, |limit| limit as usize);
    let (mut versions, mut before) = (Vec::new(), None);
    // Version 1 is the first: nothing is older.
    while versions.len() < limit && before != Some(1) {
        let older = session.org(&slug).wiki_versions(project, path, &VersionsQuery { before }).await?;
        let Some(last) = older.last() else { break };
        before = Some(last.version);
        versions.extend(older);
    }
    versions.truncate(limit);
    if session.output.json {
        return session.output.json(&versions);
    }
    let table = Table::of(&versions)
        .fixed("VERSION", |version| version.version.to_string())
        .fixed("WRITTEN", |version| when(version.at))
        .flexible("BY", |version| version.author.name.as_str())
        .flexible("CHANGE", |version| change(&version.change))
        .end();
    session.output.table(&table)
}

fn change(change: &PageChange) -> String {
    let kind = name(&change.kind);
    match (change.kind, change.version, &change.path) {
        (PageChangeKind::Restored, Some(version), _) => format!("{kind} version {version}"),
        (PageChangeKind::Moved, _, Some(path)) => format!("{kind} from {path}"),
        _ => kind,
    }
}
