//! `svc template`: item templates (specification section 2.4).

use std::path::PathBuf;

use clap::Subcommand;
use svc_api::Patch;
use svc_api::tracker::{ItemType, NewTemplate, Priority, Template, UpdateTemplate};
use svc_domain::ids::ProjectKey;

use crate::commands::confirm::Confirm;
use crate::commands::files::given;
use crate::commands::in_project::InProject;
use crate::commands::named::{Named, pick};
use crate::commands::new_name::{NewName, taken};
use crate::failure::Failure;
use crate::output::{Pairs, Table, joined, name, option};
use crate::session::Session;
use crate::values::{Names, OrNone, item_type, priority, priority_or_none};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List a project's item templates.
    #[command(after_help = "\
Example:
  svc template list -p PRJ")]
    List(InProject),
    View(ViewArgs),
    #[command(visible_alias = "add")]
    Create(CreateArgs),
    Edit(EditArgs),
    #[command(visible_alias = "remove")]
    Delete(DeleteArgs),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(project) => list(project, session).await,
        Command::View(args) => view(args, session).await,
        Command::Create(args) => create(args, session).await,
        Command::Edit(args) => edit(args, session).await,
        Command::Delete(args) => delete(args, session).await,
    }
}

async fn list(project: InProject, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, project.key(session).await?);
    let templates = session.org(&org).templates(project.as_str()).await?;
    session.output.all(&templates, "The project has no item templates.", table)
}

/// Show an item template.
///
/// With --body-only it prints only the description, for `svc template edit --body-file`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc template view 'Bug report' -p PRJ
  svc template view 'Bug report' -p PRJ --body-only > bug.md")]
pub(crate) struct ViewArgs {
    #[command(flatten)]
    which: Which,
    /// Print the description and nothing else
    #[arg(long)]
    body_only: bool,
}

async fn view(args: ViewArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let template = args.which.find(&org, session).await?;
    let output = session.output;
    if output.json {
        return output.json(&template);
    }
    if args.body_only {
        return output.text(&template.body);
    }
    output.pairs(&pairs(&template))?;
    let body = template.body.trim();
    if body.is_empty() { Ok(()) } else { output.text(&format!("\n{body}")) }
}

fn pairs(template: &Template) -> Pairs {
    let mut pairs = Pairs::default();
    pairs.add("name", template.name.as_str());
    pairs.add("type", name(&template.item_type));
    pairs.add("priority", option(template.priority.as_ref().map(name).as_deref()));
    pairs.add("labels", joined(&template.labels));
    pairs.add("id", template.id.as_str());
    pairs.add("version", template.version.to_string());
    pairs
}

/// Create an item template for `svc item create --template`.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc template create Incident -p PRJ --type bug --body-file incident.md --priority highest --labels ops")]
pub(crate) struct CreateArgs {
    #[command(flatten)]
    name: NewName,
    #[command(flatten)]
    project: InProject,
    /// Type of the items that it is for
    #[arg(long = "type", value_name = "TYPE", value_parser = item_type(), ignore_case = true)]
    item_type: ItemType,
    /// Description in Markdown
    #[arg(short = 'm', long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "body_file")]
    body: Option<String>,
    /// File with the description; - reads stdin
    #[arg(long, value_name = "PATH")]
    body_file: Option<PathBuf>,
    /// Priority
    #[arg(long, value_parser = priority(), ignore_case = true)]
    priority: Option<Priority>,
    /// Labels separated by commas
    #[arg(long, visible_alias = "label", value_name = "LIST")]
    labels: Option<Vec<Names>>,
}

async fn create(args: CreateArgs, session: &Session<'_>) -> Result<(), Failure> {
    let CreateArgs { name, project, item_type, body, body_file, priority, labels } = args;
    let project = project.key(session).await?;
    let body = given(body, body_file)?.unwrap_or_default();
    let labels = Names::joined(labels).unwrap_or_default();
    let new = NewTemplate { name: name.into_text(), item_type, body, priority, labels };
    let org = session.org_slug().await?;
    let created = session.org(&org).create_template(project.as_str(), &new).await;
    let next = format!("choose another name, or change that template with `svc template edit -p {project}`");
    let template = created.map_err(|error| taken(error, "a template", &new.name, &next))?;
    session.output.one(&template, table)
}

