//! `svc import`: reads an export, shows what becomes of it, and brings it into a project.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use jiff::tz::TimeZone;
use serde::Serialize;
use svc_import::exports::ImportMapping;
use svc_import::{
    Dates, Fields, Gathered, Proposed, Reading, Report, foresee, propose, tell_missing_comments,
};

use super::confirm::Confirm;
use super::in_project::InProject;
use crate::failure::Failure;
use crate::fresh;
use crate::import::{Api, Brought, Order, Source, bring, has_file, read, read_mapping, table, write_mapping};
use crate::output::{Column, Table};
use crate::session::Session;

/// Variable that has a token for GitHub.
const GITHUB_TOKEN: &str = "GITHUB_TOKEN";

/// Import items from another tracker
///
/// Reads what the other tracker exported: items with their states, types, priorities, labels, milestones, sprints,
/// people, comments, links and files. The project must exist. Importing the same again changes nothing, so an import
/// that broke off is simply repeated. What cannot come is listed with its reason.
///
/// States, types and priorities are mapped by name and meaning. --dry-run shows the mapping, --save-mapping writes it to
/// a file, and --states reads that file after you edited it. People are found by their mail addresses among the members of
/// the project; others are named in the texts. Imports start no agents and notify nobody.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc import github issues.json comments.json -p PRJ --dry-run
  svc import github --repo acme/shop -p PRJ
  svc import gitlab 2026-11-27_acme_shop_export.tar.gz -p PRJ
  svc import jira jira.csv -p PRJ --dry-run --save-mapping mapping.json
  svc import jira jira.csv -p PRJ --states mapping.json --report missing.ndjson
  svc import csv work.csv -p PRJ --map title=Subject --dates dmy")]
pub(crate) struct Args {
    /// The tracker that the work comes from
    #[arg(value_name = "SOURCE", value_enum)]
    source: Source,
    /// Files that it exported
    #[arg(value_name = "FILE", required_unless_present = "repo")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    project: InProject,
    /// Show what would come, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Read the mapping of states, types, priorities and people from this file
    #[arg(long, value_name = "FILE")]
    states: Option<PathBuf>,
    /// Read the mail addresses of people from this file: {"octocat": "ada@example.org"}
    #[arg(long, value_name = "FILE")]
    people: Option<PathBuf>,
    /// Write the mapping to this file, to edit it
    #[arg(long, value_name = "FILE")]
    save_mapping: Option<PathBuf>,
    /// Write what does not come to this file, one JSON object a line
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Which number of dates such as 3/4/2026 is first [default: what the other dates of the file tell]
    #[arg(long, value_name = "ORDER", value_enum)]
    dates: Option<Order>,
    /// Time zone of times without one, such as Europe/Berlin [default: this machine's]
    #[arg(long, value_name = "ZONE")]
    timezone: Option<String>,
    /// Read a field from a column of a CSV, such as title=Subject; repeat it for several
    #[arg(long, value_name = "FIELD=COLUMN")]
    map: Vec<String>,
    /// Of an export with several projects, import only this one
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Name of the source and its project; a record of the same source comes only once [default: what the files tell]
    #[arg(long, value_name = "NAME")]
    source_name: Option<String>,
    /// Read issues and comments from this repository of GitHub, with the token in GITHUB_TOKEN
    #[arg(long, value_name = "OWNER/NAME", conflicts_with = "files")]
    repo: Option<String>,
    /// Read the token for GitHub from stdin
    #[arg(long, requires = "repo")]
    with_token: bool,
    /// Address of GitHub's API [env: GITHUB_API_URL]
    #[arg(long, value_name = "URL", requires = "repo")]
    api: Option<String>,
    #[command(flatten)]
    confirm: Confirm,
}

pub(crate) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let output = session.output;
    let mut given = ImportMapping::default();
    for file in [&args.states, &args.people].into_iter().flatten() {
        given.extend(read_mapping(file)?);
    }
    let key = args.project.key(session).await?.to_string();
    let slug = session.org_slug().await?;
    let org = session.org(&slug);
    let workflow = org.workflow(&key).await?;
    let mut gathered = gather(&args, session).await?;
    let proposed = propose(&mut gathered, &workflow.states, &given)?;
    if let Some(file) = &args.save_mapping {
        write_mapping(&proposed.mapping(&gathered), file)?;
        output.say(&format!("wrote the mapping to {}", file.display()));
    }
    if args.dry_run {
        let has_file = has_file(&gathered);
        foresee(&mut gathered, &proposed, &has_file)?;
        write_report(&args, &mut gathered, session)?;
        return show(&Outcome::new(&key, &gathered, &proposed, None), &gathered, &proposed, session);
    }
    if args.confirm.asks(output) {
        output.table(&table(&proposed))?;
    }
    let question = format!("Import {} items from {} into {key}?", gathered.items.len(), gathered.source);
    args.confirm.sure_on_terminal(&question, output)?;
    let brought = bring(&mut gathered, &proposed, org, &key, output).await;
    write_report(&args, &mut gathered, session)?;
    show(&Outcome::new(&key, &gathered, &proposed, Some(&brought?)), &gathered, &proposed, session)
}

