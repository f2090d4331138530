//! What the commands of this noun share: how they name a view and how they show it.

use svc_api::tracker::SavedView;
use svc_domain::ids::ProjectKey;

use crate::commands::in_project::InProject;
use crate::commands::named::{Named, resolve};
use crate::failure::Failure;
use crate::output::{Column, Table, option, yes};
use crate::session::Session;

/// A view and its project.
#[derive(clap::Args)]
pub(super) struct Which {
    /// Name, in any case, or id of the view
    #[arg(value_name = "VIEW")]
    pub(super) view: String,
    #[command(flatten)]
    pub(super) project: InProject,
}

impl Which {
    pub(super) async fn find(&self, org: &str, session: &Session<'_>) -> Result<SavedView, Failure> {
        find(&self.view, &self.project.key(session).await?, org, session).await
    }
}

/// The view of a project that `wanted` means, by name or id. Of a view of your own and a shared one of the same name,
/// it is your own.
pub(in crate::commands) async fn find(
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
    let all: Vec<_> = views.iter().map(|view| Named { id: &view.id, name: &view.name }).collect();
    let id = resolve("view", wanted, &all, true)?;
    let index = views.iter().position(|view| view.id == id);
    index
        .map(|index| views.swap_remove(index))
        .ok_or_else(|| Failure::not_found(format!("there is no view {wanted:?}")))
}

/// Views, one a row.
pub(super) fn table(views: &[SavedView]) -> Table {
    let mut table = Table::new([
        Column::flexible("NAME"),
        Column::fixed("SHARED"),
        Column::flexible("BY").minor(),
        Column::fixed("SORT").minor(),
        Column::flexible("FILTER"),
    ]);
    for view in views {
        let words = view.q.as_ref().map(|words| format!("{words:?}"));
        let filter: Vec<&str> = [view.filter.as_str(), words.as_deref().unwrap_or_default()]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect();
        table.row([
            view.name.as_str().into(),
            yes(view.shared).into(),
            view.created_by.name.as_str().into(),
            option(view.sort.as_deref()).into(),
            option(Some(filter.join(" ")).filter(|text| !text.is_empty()).as_deref()).into(),
        ]);
    }
    table
}