/// Change an item template. Items that were created with it stay as they are.
///
/// Other fields stay as they are. If someone else saves in between, nothing is changed (exit code 3).
#[derive(clap::Args)]
#[command(
    override_usage = "svc template edit [OPTIONS] --project <PROJECT_KEY> <TEMPLATE>",
    after_help = "\
Examples:
  svc template edit 'Bug report' -p PRJ --name Defect --priority high
  svc template edit Defect -p PRJ --body-file defect.md --labels bug,triage"
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
    /// New type of the items that it is for
    #[arg(long = "type", value_name = "TYPE", value_parser = item_type(), ignore_case = true)]
    item_type: Option<ItemType>,
    /// New description in Markdown
    #[arg(short = 'm', long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "body_file")]
    body: Option<String>,
    /// File with the new description; - reads stdin
    #[arg(long, value_name = "PATH")]
    body_file: Option<PathBuf>,
    /// New priority, or none
    #[arg(long, value_parser = priority_or_none(), ignore_case = true)]
    priority: Option<OrNone<Priority>>,
    /// New labels, separated by commas, replacing all; empty for none
    #[arg(long, visible_alias = "label", value_name = "LIST")]
    labels: Option<Vec<Names>>,
}

async fn edit(args: EditArgs, session: &Session<'_>) -> Result<(), Failure> {
    let mut change = args.change.into_update()?;
    let org = session.org_slug().await?;
    let template = args.which.find(&org, session).await?;
    change.version = template.version;
    let project = args.which.project.key(session).await?;
    let template = session.org(&org).update_template(project.as_str(), &template.id, &change).await?;
    session.output.one(&template, table)
}

impl Change {
    /// The change, without the version that it is made under.
    fn into_update(self) -> Result<UpdateTemplate, Failure> {
        let Self { name, item_type, body, body_file, priority, labels } = self;
        let body = given(body, body_file)?;
        let priority = priority.map_or(Patch::Keep, Patch::from);
        let labels = Names::joined(labels);
        Ok(UpdateTemplate { version: 0, name, item_type, body, priority, labels })
    }
}

/// Delete an item template. Items that were created with it stay as they are.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc template delete 'User story' -p PRJ
  svc template delete 'User story' -p PRJ --yes")]
pub(crate) struct DeleteArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

async fn delete(args: DeleteArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let template = args.which.find(&org, session).await?;
    let (name, project) = (&template.name, args.which.project.key(session).await?);
    args.confirm.sure(&format!("Delete the template {name:?} of {project}?"), session.output)?;
    session.org(&org).delete_template(project.as_str(), &template.id).await?;
    session.output.say(&format!("deleted the template {name:?} of {project}"));
    Ok(())
}

/// A template and its project.
#[derive(clap::Args)]
struct Which {
    /// Name, in any case, or id of the template
    #[arg(value_name = "TEMPLATE")]
    template: String,
    #[command(flatten)]
    project: InProject,
}

impl Which {
    async fn find(&self, org: &str, session: &Session<'_>) -> Result<Template, Failure> {
        find(&self.template, &self.project.key(session).await?, org, session).await
    }
}

/// The template of a project that `wanted` means, by name or id.
pub(super) async fn find(
    wanted: &str,
    project: &ProjectKey,
    org: &str,
    session: &Session<'_>,
) -> Result<Template, Failure> {
    let templates = session.org(org).templates(project.as_str()).await?;
    pick("template", wanted, templates, true, |template| Named { id: &template.id, name: &template.name })
}

/// Templates, one a row.
fn table(templates: &[Template]) -> Table {
    Table::of(templates)
        .fixed("TYPE", |template| name(&template.item_type))
        .fixed("PRIORITY", |template| option(template.priority.as_ref().map(name).as_deref()))
        .flexible("LABELS", |template| joined(&template.labels))
        .flexible("NAME", |template| template.name.as_str())
        .end()
}
