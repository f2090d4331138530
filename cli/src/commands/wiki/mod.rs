//! `svc wiki`.

mod access;
mod delete;
mod deleted;
mod diff;
mod get;
mod move_to;
mod put;
mod restore;
mod tree;
mod undelete;
mod versions;

use clap::Subcommand;
use svc_api::wiki::WikiPage;
use svc_domain::ids::ProjectKey;
use svc_domain::wiki::PagePath;

use crate::args::{page_path, project_key};
use crate::failure::Failure;
use crate::output::{Column, Table};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    Tree(tree::Args),
    Get(get::Args),
    Put(put::Args),
    Move(move_to::Args),
    Versions(versions::Args),
    Diff(diff::Args),
    Restore(restore::Args),
    Access(access::Args),
    Delete(delete::Args),
    Deleted(deleted::Args),
    Undelete(undelete::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::Tree(args) => tree::run(args, session).await,
        Command::Get(args) => get::run(args, session).await,
        Command::Put(args) => put::run(args, session).await,
        Command::Move(args) => move_to::run(args, session).await,
        Command::Versions(args) => versions::run(args, session).await,
        Command::Diff(args) => diff::run(args, session).await,
        Command::Restore(args) => restore::run(args, session).await,
        Command::Access(args) => access::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
        Command::Deleted(args) => deleted::run(args, session).await,
        Command::Undelete(args) => undelete::run(args, session).await,
    }
}

/// Which page.
#[derive(clap::Args)]
struct At {
    /// Key of the project
    #[arg(value_name = "PROJECT_KEY", value_parser = project_key)]
    project: ProjectKey,
    /// Names from the root to the page, separated by /
    #[arg(value_name = "PAGE_PATH", value_parser = page_path)]
    path: PagePath,
}

impl At {
    /// Key of the project and path of the page.
    fn names(&self) -> (&str, &str) {
        (self.project.as_str(), self.path.as_str())
    }
}

fn show(page: &WikiPage, session: &Session<'_>) -> Result<(), Failure> {
    if session.output.json { session.output.json(page) } else { session.output.table(&table(page)) }
}

/// A page that was written.
fn table(page: &WikiPage) -> Table {
    let mut table = Table::new([Column::fixed("VERSION"), Column::flexible("PATH")]);
    table.row([page.version.to_string().into(), page.path.as_str().into()]);
    table
}
