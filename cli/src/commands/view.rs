//! `svc view`: saved views.

use clap::Subcommand;
use svc_api::Patch;
use svc_api::tracker::{NewView, SavedView, UpdateView};
use svc_domain::ids::ProjectKey;

use crate::commands::confirm::Confirm;
use crate::commands::in_project::InProject;
use crate::commands::item::{check_saved, warn_of, with_ids};
use crate::commands::named::{Named, pick};
use crate::commands::new_name::{NewName, taken};
use crate::failure::Failure;
use crate::output::{Pairs, Table, option, yes};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List your saved views of a project, and the shared ones.
    #[command(after_help = "\
Example:
  svc view list -p PRJ")]
    List(InProject),
    #[command(name = "view", visible_alias = "show")]
    /// Show a saved view. `svc item list --view` lists its items.
    #[command(after_help = "\
Example:
  svc view view 'Open bugs' -p PRJ")]
    Show(Which),
    #[command(visible_alias = "add")]
    Create(CreateArgs),
    Edit(EditArgs),
    #[command(visible_alias = "remove")]
    Delete(DeleteArgs),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(project) => list(project, session).await,
        Command::Show(which) => show(which, session).await,
        Command::Create(args) => create(args, session).await,
        Command::Edit(args) => edit(args, session).await,
        Command::Delete(args) => delete(args, session).await,
    }
}

async fn list(project: InProject, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, project.key(session).await?);
    let views = session.org(&org).views(project.as_str()).await?;
    let none = "The project has no saved views; save one with `svc view create`.";
    session.output.all(&views, none, table)
}

async fn show(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let view = which.find(&org, session).await?;
    match session.output.json {
        true => session.output.json(&view),
        false => {
            session.output.pairs(&pairs(&view))?;
            let _ = warn_of(&view, &which.project.key(session).await?, &org, session).await;
            Ok(())
        }
    }
}

fn pairs(view: &SavedView) -> Pairs {
    let mut pairs = Pairs::default();
    pairs.add("name", view.name.as_str());
    pairs.add("filter", option(Some(view.filter.as_str()).filter(|filter| !filter.is_empty())));
    pairs.maybe("words", view.q.as_deref());
    pairs.maybe("sort", view.sort.as_deref());
    pairs.add("shared", yes(view.shared));
    pairs.add("by", view.created_by.name.as_str());
    pairs.add("id", view.id.as_str());
    pairs.add("version", view.version.to_string());
    pairs
}

/// Save a view for `svc item list --view`. Only you see it, unless you share it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc view create 'Open bugs' -p PRJ --filter 'type:bug state:active' --sort -priority
  svc view create Triage -p PRJ --filter 'state:backlog has:label' --shared")]
pub(crate) struct CreateArgs {
    #[command(flatten)]
    name: NewName,
    #[command(flatten)]
    project: InProject,
    /// Filter terms, separated by spaces; all must match
    #[arg(
        short,
        long,
        value_name = "TERMS",
        allow_hyphen_values = true,
        default_value = "",
        hide_default_value = true
    )]
    filter: String,
    /// Words that items contain
    #[arg(short, long, value_name = "WORDS")]
    query: Option<String>,
    /// Order, as in `svc item list`
    #[arg(long, allow_hyphen_values = true, value_name = "ORDER")]
    sort: Option<String>,
    /// Share it with everyone who can see the project
    #[arg(long)]
    shared: bool,
}

async fn create(args: CreateArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let filter = with_ids(&args.filter, Some(&project), &org, session).await?;
    check_saved(&filter, &project, &org, session).await?;
    let (name, q) = (args.name.into_text(), args.query);
    let new = NewView { name, shared: args.shared, filter, q, sort: args.sort, ..NewView::default() };
    let created = session.org(&org).create_view(project.as_str(), &new).await;
    let next = format!("choose another name, or change that view with `svc view edit -p {project}`");
    let view = created.map_err(|error| taken(error, "a view", &new.name, &next))?;
    session.output.one(&view, table)
}

