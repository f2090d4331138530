//! What the commands of this noun share: how they name a thing and how they show it.

use crate::commands::in_project::InProject;
use crate::commands::named::{Named, resolve};
use crate::failure::Failure;
use crate::output::{Cell, Column, Table};
use crate::session::Session;
use svc_api::tracker::Label;

/// A label and its project.
#[derive(clap::Args)]
pub(super) struct Which {
    /// Name of the label, in any case
    #[arg(value_name = "LABEL")]
    pub(super) label: String,
    #[command(flatten)]
    pub(super) project: InProject,
}

impl Which {
    /// The label, defined or merely in use.
    pub(super) async fn find(&self, org: &str, session: &Session<'_>) -> Result<Label, Failure> {
        let mut labels = session.org(org).labels(self.project.key(session).await?.as_str()).await?;
        let all: Vec<_> = labels.iter().map(|label| Named { id: &label.name, name: &label.name }).collect();
        let name = resolve("label", &self.label, &all, true)?;
        let index = labels.iter().position(|label| label.name == name);
        index
            .map(|index| labels.swap_remove(index))
            .ok_or_else(|| Failure::not_found(format!("there is no label {:?}", self.label)))
    }
}

/// How many items something is on.
pub(super) fn on_items(count: u64) -> String {
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
pub(super) fn table(labels: &[Label]) -> Table {
    let mut table = Table::new([
        Column::flexible("NAME"),
        Column::fixed("COLOR"),
        Column::fixed("ITEMS"),
        Column::flexible("DESCRIPTION"),
    ]);
    for label in labels {
        table.row([
            label.name.as_str().into(),
            painted(&label.color),
            label.items.to_string().into(),
            label.description.as_str().into(),
        ]);
    }
    table
}
