//! `svc milestone`.

use std::path::PathBuf;

use clap::Subcommand;
use jiff::civil::Date;
use svc_api::Patch;
use svc_api::tracker::{Milestone, MilestoneProgress, MilestoneState, NewMilestone, UpdateMilestone};

use crate::commands::confirm::Confirm;
use crate::commands::files::given;
use crate::commands::in_project::InProject;
use crate::commands::named::{Named, pick};
use crate::commands::new_name::{NewName, taken};
use crate::failure::Failure;
use crate::output::{Pairs, Table, name, option, when};
use crate::session::Session;
use crate::values::{OrNone, day, day_or_none, milestone_state};

#[derive(Subcommand)]
pub(crate) enum Command {
    List(ListArgs),
    /// Show a milestone and its progress.
    ///
    /// List its items with `svc item list --milestone NAME`.
    #[command(after_help = "\
Example:
  svc milestone view 'First beta' -p PRJ")]
    View(Which),
    #[command(visible_alias = "add")]
    Create(CreateArgs),
    Edit(EditArgs),
    /// Close a milestone. It keeps its items and accepts no new ones.
    #[command(after_help = "\
Example:
  svc milestone close 'First beta' -p PRJ")]
    Close(Which),
    /// Reopen a closed milestone.
    #[command(after_help = "\
Example:
  svc milestone reopen 'First beta' -p PRJ")]
    Reopen(Which),
    #[command(visible_alias = "remove")]
    Delete(DeleteArgs),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list(args, session).await,
        Command::View(which) => view(which, session).await,
        Command::Create(args) => create(args, session).await,
        Command::Edit(args) => edit(args, session).await,
        Command::Close(which) => close(which, session).await,
        Command::Reopen(which) => reopen(which, session).await,
        Command::Delete(args) => delete(args, session).await,
    }
}

/// List a project's milestones: open ones by due day, then closed ones.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc milestone list -p PRJ
  svc milestone list -p PRJ --state open")]
pub(crate) struct ListArgs {
    #[command(flatten)]
    project: InProject,
    /// Only milestones in this state
    #[arg(long, value_parser = milestone_state(), ignore_case = true)]
    state: Option<MilestoneState>,
}

async fn list(args: ListArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let mut milestones = session.org(&org).milestones(project.as_str()).await?;
    let none = match milestones.is_empty() {
        true => "The project has no milestones; create one with `svc milestone create <NAME>`.",
        false => "No milestones match.",
    };
    milestones.retain(|milestone| args.state.is_none_or(|state| state == milestone.state));
    session.output.all(&milestones, none, table)
}

fn table(milestones: &[Milestone]) -> Table {
    Table::of(milestones)
        .fixed("STATE", |milestone| name(&milestone.state))
        .fixed("DUE", |milestone| option(milestone.due.map(|day| day.to_string()).as_deref()))
        .fixed("DONE", |milestone| done(milestone.progress))
        .fixed("LEFT", |milestone| left(milestone.progress))
        .minor()
        .flexible("NAME", |milestone| milestone.name.as_str())
        .end()
}

async fn view(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    show(&which.find(&org, session).await?, session)
}

/// Create a milestone.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc milestone create 'First beta' -p PRJ --due 2027-03-31 -m 'What early customers need'")]
pub(crate) struct CreateArgs {
    #[command(flatten)]
    name: NewName,
    #[command(flatten)]
    project: InProject,
    /// Due day, such as 2027-03-31, +2w or friday
    #[arg(long, value_name = "DAY", value_parser = day)]
    due: Option<Date>,
    /// What it is about, in Markdown
    #[arg(short = 'm', long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "body_file")]
    body: Option<String>,
    /// File with the description; - reads stdin
    #[arg(long, value_name = "PATH")]
    body_file: Option<PathBuf>,
}

async fn create(args: CreateArgs, session: &Session<'_>) -> Result<(), Failure> {
    let CreateArgs { name, project, due, body, body_file } = args;
    let description = given(body, body_file)?.unwrap_or_default();
    let new = NewMilestone { name: name.into_text(), description, due };
    let (org, project) = (session.org_slug().await?, project.key(session).await?);
    let made = session.org(&org).create_milestone(project.as_str(), &new).await;
    let next = "choose another name, or see `svc milestone list`";
    show(&made.map_err(|error| taken(error, "a milestone", &new.name, next))?, session)
}

