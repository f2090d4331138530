//! `svc sprint`.

mod view;
mod which;

pub(super) use which::{find, patch};

use clap::Subcommand;
use jiff::civil::Date;
use svc_api::Patch;
use svc_api::tracker::{
    CompleteSprint, NewSprint, Sprint, SprintQuery, SprintState, StartSprint, UpdateSprint, Work,
};

use crate::commands::confirm::Confirm;
use crate::commands::in_project::InProject;
use crate::commands::new_name::{NewName, taken};
use crate::commands::paging::collect;
use crate::failure::Failure;
use crate::output::{Pairs, Table, name, one_line, option, when, wire};
use crate::session::Session;
use crate::values::{
    LastDay, OrNone, day, day_or_none, last_day, last_day_or_none, number, number_or_none, sprint_state,
};
use which::Which;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(ListArgs),
    View(view::Args),
    #[command(visible_alias = "add")]
    Create(CreateArgs),
    Edit(EditArgs),
    /// Start a planned sprint. A team can have one active sprint.
    #[command(after_help = "\
Example:
  svc sprint start 'Sprint 12' -p PRJ")]
    Start(Which),
    Complete(CompleteArgs),
    #[command(visible_alias = "remove")]
    Delete(DeleteArgs),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list(args, session).await,
        Command::View(args) => view::run(args, session).await,
        Command::Create(args) => create(args, session).await,
        Command::Edit(args) => edit(args, session).await,
        Command::Start(which) => start(which, session).await,
        Command::Complete(args) => complete(args, session).await,
        Command::Delete(args) => delete(args, session).await,
    }
}

/// List sprints: active ones, then planned ones in their order, then completed ones.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc sprint list -p PRJ -t web --state active")]
pub(crate) struct ListArgs {
    /// Only sprints of the team with this key or id
    #[arg(short, long, value_name = "TEAM")]
    team: Option<String>,
    #[command(flatten)]
    project: InProject,
    /// Only sprints in this state
    #[arg(long, value_parser = sprint_state(), ignore_case = true)]
    state: Option<SprintState>,
    /// Print at most this many
    #[arg(short = 'L', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

async fn list(args: ListArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let query =
        SprintQuery { team: args.team, state: args.state.as_ref().map(wire), ..SprintQuery::default() };
    let sprints = collect(args.limit.map(|limit| limit as usize), async |page, size| {
        let query = SprintQuery { page: Some(page), page_size: Some(size), ..query.clone() };
        session.org(&org).sprints(project.as_str(), &query).await
    })
    .await?;
    session.output.all(&sprints, "No sprints match.", table)
}

fn table(sprints: &[Sprint]) -> Table {
    Table::of(sprints)
        .id("ID", |sprint| sprint.id.as_str())
        .fixed("STATE", |sprint| name(&sprint.state))
        .flexible("TEAM", |sprint| sprint.team.key.as_str())
        .fixed("START", |sprint| option(sprint.start.map(|day| day.to_string()).as_deref()))
        .minor()
        .fixed("END", |sprint| option(sprint.end.map(|day| day.to_string()).as_deref()))
        .fixed("LEFT", |sprint| left(sprint.work))
        .minor()
        .flexible("NAME", |sprint| sprint.name.as_str())
        .end()
}

/// Plan a sprint for a team.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc sprint create -p PRJ -t web --name 'Sprint 12' --start 2027-01-04 --end 2027-01-15
  svc sprint create -p PRJ 'Sprint 13' --start monday --end +11d")]
pub(crate) struct CreateArgs {
    #[command(flatten)]
    project: InProject,
    /// Key or id of the team; not needed if the project has only one
    #[arg(short, long, value_name = "TEAM")]
    team: Option<String>,
    #[command(flatten)]
    name: NewName,
    /// What the team wants to achieve
    #[arg(long, default_value_t, hide_default_value = true)]
    goal: String,
    /// First day, such as 2027-01-04, tomorrow, monday or +3d
    #[arg(long, value_name = "DAY", value_parser = day)]
    start: Option<Date>,
    /// Last day; +11d and friday count from the first day
    #[arg(long, value_name = "DAY", value_parser = last_day)]
    end: Option<LastDay>,
    /// Capacity of the team, in the unit of estimates
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number)]
    capacity: Option<f64>,
    /// Was needed for the name of another sprint, which is refused now
    #[arg(long, hide = true)]
    force: bool,
}

