//! `svc org audit`.

use svc_api::identity::{Actor, AuditEntry, AuditQuery};

use crate::commands::expiry::{Expiry, expiry};
use crate::commands::people;
use crate::failure::Failure;
use crate::fresh;
use crate::output::{Table, hyphenated, when};
use crate::session::Session;

/// The most lines that the instance answers at once.
const AT_ONCE: u32 = 200;

/// Show the audit log: who did what in the organization, newest first (Owners and Admins)
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc org audit --since 7d
  svc org audit --kind member,token --since 2026-01-01 --until 2026-02-01
  svc org audit --action memberAdded,memberChanged,memberRemoved
  svc org audit --by ada@example.com --limit 20
  svc org audit --since 2026-01-01 --ndjson >audit.ndjson")]
pub(crate) struct Args {
    /// Only these actions, separated by commas, such as memberAdded
    #[arg(long, value_name = "ACTIONS")]
    action: Option<String>,
    /// Only what was done to these kinds of things, separated by commas: organization, member, project, team, agent, runner,
    /// playbook, automation, budget, connection, token, item, page, sprint, run
    #[arg(long, value_name = "KINDS")]
    kind: Option<String>,
    /// Only what this person did: an address, a name or an id; or an agent's id
    #[arg(long, value_name = "PERSON")]
    by: Option<String>,
    /// Only what was done to this: an id, or the key of an item
    #[arg(long, value_name = "ID")]
    subject: Option<String>,
    /// Only in this project
    #[arg(long, value_name = "PROJECT_KEY")]
    within: Option<String>,
    /// Only since this day or time, or so long ago: 2026-01-31, 7d, 12h
    #[arg(long, value_name = "TIME", value_parser = expiry)]
    since: Option<Expiry>,
    /// Only until this day or time, or so long ago
    #[arg(long, value_name = "TIME", value_parser = expiry)]
    until: Option<Expiry>,
    /// Print at most this many; 50 unless --ndjson is given
    #[arg(short = 'L', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Print all of them, a line of JSON each
    #[arg(long, conflicts_with_all = ["json", "jq"])]
    ndjson: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let now = fresh::now();
    let by = match &args.by {
        Some(person) => Some(people::actor(person, &org, session).await?),
        None => None,
    };
    let mut query = AuditQuery {
        action: args.action,
        kind: args.kind,
        by,
        subject: args.subject,
        project: args.within,
        since: args.since.map(|since| since.before(now)).transpose()?,
        until: args.until.map(|until| until.before(now)).transpose()?,
        ..AuditQuery::default()
    };
    let most = args.limit.map_or(if args.ndjson { usize::MAX } else { 50 }, |limit| limit as usize);
    let (mut entries, mut printed) = (Vec::new(), 0);
    loop {
        let left = u32::try_from(most - printed).unwrap_or(AT_ONCE).min(AT_ONCE);
        let page = session.org(&org).audit(&AuditQuery { limit: Some(left), ..query.clone() }).await?;
        printed += page.entries.len();
        if args.ndjson {
            page.entries.iter().try_for_each(|entry| session.output.json_line(entry))?;
        } else {
            entries.extend(page.entries);
        }
        query.before = page.next;
        if query.before.is_none() || printed >= most {
            break;
        }
    }
    if args.ndjson {
        return Ok(());
    }
    session.output.all(&entries, "The audit log has nothing of that.", table)
}

/// A person by their address, which comes first as a narrow terminal cuts what is behind it; without one with their id.
/// Names are not unique, and people change them.
fn actor(entry: &AuditEntry, by: &Actor) -> String {
    match &entry.by_email {
        _ if by.agent => format!("{} (agent)", by.name),
        Some(email) => format!("{email} ({})", by.name),
        None => format!("{} ({})", by.name, by.id),
    }
}

fn table(entries: &[AuditEntry]) -> Table {
    Table::of(entries)
        .fixed("AT", |entry| when(entry.at))
        .flexible("WHO", |entry| {
            let who = entry.by.as_ref().map_or_else(|| "the service".to_owned(), |by| actor(entry, by));
            entry.via.iter().fold(who, |who, via| format!("{who}, by {via}"))
        })
        .fixed("WHAT", |entry| hyphenated(&entry.action).replace('-', " "))
        .flexible("OF", |entry| {
            let named = entry.name.as_deref().or(entry.subject.as_deref());
            let email = entry.email.as_ref().map(|email| format!("<{email}>"));
            let of: Vec<_> =
                entry.project.as_deref().into_iter().chain(named).chain(email.as_deref()).collect();
            of.join(" ")
        })
        .flexible("CHANGE", |entry| match (entry.from.as_deref(), entry.to.as_deref()) {
            (Some(from), Some(to)) => format!("{from} -> {to}"),
            (value, None) | (None, value) => value.unwrap_or_default().to_owned(),
        })
        .end()
}
