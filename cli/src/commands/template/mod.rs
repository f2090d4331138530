//! `svc template`: ticket templates (specification section 2.4).

mod create;
mod delete;
mod edit;
mod list;
mod view;

use clap::Subcommand;
use svc_api::tracker::Template;
use svc_domain::ids::ProjectKey;

use super::named::{Named, resolve};
use crate::args::project_key;
use crate::failure::Failure;
use crate::output::{Column, Table, list, name, option};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    View(view::Args),
    Create(create::Args),
    Edit(edit::Args),
    Delete(delete::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::View(args) => view::run(args, session).await,
        Command::Create(args) => create::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
    }
}

/// A template and its project.
#[derive(clap::Args)]
struct Which {
    /// Name, in any case, or id of the template
    #[arg(value_name = "TEMPLATE")]
    template: String,
    /// Key of the project
    #[arg(short, long, value_name = "PROJECT_KEY", value_parser = project_key)]
    project: ProjectKey,
}

impl Which {
    async fn find(&self, org: &str, session: &Session<'_>) -> Result<Template, Failure> {
        find(&self.template, &self.project, org, session).await
    }
}

/// The template of a project that `wanted` means, by name or id.
pub(super) async fn find(
    wanted: &str,
    project: &ProjectKey,
    org: &str,
    session: &Session<'_>,
) -> Result<Template, Failure> {
    let mut templates = session.org(org).templates(project.as_str()).await?;
    let all: Vec<_> =
        templates.iter().map(|template| Named { id: &template.id, name: &template.name }).collect();
    let id = resolve("template", wanted, &all, true)?;
    let index = templates.iter().position(|template| template.id == id);
    index
        .map(|index| templates.swap_remove(index))
        .ok_or_else(|| Failure::not_found(format!("there is no template {wanted:?}")))
}

/// Templates, one a row.
fn table(templates: &[Template]) -> Table {
    let mut table = Table::new([
        Column::fixed("TYPE"),
        Column::fixed("PRIORITY"),
        Column::flexible("LABELS"),
        Column::flexible("NAME"),
    ]);
    for template in templates {
        table.row([
            name(&template.item_type).into(),
            option(template.priority.as_ref().map(name).as_deref()).into(),
            list(&template.labels).into(),
            template.name.as_str().into(),
        ]);
    }
    table
}
