//! What the commands of this noun share: how they name an intake and how they show it.

use svc_api::tracker::{Intake, IntakeMapping, IntakeWithAddress};

use crate::commands::in_project::InProject;
use crate::commands::named::{Named, resolve};
use crate::failure::Failure;
use crate::output::{Column, Table, yes};
use crate::session::Session;

/// An intake and its project.
#[derive(clap::Args)]
pub(super) struct Which {
    /// Name, in any case, or id of the intake
    #[arg(value_name = "INTAKE")]
    intake: String,
    #[command(flatten)]
    pub(super) project: InProject,
}

impl Which {
    pub(super) async fn find(&self, org: &str, session: &Session<'_>) -> Result<Intake, Failure> {
        let project = self.project.key(session).await?;
        let mut intakes = session.org(org).intakes(project.as_str()).await?;
        let all: Vec<_> = intakes.iter().map(|one| Named { id: &one.id, name: &one.name }).collect();
        let id = resolve("intake", &self.intake, &all, true)?;
        let index = intakes.iter().position(|one| one.id == id);
        index
            .map(|index| intakes.swap_remove(index))
            .ok_or_else(|| Failure::not_found(format!("there is no intake {:?}", self.intake)))
    }
}

/// Which fields of a report are what. Given together, they replace all that were given before.
pub(super) fn mapping(
    title: Option<String>,
    body: Option<String>,
    labels: Option<String>,
    key: Option<String>,
) -> Option<IntakeMapping> {
    let mapping = IntakeMapping { title, body, labels, key };
    (mapping != IntakeMapping::default()).then_some(mapping)
}

/// Intakes, one a row.
pub(super) fn table(intakes: &[Intake]) -> Table {
    let mut table = Table::new([
        Column::flexible("NAME"),
        Column::fixed("COMMENTS REPEATS"),
        Column::fixed("COMMENTS RESOLVED"),
        Column::fixed("CLOSES RESOLVED"),
        Column::fixed("DISABLED"),
        Column::flexible("SAVED BY"),
    ]);
    for intake in intakes {
        table.row([
            intake.name.as_str().into(),
            yes(intake.comments_repeats).into(),
            yes(intake.comments_resolved).into(),
            yes(intake.closes_resolved).into(),
            yes(intake.disabled).into(),
            intake.saved_by.name.as_str().into(),
        ]);
    }
    table
}

/// Prints an address that is shown once: alone to stdout, what was done to stderr.
pub(super) fn show_address(
    did: &str,
    made: &IntakeWithAddress,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let output = session.output;
    if output.json {
        return output.json(made);
    }
    output.line(&made.url)?;
    output.say(&format!("{did} the intake {:?}. Its address is shown only this once.", made.intake.name));
    Ok(())
}
