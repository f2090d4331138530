//! `svc intake`: addresses of a project at which monitoring and forms make items.

use clap::Subcommand;
use svc_api::Patch;
use svc_api::tracker::{Intake, IntakeMapping, IntakeWithAddress, NewIntake, UpdateIntake};

use crate::commands::confirm::Confirm;
use crate::commands::in_project::InProject;
use crate::commands::named::{Named, pick};
use crate::commands::new_name::{NewName, taken};
use crate::failure::Failure;
use crate::output::{Table, yes};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List a project's intakes, without their addresses.
    #[command(after_help = "\
Example:
  svc intake list -p PRJ")]
    List(InProject),
    #[command(visible_alias = "add")]
    Create(CreateArgs),
    Edit(EditArgs),
    /// Give an intake a new address and print it. The one before stops working at once.
    #[command(after_help = "\
Example:
  svc intake rotate Alertmanager -p OPS > address.txt")]
    Rotate(Which),
    #[command(visible_alias = "remove")]
    Delete(DeleteArgs),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(project) => list(project, session).await,
        Command::Create(args) => create(args, session).await,
        Command::Edit(args) => edit(args, session).await,
        Command::Rotate(which) => rotate(which, session).await,
        Command::Delete(args) => delete(args, session).await,
    }
}

async fn list(project: InProject, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, project.key(session).await?);
    let intakes = session.org(&org).intakes(project.as_str()).await?;
    session.output.all(&intakes, "The project has no intakes.", table)
}

/// Which fields of a report are what. Given together, they replace all that were given before.
#[derive(clap::Args)]
struct Fields {
    /// Path of the field with the title, such as alert.name
    #[arg(long, value_name = "PATH")]
    title_field: Option<String>,
    /// Path of the field with the description
    #[arg(long, value_name = "PATH")]
    body_field: Option<String>,
    /// Path of the field with labels; only those count that the project has
    #[arg(long, value_name = "PATH")]
    labels_field: Option<String>,
    /// Path of the field that is the same for reports of the same thing
    #[arg(long, value_name = "PATH")]
    key_field: Option<String>,
}

impl Fields {
    fn mapping(self) -> Option<IntakeMapping> {
        let Self { title_field: title, body_field: body, labels_field: labels, key_field: key } = self;
        let mapping = IntakeMapping { title, body, labels, key };
        (mapping != IntakeMapping::default()).then_some(mapping)
    }
}

/// Create an intake, and print its address. Anyone who has the address can make items in the project.
///
/// Webhooks of Alertmanager and Grafana are understood as they are; forms and other programs by the names of their
/// fields, or by paths that you give.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc intake create Alertmanager -p OPS --template 'Bug report' --close-resolved true > address.txt
  svc intake create 'Contact form' -p PRJ --title-field subject --body-field message")]
pub(crate) struct CreateArgs {
    #[command(flatten)]
    name: NewName,
    #[command(flatten)]
    project: InProject,
    /// Name, in any case, or id of the template of its items
    #[arg(long)]
    template: Option<String>,
    #[command(flatten)]
    fields: Fields,
    /// Write a comment for each repeated report [default: false]
    #[arg(long, value_name = "BOOL")]
    comment_repeats: Option<bool>,
    /// Write a comment when something is reported as resolved [default: true]
    #[arg(long, value_name = "BOOL")]
    comment_resolved: Option<bool>,
    /// Move the item to the first resolved state then [default: false]
    #[arg(long, value_name = "BOOL")]
    close_resolved: Option<bool>,
}

async fn create(args: CreateArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let new = NewIntake {
        name: args.name.into_text(),
        template: args.template,
        mapping: args.fields.mapping(),
        comments_repeats: args.comment_repeats,
        comments_resolved: args.comment_resolved,
        closes_resolved: args.close_resolved,
    };
    let created = session.org(&org).create_intake(project.as_str(), &new).await;
    let next = format!("choose another name, or change that intake with `svc intake edit -p {project}`");
    show_address("created", &created.map_err(|error| taken(error, "an intake", &new.name, &next))?, session)
}

