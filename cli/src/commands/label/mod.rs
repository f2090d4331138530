//! `svc label`.

mod create;
mod delete;
mod edit;
mod list;

use clap::Subcommand;
use svc_api::tracker::Label;
use svc_domain::ids::ProjectKey;

use super::named::{Named, resolve};
use crate::args::project_key;
use crate::failure::Failure;
use crate::output::{Column, Table};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    Create(create::Args),
    Edit(edit::Args),
    Delete(delete::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::Create(args) => create::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
    }
}

/// A label and its project.
#[derive(clap::Args)]
struct Which {
    /// Name of the label, in any case
    #[arg(value_name = "LABEL")]
    label: String,
    /// Key of the project
    #[arg(short, long, value_name = "PROJECT_KEY", value_parser = project_key)]
    project: ProjectKey,
}

impl Which {
    /// The label, defined or merely in use.
    async fn find(&self, org: &str, session: &Session<'_>) -> Result<Label, Failure> {
        let mut labels = session.org(org).labels(self.project.as_str()).await?;
        let all: Vec<_> = labels.iter().map(|label| Named { id: &label.name, name: &label.name }).collect();
        let name = resolve("label", &self.label, &all, true)?;
        let index = labels.iter().position(|label| label.name == name);
        index
            .map(|index| labels.swap_remove(index))
            .ok_or_else(|| Failure::not_found(format!("there is no label {:?}", self.label)))
    }
}

/// How many items something is on.
fn on_items(count: u64) -> String {
    if count == 1 { "1 item".to_owned() } else { format!("{count} items") }
}

/// Labels, one a row.
fn table(labels: &[Label]) -> Table {
    let mut table = Table::new([
        Column::flexible("NAME"),
        Column::fixed("COLOR"),
        Column::fixed("ITEMS"),
        Column::flexible("DESCRIPTION"),
    ]);
    for label in labels {
        table.row([
            label.name.as_str().into(),
            label.color.as_str().into(),
            label.items.to_string().into(),
            label.description.as_str().into(),
        ]);
    }
    table
}
