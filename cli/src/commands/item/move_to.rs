//! `svc item move`: reads the item's version, then moves it under that version.

use svc_api::Patch;
use svc_api::tracker::{MoveItem, Transition};
use svc_domain::ids::ItemKey;

use crate::commands::sprint;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::{More, is_for_agent, one_line};
use crate::session::Session;
use crate::values::OrNone;

/// Move an item to another workflow state, into a sprint, or to another place in the order.
///
/// When an item moves to a sprint, its subtasks move too. --after places the item right after another one. At a
/// terminal, it asks for the state if you name nothing.
#[derive(clap::Args)]
#[command(
    override_usage = "svc item move <ITEM_KEY> <STATE>
       svc item move <ITEM_KEY> --sprint <SPRINT> [--after <ITEM_KEY>]",
    after_help = "\
Examples:
  svc item move PRJ-12 'In review'
  svc item move PRJ-12 --sprint 'Sprint 12'
  svc item move PRJ-12 --sprint current --after PRJ-7
  svc item move PRJ-12 --sprint none"
)]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    #[command(flatten)]
    to: To,
}

#[derive(clap::Args)]
#[group(multiple = true)]
struct To {
    /// Name of the state, in any case
    #[arg(value_name = "STATE", conflicts_with_all = ["state", "sprint", "after"])]
    into: Option<String>,
    /// The same
    #[arg(long, value_name = "NAME", conflicts_with_all = ["sprint", "after"])]
    state: Option<String>,
    /// Name or id of the sprint; current for the active one; none for the backlog
    #[arg(long, value_name = "SPRINT")]
    sprint: Option<OrNone<String>>,
    /// Item to place it after; with --sprint, an item of that sprint
    #[arg(long, value_name = "ITEM_KEY", value_parser = item_key)]
    after: Option<ItemKey>,
}

/// The state that a person at a terminal names, of those that the item may move to.
async fn asked(key: &ItemKey, org: &str, session: &Session<'_>) -> Result<String, Failure> {
    let page = session.org(org).item_page(&key.to_string()).await?;
    let now = one_line(&page.item.of.state);
    let states: Vec<_> = page.moves.iter().map(|state| one_line(&state.name)).collect();
    if states.is_empty() {
        return Err(Failure::conflict(format!(
            "{key} is in {now:?}, and you cannot move it to any other state"
        ))
        .hint(format!("see the states and moves with `svc workflow view -p {}`", key.project)));
    }
    let answer = session.output.ask(&format!("{key} is in {now:?}. New state ({}): ", states.join(", ")))?;
    if answer.is_empty() {
        return Err(Failure::rejected("nothing was entered; nothing was changed"));
    }
    Ok(answer)
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let To { mut into, state, sprint, after } = args.to;
    let nothing = into.is_none() && state.is_none() && sprint.is_none() && after.is_none();
    if nothing && (!session.output.can_ask() || is_for_agent()) {
        let hint = format!(
            "name a state, which `svc workflow view -p {}` lists, or give --sprint or --after",
            args.key.project
        );
        return Err(Failure::rejected(format!("no target was given for {}", args.key)).hint(hint));
    }
    let org = session.org_slug().await?;
    if nothing {
        into = Some(asked(&args.key, &org, session).await?);
    }
    let key = &args.key.to_string();
    let version = session.org(&org).item(key).await?.version;
    let columns: &[More] = if sprint.is_some() { &[More::Sprint] } else { &[] };
    let mut called = None;
    let mut item = match into.or(state) {
        Some(state) => session.org(&org).transition(key, &Transition { version, state }).await?,
        None => {
            let sprint = match sprint {
                None => Patch::Keep,
                Some(OrNone::None) => Patch::Clear,
                Some(OrNone::Some(wanted)) => {
                    let id = sprint::find(&wanted, &args.key.project, &org, session).await?;
                    // The id alone says little to a person.
                    called = session.org(&org).sprint(&id).await.ok().map(|sprint| sprint.name);
                    Patch::Set(id)
                }
            };
            let after = after.map_or(Patch::Keep, |after| Patch::Set(after.to_string()));
            session
                .org(&org)
                .move_item(key, &MoveItem { version, sprint, after, ..MoveItem::default() })
                .await?
        }
    };
    if !session.output.json && item.sprint.is_some() {
        item.sprint = called.or(item.sprint);
    }
    super::shared::show_with(columns, &item, session)
}