/// Change, disable or enable an intake. It then makes items for you.
#[derive(clap::Args)]
#[command(
    override_usage = "svc intake edit [OPTIONS] --project <PROJECT_KEY> <INTAKE>",
    after_help = "\
Examples:
  svc intake edit Alertmanager -p OPS --comment-repeats true
  svc intake edit 'Contact form' -p PRJ --disabled true"
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
    /// Name or id of another template of its items, or none
    #[arg(long)]
    template: Option<String>,
    /// Path of the field with the title, such as alert.name
    #[arg(long, value_name = "PATH")]
    title_field: Option<String>,
    /// Path of the field with the description
    #[arg(long, value_name = "PATH")]
    body_field: Option<String>,
    /// Path of the field with labels; only those count that the project has
    #[arg(long, value_name = "PATH")]
    labels_field: Option<String>,
    /// Path of the field that is the same for reports of the same thing
    #[arg(long, value_name = "PATH")]
    key_field: Option<String>,
    /// Whether to write a comment for each repeated report
    #[arg(long, value_name = "BOOL")]
    comment_repeats: Option<bool>,
    /// Whether to write a comment when something is reported as resolved
    #[arg(long, value_name = "BOOL")]
    comment_resolved: Option<bool>,
    /// Whether to move the item to the first resolved state then
    #[arg(long, value_name = "BOOL")]
    close_resolved: Option<bool>,
    /// Whether the intake takes nothing
    #[arg(long, value_name = "BOOL")]
    disabled: Option<bool>,
}

async fn edit(args: EditArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.which.project.key(session).await?);
    let intake = args.which.find(&org, session).await?;
    let Change { title_field, body_field, labels_field, key_field, .. } = args.change;
    let fields = Fields { title_field, body_field, labels_field, key_field };
    let change = UpdateIntake {
        version: intake.version,
        name: args.change.name,
        template: match args.change.template.as_deref() {
            None => Patch::Keep,
            Some("none") => Patch::Clear,
            Some(template) => Patch::Set(template.to_owned()),
        },
        mapping: fields.mapping(),
        comments_repeats: args.change.comment_repeats,
        comments_resolved: args.change.comment_resolved,
        closes_resolved: args.change.close_resolved,
        disabled: args.change.disabled,
    };
    let intake = session.org(&org).update_intake(project.as_str(), &intake.id, &change).await?;
    session.output.one(&intake, table)
}

async fn rotate(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, which.project.key(session).await?);
    let intake = which.find(&org, session).await?;
    let rotated = session.org(&org).rotate_intake(project.as_str(), &intake.id).await?;
    show_address("replaced the address of", &rotated, session)
}

/// Delete an intake. Its address stops working; its items stay.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc intake delete 'Contact form' -p PRJ --yes")]
pub(crate) struct DeleteArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

async fn delete(args: DeleteArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.which.project.key(session).await?);
    let intake = args.which.find(&org, session).await?;
    args.confirm.sure(&format!("Delete the intake {:?} of {project}?", intake.name), session.output)?;
    session.org(&org).delete_intake(project.as_str(), &intake.id).await?;
    session.output.say(&format!("deleted the intake {:?} of {project}", intake.name));
    Ok(())
}

/// An intake and its project.
#[derive(clap::Args)]
pub(crate) struct Which {
    /// Name, in any case, or id of the intake
    #[arg(value_name = "INTAKE")]
    intake: String,
    #[command(flatten)]
    project: InProject,
}

impl Which {
    async fn find(&self, org: &str, session: &Session<'_>) -> Result<Intake, Failure> {
        let project = self.project.key(session).await?;
        let intakes = session.org(org).intakes(project.as_str()).await?;
        pick("intake", &self.intake, intakes, true, |one| Named { id: &one.id, name: &one.name })
    }
}

/// Intakes, one a row.
fn table(intakes: &[Intake]) -> Table {
    Table::of(intakes)
        .flexible("NAME", |one| one.name.as_str())
        .fixed("COMMENTS REPEATS", |one| yes(one.comments_repeats))
        .fixed("COMMENTS RESOLVED", |one| yes(one.comments_resolved))
        .fixed("CLOSES RESOLVED", |one| yes(one.closes_resolved))
        .fixed("DISABLED", |one| yes(one.disabled))
        .flexible("SAVED BY", |one| one.saved_by.name.as_str())
        .end()
}

/// Prints an address that is shown once: alone to stdout, what was done to stderr.
fn show_address(did: &str, made: &IntakeWithAddress, session: &Session<'_>) -> Result<(), Failure> {
    let output = session.output;
    if output.json {
        return output.json(made);
    }
    output.line(&made.url)?;
    output.say(&format!("{did} the intake {:?}. Its address is shown only this once.", made.intake.name));
    Ok(())
}