async fn create(args: CreateArgs, session: &Session<'_>) -> Result<(), Failure> {
    let CreateArgs { project, team, name, goal, start, end, capacity, force } = args;
    let project = project.key(session).await?;
    let org = session.org_slug().await?;
    let team = match team {
        Some(team) => team,
        None => only_team(project.as_str(), &org, session).await?,
    };
    let last = end.map(|end| end.of(start));
    let new = NewSprint { team, name: name.into_text(), goal, start, end: last, capacity };
    if force {
        session.output.warn("--force does nothing: the sprints of a project have different names");
    }
    let created = session.org(&org).create_sprint(project.as_str(), &new).await;
    let next = format!("choose another name, or see `svc sprint list -p {project}`");
    let created = created.map_err(|error| taken(error, "a sprint", &new.name, &next))?;
    say_days(end, &created, session);
    show(&created, session)
}

/// Key of the project's team, where there is no choice.
async fn only_team(project: &str, org: &str, session: &Session<'_>) -> Result<String, Failure> {
    let mut teams = session.org(org).teams(project).await?;
    if teams.len() == 1 {
        return Ok(teams.remove(0).key);
    }
    let keys: Vec<_> = teams.iter().map(|team| one_line(&team.key)).collect();
    Err(Failure::rejected("no team is named").hint(match keys[..] {
        [] => format!("create a team with `svc team create -p {project}`"),
        _ => format!("name one with --team; the teams of {project} are {}", keys.join(", ")),
    }))
}

/// Change a sprint's name, goal, days or capacity.
#[derive(clap::Args)]
#[command(
    override_usage = "svc sprint edit [OPTIONS] <SPRINT>",
    after_help = "\
Examples:
  svc sprint edit 'Sprint 12' --goal 'Search remembers its filter'
  svc sprint edit current --end 2027-01-22"
)]
pub(crate) struct EditArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    change: Change,
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct Change {
    /// New name
    #[arg(long)]
    name: Option<String>,
    /// New goal
    #[arg(long)]
    goal: Option<String>,
    /// New first day, such as 2027-01-04, tomorrow, monday or +3d, or none
    #[arg(long, value_name = "DAY", value_parser = day_or_none)]
    start: Option<OrNone<Date>>,
    /// New last day, or none; +11d and friday count from the first day
    #[arg(long, value_name = "DAY", value_parser = last_day_or_none)]
    end: Option<OrNone<LastDay>>,
    /// New capacity, or none
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number_or_none)]
    capacity: Option<OrNone<f64>>,
}

async fn edit(args: EditArgs, session: &Session<'_>) -> Result<(), Failure> {
    let Change { name, goal, start, end, capacity } = args.change;
    let slug = session.org_slug().await?;
    let id = args.which.id(&slug, session).await?;
    let org = session.org(&slug);
    let known = org.sprint(&id).await?;
    let first = match &start {
        Some(OrNone::Some(day)) => Some(*day),
        Some(OrNone::None) => None,
        None => known.start,
    };
    let (last, counted) = match end {
        None => (Patch::Keep, None),
        Some(OrNone::None) => (Patch::Clear, None),
        Some(OrNone::Some(day)) => (Patch::Set(day.of(first)), Some(day)),
    };
    let update = UpdateSprint {
        version: known.version,
        name,
        goal,
        start: start.map_or(Patch::Keep, Patch::from),
        end: last,
        capacity: capacity.map_or(Patch::Keep, Patch::from),
    };
    let changed = org.update_sprint(&id, &update).await?;
    say_days(counted, &changed, session);
    show(&changed, session)
}

async fn start(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let id = which.id(&slug, session).await?;
    let org = session.org(&slug);
    let version = org.sprint(&id).await?.version;
    show(&org.start_sprint(&id, &StartSprint { version }).await?, session)
}

/// Complete an active sprint, and move its unfinished items.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc sprint complete current
  svc sprint complete 'Sprint 12' -p PRJ --unfinished-to next")]
