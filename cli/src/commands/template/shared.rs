//! What the commands of this noun share: how they name a thing and how they show it.

use crate::commands::in_project::InProject;
use crate::commands::named::{Named, resolve};
use crate::failure::Failure;
use crate::output::{Column, Table, list, name, option};
use crate::session::Session;
use svc_api::tracker::Template;
use svc_domain::ids::ProjectKey;

/// A template and its project.
#[derive(clap::Args)]
pub(super) struct Which {
    /// Name, in any case, or id of the template
    #[arg(value_name = "TEMPLATE")]
    pub(super) template: String,
    #[command(flatten)]
    pub(super) project: InProject,
}

impl Which {
    pub(super) async fn find(&self, org: &str, session: &Session<'_>) -> Result<Template, Failure> {
        find(&self.template, &self.project.key(session).await?, org, session).await
    }
}

/// The template of a project that `wanted` means, by name or id.
pub(in crate::commands) async fn find(
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
pub(super) fn table(templates: &[Template]) -> Table {
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
