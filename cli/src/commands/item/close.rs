//! `svc item close` and `svc item reopen`: an item goes to a closed state and back, by the moves that the workflow permits.

use svc_api::tracker::{StateGroup, WorkflowState};
use svc_domain::ids::ItemKey;

use super::shared::show;
use super::through;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::session::Session;

/// Close an item: move it to a closed state.
///
/// If the workflow has no direct move to a closed state, nothing is changed, and the error names the moves in between
/// (exit code 3). With --through, svc makes those moves too. Rules that hand items in these states to agents then
/// apply.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc item close PRJ-12
  svc item close PRJ-12 --through")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// Move it through other states if the workflow requires that
    #[arg(long)]
    through: bool,
}

/// Reopen an item that is resolved or closed: move it to the nearest state of open work.
///
/// If the workflow has no direct move to such a state, nothing is changed, and the error names the moves in between
/// (exit code 3). With --through, svc makes those moves too.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc item reopen PRJ-12
  svc item reopen PRJ-12 --through")]
pub(crate) struct ReopenArgs {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// Move it through other states if the workflow requires that
    #[arg(long)]
    through: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Args { key, through } = args;
    let closed = |state: &WorkflowState| state.group == StateGroup::Closed;
    go(&key, closed, ["close", "a closed state", "is closed already"], through, session).await
}

pub(super) async fn reopen(args: ReopenArgs, session: &Session<'_>) -> Result<(), Failure> {
    let ReopenArgs { key, through } = args;
    let open = |state: &WorkflowState| matches!(state.group, StateGroup::Backlog | StateGroup::Active);
    go(&key, open, ["reopen", "an open state", "is open already"], through, session).await
}

async fn go(
    key: &ItemKey,
    wanted: impl Fn(&WorkflowState) -> bool,
    [verb, what, already]: [&str; 3],
    through: bool,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let item = session.org(&org).item(&key.to_string()).await?;
    let (version, command) = (item.version, format!("svc item {verb} {key}"));
    let item = through::go(item, wanted, (what, &command), through, &org, session).await?;
    if item.version == version {
        session.output.say(&format!("{key} {already}."));
    }
    show(&item, session)
}
