//! `svc item release`.

use svc_domain::ids::ItemKey;

use super::shared::{held, of_another};
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::session::Session;

/// Release an item's claim. Admins of the project can release the claims of others.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc item release PRJ-12
  svc item release PRJ-12 --yes")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let key = &args.key.to_string();
    if args.confirm.asks(session.output) {
        let item = session.org(&org).item(key).await?;
        if let Some(claim) = of_another(&item, session).await? {
            let question = format!("{} holds the claim on {key}. Release it?", held(claim));
            args.confirm.sure_on_terminal(&question, session.output)?;
        }
    }
    let item = session.org(&org).release(key).await?;
    super::shared::show(&item, session)
}
