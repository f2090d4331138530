//! `svc item move`: reads the item's version, then moves it under that version.

use svc_api::Patch;
use svc_api::tracker::{Item, MoveItem, Transition, WorkflowState};
use svc_domain::ids::ItemKey;

use super::each::each;
use super::through;
use crate::commands::sprint;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::{More, is_for_agent, one_line};
use crate::session::Session;
use crate::values::OrNone;

/// Move items to another workflow state, into a sprint, or to another place in the order.
///
/// When an item moves to a sprint, its subtasks move too. --after places the item right after another one. At a
/// terminal, it asks for the state if you name nothing. If the workflow has no direct move to the state, --through makes
/// the moves in between too.
#[derive(clap::Args)]
#[command(
    override_usage = "svc item move [OPTIONS] <ITEM_KEY>... <STATE>
       svc item move [OPTIONS] <ITEM_KEY>... --sprint <SPRINT> [--after <ITEM_KEY>]",
    after_help = "\
Examples:
  svc item move PRJ-12 'In review'
  svc item move PRJ-12 PRJ-13 Closed --through
  svc item move PRJ-12 --sprint 'Sprint 12'
  svc item move PRJ-12 --sprint current --after PRJ-7
  svc item move PRJ-12 --sprint none"
)]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// More keys, and the name of the state, in any case
    #[arg(id = "rest", value_names = ["STATE"], num_args = 0..)]
    rest: Vec<String>,
    /// The name of the state, too
    #[arg(long, value_name = "NAME", conflicts_with_all = ["sprint", "after"])]
    state: Option<String>,
    /// Move it through other states if the workflow requires that
    #[arg(long, conflicts_with_all = ["sprint", "after"])]
    through: bool,
    /// Name or id of the sprint; current for the active one; none for the backlog
    #[arg(long, value_name = "SPRINT")]
    sprint: Option<OrNone<String>>,
    /// Item to place it after; with --sprint, an item of that sprint
    #[arg(long, value_name = "ITEM_KEY", value_parser = item_key)]
    after: Option<ItemKey>,
}

impl Args {
    /// The keys of the items, and the state that is named after them or by its option.
    fn named(&self) -> Result<(Vec<ItemKey>, Option<String>), Failure> {
        let (mut keys, mut state) = (vec![self.key.clone()], self.state.clone());
        for (index, word) in self.rest.iter().enumerate() {
            match item_key(word) {
                Ok(key) => keys.push(key),
                Err(_) if index + 1 == self.rest.len() && state.is_none() && self.is_to_state() => {
                    state = Some(word.clone());
                }
                Err(wrong) => return Err(Failure::rejected(format!("{word:?}: {wrong}"))),
            }
        }
        Ok((keys, state))
    }

    const fn is_to_state(&self) -> bool {
        self.sprint.is_none() && self.after.is_none()
    }
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
    let (keys, mut state) = args.named()?;
    let nothing = state.is_none() && args.is_to_state();
    if nothing && (keys.len() > 1 || !session.output.can_ask() || is_for_agent()) {
        let hint = format!(
            "name a state, which `svc workflow view -p {}` lists, or give --sprint or --after",
            args.key.project
        );
        return Err(Failure::rejected(format!("no target was given for {}", args.key)).hint(hint));
    }
    let org = session.org_slug().await?;
    if nothing {
        state = Some(asked(&args.key, &org, session).await?);
    }
    if let Some(state) = state {
        let to_state = async |key: &ItemKey| to_state(key, &state, args.through, &org, session).await;
        return each(&keys, &[], session, to_state).await;
    }
    let columns: &[More] = if args.sprint.is_some() { &[More::Sprint] } else { &[] };
    each(&keys, columns, session, async |key| to_place(key, &args, &org, session).await).await
}

async fn to_state(
    key: &ItemKey,
    state: &str,
    through: bool,
    org: &str,
    session: &Session<'_>,
) -> Result<Item, Failure> {
    let item = session.org(org).item(&key.to_string()).await?;
    if through {
        let wanted = |known: &WorkflowState| known.name.to_lowercase() == state.to_lowercase();
        let what = format!("{state:?}");
        return through::go(item, wanted, (&what, ""), true, org, session).await;
    }
    let step = Transition { version: item.version, state: state.to_owned() };
    Ok(session.org(org).transition(&item.key, &step).await?)
}

/// Moves an item into a sprint, or to another place in the order.
async fn to_place(key: &ItemKey, args: &Args, org: &str, session: &Session<'_>) -> Result<Item, Failure> {
    let version = session.org(org).item(&key.to_string()).await?.version;
    let mut called = None;
    let sprint = match &args.sprint {
        None => Patch::Keep,
        Some(OrNone::None) => Patch::Clear,
        Some(OrNone::Some(wanted)) => {
            let id = sprint::find(wanted, &key.project, org, session).await?;
            // The id alone says little to a person.
            called = session.org(org).sprint(&id).await.ok().map(|sprint| sprint.name);
            Patch::Set(id)
        }
    };
    let after = args.after.as_ref().map_or(Patch::Keep, |after| Patch::Set(after.to_string()));
    let moved = MoveItem { version, sprint, after, ..MoveItem::default() };
    let mut item = session.org(org).move_item(&key.to_string(), &moved).await?;
    if !session.output.json && item.sprint.is_some() {
        item.sprint = called.or(item.sprint);
    }
    Ok(item)
}
