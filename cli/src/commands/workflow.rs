//! `svc workflow` (specification section 3.6).

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Subcommand;
use serde::Deserialize;
use svc_api::tracker::{SetWorkflow, SetWorkflowMove, Workflow, WorkflowState};

use crate::commands::files::read_text;
use crate::commands::in_project::InProject;
use crate::failure::Failure;
use crate::output::{Table, joined, name};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Show a project's workflow: its states in board order, and the permitted moves.
    ///
    /// With --json, it prints the format that `svc workflow edit` reads.
    #[command(after_help = "\
Examples:
  svc workflow view -p PRJ
  svc workflow view -p PRJ --json > workflow.json")]
    View(InProject),
    Edit(EditArgs),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::View(project) => view(project, session).await,
        Command::Edit(args) => edit(args, session).await,
    }
}

async fn view(project: InProject, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, project.key(session).await?);
    let workflow = session.org(&org).workflow(project.as_str()).await?;
    show(&workflow, session)
}

/// Replace a project's workflow.
///
/// Start from the output of `svc workflow view --json`. New items start in the first state. To rename or remove a
/// state that has items, name their new state with --move-items. If someone else saved in the meantime, nothing is
/// changed (exit code 3).
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc workflow view -p PRJ --json > workflow.json
  svc workflow edit -p PRJ --file workflow.json
  svc workflow edit -p PRJ --file workflow.json --move-items 'In review=Review' --move-items 'QA=Review'")]
pub(crate) struct EditArgs {
    #[command(flatten)]
    project: InProject,
    /// File with the workflow in JSON; - reads stdin
    #[arg(long, value_name = "PATH")]
    file: PathBuf,
    /// New state for the items of a renamed or removed state; may be repeated
    #[arg(long, value_name = "OLD=NEW")]
    move_items: Vec<Replaced>,
    /// Replace the current workflow even if the file names no version, or has no moves
    #[arg(long)]
    force: bool,
}

/// A state and the one that takes its place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Replaced {
    from: String,
    to: String,
}

/// A workflow as a person edited it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Edited {
    version: Option<u64>,
    states: Vec<WorkflowState>,
    moves: Vec<SetWorkflowMove>,
}

async fn edit(args: EditArgs, session: &Session<'_>) -> Result<(), Failure> {
    let Edited { version, states, moves } = read(&args.file)?;
    if moves.is_empty() && states.len() > 1 && !args.force {
        let stuck = format!("the file has no moves, so items could not leave {:?}", states[0].name);
        return Err(Failure::rejected(stuck).hint(
            "add moves such as {\"from\": \"Backlog\", \"to\": \"In progress\"}, or repeat with --force",
        ));
    }
    let org = session.org_slug().await?;
    let (org, key) = (session.org(&org), args.project.key(session).await?);
    let project = key.as_str();
    let version = match version {
        Some(version) => version,
        None if args.force => org.workflow(project).await?.version,
        None => {
            return Err(Failure::rejected("the file does not say which version of the workflow it is based on")
                .hint("keep the version that `svc workflow view --json` prints, or overwrite the workflow with --force"));
        }
    };
    let replaced = |Replaced { from, to }| SetWorkflowMove { from, to };
    let move_items = args.move_items.into_iter().map(replaced).collect();
    let set = SetWorkflow { version, states, moves, move_items };
    let workflow = match org.set_workflow(project, &set).await {
        Ok(workflow) => workflow,
        Err(error) if error.status() == Some(409) => {
            return Err(Failure::from(error).hint(format!(
                "the file is based on version {version}; start again from `svc workflow view -p {key} --json`"
            )));
        }
        Err(error) => return Err(error.into()),
    };
    show(&workflow, session)?;
    for state in unreachable(&workflow) {
        session.output.warn(&format!("no move leads to the state {state:?}, so no item can get there"));
    }
    Ok(())
}

/// States but the first, in which new items start, that no move leads to.
fn unreachable(workflow: &Workflow) -> impl Iterator<Item = &str> {
    let reached = |name: &str| workflow.moves.iter().any(|step| step.to == name);
    workflow.states.iter().skip(1).map(|state| state.name.as_str()).filter(move |name| !reached(name))
}

fn read(path: &Path) -> Result<Edited, Failure> {
    serde_json::from_str(&read_text(path)?).map_err(|error| {
        Failure::rejected(format!("the file is not a workflow: {error}"))
            .hint("start from the output of `svc workflow view --json`")
    })
}

impl FromStr for Replaced {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((from, to)) if !from.trim().is_empty() && !to.trim().is_empty() => {
                Ok(Self { from: from.trim().to_owned(), to: to.trim().to_owned() })
            }
            _ => Err("write the old state and the new one as 'Old=New'".to_owned()),
        }
    }
}

/// The states in board order, one a row, with where items may go from each.
fn show(workflow: &Workflow, session: &Session<'_>) -> Result<(), Failure> {
    if session.output.json {
        return session.output.json(workflow);
    }
    let table = Table::of(&workflow.states)
        .fixed("STATE", |state| state.name.as_str())
        .fixed("GROUP", |state| name(&state.group))
        .flexible("ITEMS MAY GO TO", |state| {
            let reached: Vec<_> =
                workflow.moves.iter().filter(|m| m.from == state.name).map(|m| m.to.clone()).collect();
            joined(&reached)
        })
        .end();
    session.output.table(&table)
}

#[cfg(test)]
mod tests {
    use super::Replaced;

    #[test]
    fn the_old_state_and_the_new_one_are_both_named() {
        let expected = Replaced { from: "In review".into(), to: "Review".into() };
        assert_eq!("In review = Review".parse(), Ok(expected));
        for text in ["", "Review", "=Review", "Review="] {
            assert!(text.parse::<Replaced>().is_err(), "{text:?}");
        }
    }
}