pub(crate) struct CompleteArgs {
    #[command(flatten)]
    which: Which,
    /// Where unfinished items go: next for the team's next sprint, backlog, or a sprint's name or id
    #[arg(long, visible_alias = "to", value_name = "SPRINT", default_value = "backlog")]
    unfinished_to: String,
    #[command(flatten)]
    confirm: Confirm,
}

async fn complete(args: CompleteArgs, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let id = args.which.id(&slug, session).await?;
    let org = session.org(&slug);
    let sprint = org.sprint(&id).await?;
    let question = format!("Complete the sprint {:?}? This cannot be undone.", sprint.name);
    args.confirm.sure_on_terminal(&question, session.output)?;
    let version = sprint.version;
    let unfinished_to = match args.unfinished_to.as_str() {
        word @ ("next" | "backlog") => word.to_owned(),
        name => args.which.other(name).id(&slug, session).await?,
    };
    let complete = CompleteSprint { version, unfinished_to: Some(unfinished_to) };
    let completed = org.complete_sprint(&id, &complete).await?;
    if session.output.json {
        return session.output.json(&completed);
    }
    session.output.pairs(&pairs(&completed.sprint))?;
    session.output.say(&format!("unfinished items moved: {}", completed.moved));
    if completed.left > 0 {
        session.output.say(&format!("still to move: {}", completed.left));
    }
    Ok(())
}

/// Delete a planned sprint. Its items go back to the backlog.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc sprint delete 'Sprint 12'
  svc sprint delete 0193a6e5-... --yes")]
pub(crate) struct DeleteArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

async fn delete(args: DeleteArgs, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let id = args.which.id(&slug, session).await?;
    let org = session.org(&slug);
    let sprint = org.sprint(&id).await?;
    let (name, project, count) = (&sprint.name, &sprint.project, sprint.work.items);
    let items = if count == 1 { "its item".to_owned() } else { format!("its {count} items") };
    let question = format!("Delete the sprint {name:?} of {project}, and move {items} to the backlog?");
    args.confirm.sure(&question, session.output)?;
    org.delete_sprint(&id).await?;
    session.output.say(&format!("deleted the sprint {name:?} of {project}"));
    Ok(())
}

/// Says which days were understood where the last one was reckoned from the first.
fn say_days(end: Option<LastDay>, sprint: &Sprint, session: &Session<'_>) {
    let (Some(LastDay::After(_)), Some(last)) = (end, sprint.end) else { return };
    let named = |day: jiff::civil::Date| day.strftime("%A %Y-%m-%d").to_string();
    session.output.say(&match sprint.start {
        Some(first) => format!("from {} to {}", named(first), named(last)),
        None => format!("to {}, counted from today: the sprint has no first day", named(last)),
    });
}

/// What is left to do, of what was estimated.
fn left(work: Work) -> String {
    format!("{} of {}", work.remaining, work.estimate)
}

/// How many items are unfinished, of all.
fn open(work: Work) -> String {
    format!("{} of {}", work.unfinished, work.items)
}

fn show(sprint: &Sprint, session: &Session<'_>) -> Result<(), Failure> {
    if session.output.json { session.output.json(sprint) } else { session.output.pairs(&pairs(sprint)) }
}

fn pairs(sprint: &Sprint) -> Pairs {
    let mut pairs = Pairs::default();
    pairs.add("id", sprint.id.as_str());
    pairs.add("name", sprint.name.as_str());
    pairs.maybe("goal", Some(sprint.goal.as_str()).filter(|goal| !goal.is_empty()));
    pairs.add("state", name(&sprint.state));
    pairs.add("project", sprint.project.as_str());
    pairs.add("team", format!("{} ({})", sprint.team.key, sprint.team.name));
    pairs.maybe("first day", sprint.start.map(|day| day.to_string()));
    pairs.maybe("last day", sprint.end.map(|day| day.to_string()));
    pairs.maybe("capacity", sprint.capacity.map(|capacity| capacity.to_string()));
    pairs.add("unfinished", open(sprint.work));
    pairs.add("left", left(sprint.work));
    pairs.maybe("started", sprint.started_at.map(when));
    if let Some(completion) = &sprint.completion {
        pairs.add("completed", format!("{} by {}", when(completion.at), completion.by.name));
        pairs.add("unfinished to", completion.unfinished_to.as_deref().unwrap_or("backlog"));
    }
    pairs.add("version", sprint.version.to_string());
    pairs
}
