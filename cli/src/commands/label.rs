//! `svc label`.

mod color;

use clap::Subcommand;
use color::color;
use svc_api::tracker::{Label, NewLabel, UpdateLabel};

use crate::commands::confirm::Confirm;
use crate::commands::in_project::InProject;
use crate::commands::named::{Named, pick};
use crate::commands::new_name::{NewName, taken};
use crate::failure::Failure;
use crate::output::{Cell, Table};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List a project's labels by name, including labels that items carry but nobody defined.
    #[command(after_help = "\
Example:
  svc label list -p PRJ")]
    List(InProject),
    #[command(visible_alias = "add")]
    Create(CreateArgs),
    Edit(EditArgs),
    #[command(visible_alias = "remove")]
    Delete(DeleteArgs),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(project) => list(project, session).await,
        Command::Create(args) => create(args, session).await,
        Command::Edit(args) => edit(args, session).await,
        Command::Delete(args) => delete(args, session).await,
    }
}

async fn list(project: InProject, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, project.key(session).await?);
    let labels = session.org(&org).labels(project.as_str()).await?;
    session.output.all(&labels, "The project has no labels.", table)
}

/// Create a label. Its name cannot have spaces, commas or quotes.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc label create search -p PRJ --color '#0ea5e9' --description 'Finding things'")]
pub(crate) struct CreateArgs {
    #[command(flatten)]
    name: NewName,
    #[command(flatten)]
    project: InProject,
    /// Colour: # and three or six hexadecimal digits, or a name such as teal [default: grey]
    #[arg(long, value_name = "COLOR", value_parser = color)]
    color: Option<String>,
    /// What it is for
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
}

async fn create(args: CreateArgs, session: &Session<'_>) -> Result<(), Failure> {
    let CreateArgs { name, project, color, description } = args;
    let project = project.key(session).await?;
    let new = NewLabel { name: name.into_text(), color, description: description.unwrap_or_default() };
    let org = session.org_slug().await?;
    let created = session.org(&org).create_label(project.as_str(), &new).await;
    let next = format!("choose another name, or change that label with `svc label edit -p {project}`");
    let label = created.map_err(|error| taken(error, "a label", &new.name, &next))?;
    session.output.one(&label, table)
}

/// Rename a label on every item that carries it, merge it into another, or change its colour or description.
///
/// If someone else saves in between, nothing is changed (exit code 3). In a large project, it takes a few seconds
/// until every item is updated.
#[derive(clap::Args)]
#[command(
    override_usage = "svc label edit [OPTIONS] --project <PROJECT_KEY> <LABEL>",
    after_help = "\
Examples:
  svc label edit search -p PRJ --color '#0ea5e9'
  svc label edit serach -p PRJ --name search --merge"
)]
pub(crate) struct EditArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    change: Change,
    /// Merge into the existing label with the new name: the items get that label, and this one is deleted
    #[arg(long, requires = "name")]
    merge: bool,
    #[command(flatten)]
    confirm: Confirm,
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct Change {
    /// New name
    #[arg(long)]
    name: Option<String>,
    /// New colour: # and three or six hexadecimal digits, or a name such as teal
    #[arg(long, value_name = "COLOR", value_parser = color)]
    color: Option<String>,
    /// What it is for
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
}

async fn edit(args: EditArgs, session: &Session<'_>) -> Result<(), Failure> {
    let EditArgs { which, change: Change { name, color, description }, merge, confirm } = args;
    let org = session.org_slug().await?;
    let label = which.find(&org, session).await?;
    if let (true, Some(into)) = (merge, &name) {
        let (from, count) = (&label.name, on_items(label.items));
        confirm.sure(&format!("Merge the label {from} (on {count}) into {into}?"), session.output)?;
    }
    let change = UpdateLabel { version: label.version, name, color, description, merge };
    let project = which.project.key(session).await?;
    let label = session.org(&org).update_label(project.as_str(), &label.name, &change).await?;
    session.output.one(&label, table)
}

/// Delete a label, and remove it from every item.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc label delete wontfix -p PRJ
  svc label delete wontfix -p PRJ --yes")]
pub(crate) struct DeleteArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

async fn delete(args: DeleteArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let label = args.which.find(&org, session).await?;
    let (name, project, count) = (&label.name, args.which.project.key(session).await?, on_items(label.items));
    args.confirm
        .sure(&format!("Delete the label {name} of {project} and remove it from {count}?"), session.output)?;
    session.org(&org).delete_label(project.as_str(), name).await?;
    session.output.say(&format!("deleted the label {name} of {project}"));
    Ok(())
}

/// A label and its project.
#[derive(clap::Args)]
struct Which {
    /// Name of the label, in any case
    #[arg(value_name = "LABEL")]
    label: String,
    #[command(flatten)]
    project: InProject,
}

impl Which {
    /// The label, defined or merely in use.
    async fn find(&self, org: &str, session: &Session<'_>) -> Result<Label, Failure> {
        let labels = session.org(org).labels(self.project.key(session).await?.as_str()).await?;
        pick("label", &self.label, labels, true, |label| Named { id: &label.name, name: &label.name })
    }
}

/// How many items something is on.
fn on_items(count: u64) -> String {
    if count == 1 { "1 item".to_owned() } else { format!("{count} items") }
}

/// A colour as `#` and six hexadecimal digits, painted with itself.
fn painted(color: &str) -> Cell {
    let mut bytes = [0; 3];
    match color.strip_prefix('#').map(|digits| hex::decode_to_slice(digits, &mut bytes)) {
        Some(Ok(())) => Cell::painted(color, bytes),
        _ => Cell::from(color),
    }
}

/// Labels, one a row.
fn table(labels: &[Label]) -> Table {
    Table::of(labels)
        .flexible("NAME", |label| label.name.as_str())
        .fixed("COLOR", |label| painted(&label.color))
        .fixed("ITEMS", |label| label.items.to_string())
        .flexible("DESCRIPTION", |label| label.description.as_str())
        .end()
}
