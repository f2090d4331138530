//! `svc sprint`.

mod complete;
mod create;
mod delete;
mod edit;
mod list;
mod start;
mod view;

use clap::Subcommand;
use svc_api::tracker::{Sprint, Work};

use crate::failure::Failure;
use crate::output::{Pairs, name, when};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    View(view::Args),
    Create(create::Args),
    Edit(edit::Args),
    Start(start::Args),
    Complete(complete::Args),
    Delete(delete::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::View(args) => view::run(args, session).await,
        Command::Create(args) => create::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Start(args) => start::run(args, session).await,
        Command::Complete(args) => complete::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
    }
}

/// What is left to do, of what was estimated.
fn left(work: Work) -> String {
    format!("{} of {}", work.remaining, work.estimate)
}

/// How many items are unfinished, of all.
fn open(work: Work) -> String {
    format!("{} of {}", work.unfinished, work.items)
}

fn show(sprint: &Sprint, session: &Session<'_>) -> Result<(), Failure> {
    if session.output.json { session.output.json(sprint) } else { session.output.pairs(&pairs(sprint)) }
}

fn pairs(sprint: &Sprint) -> Pairs {
    let mut pairs = Pairs::default();
    pairs.add("id", sprint.id.as_str());
    pairs.add("name", sprint.name.as_str());
    pairs.maybe("goal", Some(sprint.goal.as_str()).filter(|goal| !goal.is_empty()));
    pairs.add("state", name(&sprint.state));
    pairs.add("project", sprint.project.as_str());
    pairs.add("team", format!("{} ({})", sprint.team.key, sprint.team.name));
    pairs.maybe("first day", sprint.start.map(|day| day.to_string()));
    pairs.maybe("last day", sprint.end.map(|day| day.to_string()));
    pairs.maybe("capacity", sprint.capacity.map(|capacity| capacity.to_string()));
    pairs.add("unfinished", open(sprint.work));
    pairs.add("left", left(sprint.work));
    pairs.maybe("started", sprint.started_at.map(when));
    if let Some(completion) = &sprint.completion {
        pairs.add("completed", format!("{} by {}", when(completion.at), completion.by.name));
        pairs.add("unfinished to", completion.unfinished_to.as_deref().unwrap_or("backlog"));
    }
    pairs.add("version", sprint.version.to_string());
    pairs
}
