//! What people look for who want an item closed: it is moved to a state of the group closed.

use svc_api::tracker::StateGroup;
use svc_domain::ids::ItemKey;

use crate::failure::Failure;
use crate::keys::item_key;
use crate::session::Session;

/// Say how an item is closed.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc item move PRJ-12 --state Closed")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
}

pub(super) async fn close(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    instead("an item is closed by moving it to a closed state", &args.key, session).await
}

/// Fails with the moves that lead the item to its end.
async fn instead(why: &str, key: &ItemKey, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let org = session.org(&slug);
    let item = org.item(&key.to_string()).await?;
    let workflow = org.workflow(key.project.as_str()).await?;
    let moves: Vec<_> =
        workflow.moves.iter().filter(|step| step.from == item.state).map(|step| step.to.as_str()).collect();
    let closed = workflow.states.iter().filter(|state| state.group == StateGroup::Closed);
    let closed: Vec<_> = closed.map(|state| state.name.as_str()).collect();
    let failure = Failure::rejected(why.to_owned()).detail(format!(
        "closed states of {}: {}; {key} is {} and can go to {}",
        key.project,
        closed.join(", "),
        item.state,
        moves.join(", ")
    ));
    let next = closed.iter().find(|name| moves.contains(name)).or(moves.first());
    Err(match next {
        Some(state) => failure.hint(format!("`svc item move {key} --state '{state}'`")),
        None => failure,
    })
}