/// Reads the files, or the repository.
async fn gather(args: &Args, session: &Session<'_>) -> Result<Gathered, Failure> {
    let zone = match &args.timezone {
        Some(name) => TimeZone::get(name).map_err(|_| {
            Failure::rejected(format!("there is no time zone {name:?}"))
                .hint("name one such as Europe/Berlin or UTC")
        })?,
        None => TimeZone::system(),
    };
    let dates = Dates { order: args.dates.map(Into::into), zone };
    let reading = Reading { dates, fields: Fields::new(&args.map)?, only: args.only.clone() };
    let named = args.source_name.clone().unwrap_or_default();
    let mut gathered = Gathered::new(named.trim())?;
    gathered.now = fresh::now();
    if let Some(repository) = &args.repo {
        if args.source != Source::Github {
            return Err(Failure::rejected("--repo is for `svc import github`"));
        }
        let token = match args.with_token {
            true => Some(session.output.secret("Token for GitHub: ")?),
            false => std::env::var(GITHUB_TOKEN).ok(),
        };
        let set = std::env::var("GITHUB_API_URL").ok().filter(|url| !url.is_empty());
        let base = args.api.clone().or(set).unwrap_or_else(|| "https://api.github.com".to_owned());
        Api::new(&base, token, session.output)?.read(repository, &reading.dates, &mut gathered).await?;
        tell_missing_comments(&mut gathered)?;
        return Ok(gathered);
    }
    read(args.source, &args.files, &reading, &mut gathered)?;
    Ok(gathered)
}

fn write_report(args: &Args, gathered: &mut Gathered, session: &Session<'_>) -> Result<(), Failure> {
    let Some(file) = &args.report else { return Ok(()) };
    let unwritable = |error: std::io::Error| Failure::io(format!("cannot write {}", file.display()), &error);
    let mut written = BufWriter::new(File::create(file).map_err(unwritable)?);
    for miss in gathered.report.read()? {
        let line = serde_json::to_string(&miss?).map_err(|error| unwritable(error.into()))?;
        writeln!(written, "{line}").map_err(unwritable)?;
    }
    written.flush().map_err(unwritable)?;
    session.output.say(&format!("wrote what does not come to {}", file.display()));
    Ok(())
}

/// What was found, and what came of it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome {
    source: String,
    project: String,
    dry_run: bool,
    found: BTreeMap<&'static str, u64>,
    mapping: ImportMapping,
    #[serde(skip_serializing_if = "Option::is_none")]
    created: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unchanged: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uploaded: Option<u64>,
    /// How much does not come.
    missing: usize,
}

impl Outcome {
    fn new(project: &str, gathered: &Gathered, proposed: &Proposed, brought: Option<&Brought>) -> Self {
        let found = gathered.found().into_iter().collect();
        Self {
            source: gathered.source.clone(),
            project: project.to_owned(),
            dry_run: brought.is_none(),
            found,
            mapping: proposed.mapping(gathered),
            created: brought.map(|brought| brought.came.created),
            changed: brought.map(|brought| brought.came.changed),
            unchanged: brought.map(|brought| brought.came.unchanged + brought.uploaded_before),
            uploaded: brought.map(|brought| brought.uploaded),
            missing: gathered.report.len(),
        }
    }
}

fn show(
    outcome: &Outcome,
    gathered: &Gathered,
    proposed: &Proposed,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let output = session.output;
    if output.json {
        return output.json(outcome);
    }
    let (source, project) = (&outcome.source, &outcome.project);
    if outcome.dry_run {
        output.line(&format!("{source} would come into {project}:"))?;
        let mut counts = Table::new([Column::fixed("COUNT"), Column::fixed("KIND")]);
        for (kind, count) in gathered.found().into_iter().filter(|(_, count)| *count > 0) {
            counts.row([count.to_string().into(), kind.into()]);
        }
        output.table(&counts)?;
        output.line("")?;
        output.table(&table(proposed))?;
    } else {
        let count = |count: Option<u64>| count.unwrap_or_default();
        output.line(&format!(
            "{source} came into {project}: {} new, {} changed, {} there before, {} files uploaded",
            count(outcome.created),
            count(outcome.changed),
            count(outcome.unchanged),
            count(outcome.uploaded),
        ))?;
    }
    let unknown = gathered.people.values().filter(|person| person.address.is_none() && !person.agent).count();
    if unknown > 0 {
        output.say(&format!(
            "{unknown} of {} people have no mail address: they are named in the texts. Give addresses with --people.",
            gathered.people.len()
        ));
    }
    if !gathered.report.is_empty() {
        output.line(if outcome.dry_run { "\nThis would not come:" } else { "\nThis did not come:" })?;
        output.table(&missing(&gathered.report))?;
    }
    Ok(())
}

/// How much does not come, by kind and reason.
fn missing(report: &Report) -> Table {
    let mut table = Table::new([Column::fixed("COUNT"), Column::fixed("KIND"), Column::flexible("REASON")]);
    for missing in report.counts() {
        let cells = [missing.count.to_string(), missing.kind, missing.reason];
        table.row(cells.map(Into::into));
    }
    table
}