/// Change a saved view.
///
/// Other fields stay as they are. If someone else saves in between, nothing is changed (exit code 3).
#[derive(clap::Args)]
#[command(
    override_usage = "svc view edit [OPTIONS] --project <PROJECT_KEY> <VIEW>",
    after_help = "\
Examples:
  svc view edit 'Open bugs' -p PRJ --filter 'type:bug -state:closed'
  svc view edit 'Open bugs' -p PRJ --shared true"
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
    /// New filter terms; empty for all items
    #[arg(short, long, value_name = "TERMS", allow_hyphen_values = true)]
    filter: Option<String>,
    /// New search words; empty for none
    #[arg(short, long, value_name = "WORDS")]
    query: Option<String>,
    /// New order; empty for the default order
    #[arg(long, allow_hyphen_values = true, value_name = "ORDER")]
    sort: Option<String>,
    /// Whether it is shared with everyone who can see the project
    #[arg(long, value_name = "BOOL")]
    shared: Option<bool>,
}

async fn edit(args: EditArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.which.project.key(session).await?);
    let view = args.which.find(&org, session).await?;
    let Change { name, filter, query, sort, shared } = args.change;
    let filter = match filter {
        Some(filter) => {
            let filter = with_ids(&filter, Some(&project), &org, session).await?;
            check_saved(&filter, &project, &org, session).await?;
            Some(filter)
        }
        None => None,
    };
    let change = UpdateView {
        version: view.version,
        name,
        shared,
        filter,
        q: given(query),
        sort: given(sort),
        ..UpdateView::default()
    };
    let view = session.org(&org).update_view(project.as_str(), &view.id, &change).await?;
    session.output.one(&view, table)
}

/// What a text changes: an empty one clears.
fn given(text: Option<String>) -> Patch<String> {
    match text {
        None => Patch::Keep,
        Some(text) if text.trim().is_empty() => Patch::Clear,
        Some(text) => Patch::Set(text),
    }
}

/// Delete a saved view. Its items stay as they are.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc view delete 'Open bugs' -p PRJ
  svc view delete 'Open bugs' -p PRJ --yes")]
pub(crate) struct DeleteArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

async fn delete(args: DeleteArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let view = args.which.find(&org, session).await?;
    let (name, project) = (&view.name, args.which.project.key(session).await?);
    let kind = if view.shared { "shared view" } else { "view" };
    args.confirm.sure(&format!("Delete the {kind} {name:?} of {project}?"), session.output)?;
    session.org(&org).delete_view(project.as_str(), &view.id).await?;
    session.output.say(&format!("deleted the {kind} {name:?} of {project}"));
    Ok(())
}

/// A view and its project.
#[derive(clap::Args)]
pub(crate) struct Which {
    /// Name, in any case, or id of the view
    #[arg(value_name = "VIEW")]
    view: String,
    #[command(flatten)]
    project: InProject,
}

impl Which {
    async fn find(&self, org: &str, session: &Session<'_>) -> Result<SavedView, Failure> {
        find(&self.view, &self.project.key(session).await?, org, session).await
    }
}

/// The view of a project that `wanted` means, by name or id. Of a view of your own and a shared one of the same name,
/// it is your own.
pub(super) async fn find(
    wanted: &str,
    project: &ProjectKey,
    org: &str,
    session: &Session<'_>,
) -> Result<SavedView, Failure> {
    let mut views = session.org(org).views(project.as_str()).await?;
    let own = |view: &SavedView| !view.shared && view.name.to_lowercase() == wanted.to_lowercase();
    if let Some(index) = views.iter().position(own) {
        return Ok(views.swap_remove(index));
    }
    pick("view", wanted, views, true, |view| Named { id: &view.id, name: &view.name })
}

/// Views, one a row.
fn table(views: &[SavedView]) -> Table {
    Table::of(views)
        .flexible("NAME", |view| view.name.as_str())
        .fixed("SHARED", |view| yes(view.shared))
        .flexible("BY", |view| view.created_by.name.as_str())
        .minor()
        .fixed("SORT", |view| option(view.sort.as_deref()))
        .minor()
        .flexible("FILTER", |view| {
            let words = view.q.as_ref().map(|words| format!("{words:?}")).unwrap_or_default();
            option(Some(format!("{} {words}", view.filter).trim()).filter(|text| !text.is_empty()))
        })
        .end()
}