/// Change a milestone's name, due day or description.
///
/// Other fields stay as they are. If someone else saves in between, nothing is changed (exit code 3).
#[derive(clap::Args)]
#[command(
    override_usage = "svc milestone edit [OPTIONS] <MILESTONE>",
    after_help = "\
Examples:
  svc milestone edit 'First beta' --due 2027-04-30
  svc milestone edit 'First beta' --name 'Second beta' --due none"
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
    /// New name, on one line
    #[arg(long)]
    name: Option<String>,
    /// New due day, such as 2027-03-31, +2w or friday, or none
    #[arg(long, value_name = "DAY", value_parser = day_or_none)]
    due: Option<OrNone<Date>>,
    /// New description in Markdown
    #[arg(short = 'm', long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "body_file")]
    body: Option<String>,
    /// File with the new description; - reads stdin
    #[arg(long, value_name = "PATH")]
    body_file: Option<PathBuf>,
}

async fn edit(args: EditArgs, session: &Session<'_>) -> Result<(), Failure> {
    let Change { name, due, body, body_file } = args.change;
    let description = given(body, body_file)?;
    let due = due.map_or(Patch::Keep, Patch::from);
    let change = UpdateMilestone { name, description, due, ..UpdateMilestone::default() };
    show(&args.which.change(change, session).await?, session)
}

async fn close(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    which.set(MilestoneState::Closed, session).await
}

async fn reopen(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    which.set(MilestoneState::Open, session).await
}

/// Delete a milestone. Its items stay, without a milestone.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc milestone delete 'First beta' -p PRJ
  svc milestone delete 'First beta' -p PRJ --yes")]
pub(crate) struct DeleteArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

async fn delete(args: DeleteArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let milestone = args.which.find(&org, session).await?;
    let (name, project) = (&milestone.name, args.which.project.key(session).await?);
    let items = match milestone.progress.items {
        0 => String::new(),
        1 => " Its item stays.".to_owned(),
        count => format!(" Its {count} items stay."),
    };
    args.confirm.sure(&format!("Delete the milestone {name:?} of {project}?{items}"), session.output)?;
    session.org(&org).delete_milestone(project.as_str(), &milestone.id).await?;
    session.output.say(&format!("deleted the milestone {name:?} of {project}"));
    Ok(())
}

/// A milestone and its project.
#[derive(clap::Args)]
pub(crate) struct Which {
    /// Name, in any case, or id of the milestone
    #[arg(value_name = "MILESTONE")]
    milestone: String,
    #[command(flatten)]
    project: InProject,
}

impl Which {
    /// The milestone that is meant.
    async fn find(&self, org: &str, session: &Session<'_>) -> Result<Milestone, Failure> {
        let project = self.project.key(session).await?;
        let milestones = session.org(org).milestones(project.as_str()).await?;
        pick("milestone", &self.milestone, milestones, true, |of| Named { id: &of.id, name: &of.name })
    }

    /// Changes the milestone, under the version that is read now.
    async fn change(&self, change: UpdateMilestone, session: &Session<'_>) -> Result<Milestone, Failure> {
        let org = session.org_slug().await?;
        let found = self.find(&org, session).await?;
        let change = UpdateMilestone { version: found.version, ..change };
        let project = self.project.key(session).await?;
        Ok(session.org(&org).update_milestone(project.as_str(), &found.id, &change).await?)
    }

    /// Closes the milestone or opens it again.
    async fn set(&self, state: MilestoneState, session: &Session<'_>) -> Result<(), Failure> {
        let change = UpdateMilestone { state: Some(state), ..UpdateMilestone::default() };
        show(&self.change(change, session).await?, session)
    }
}

/// How many items are resolved or closed, of all.
fn done(progress: MilestoneProgress) -> String {
    format!("{} of {}", progress.resolved + progress.closed, progress.items)
}

/// What is left to do, of what was estimated.
fn left(progress: MilestoneProgress) -> String {
    format!("{} of {}", progress.remaining, progress.estimate)
}

fn show(milestone: &Milestone, session: &Session<'_>) -> Result<(), Failure> {
    let output = session.output;
    if output.json {
        return output.json(milestone);
    }
    output.pairs(&pairs(milestone))?;
    let description = milestone.description.trim();
    if description.is_empty() { Ok(()) } else { output.text(&format!("\n{description}")) }
}

fn pairs(milestone: &Milestone) -> Pairs {
    let MilestoneProgress { backlog, active, resolved, closed, .. } = milestone.progress;
    let mut pairs = Pairs::default();
    pairs.add("name", milestone.name.as_str());
    pairs.add("state", name(&milestone.state));
    pairs.maybe("due", milestone.due.map(|day| day.to_string()));
    pairs.add("done", done(milestone.progress));
    pairs.add(
        "items",
        format!("{backlog} in the backlog, {active} active, {resolved} resolved, {closed} closed"),
    );
    pairs.add("left", left(milestone.progress));
    pairs.maybe("closed", milestone.closed_at.map(when));
    pairs.add("id", milestone.id.as_str());
    pairs.add("version", milestone.version.to_string());
    pairs
}
