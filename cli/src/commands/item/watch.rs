//! `svc item watch`, `svc item unwatch` and `svc item watchers`.

use svc_domain::ids::ItemKey;

use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::Table;
use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
}

pub(in crate::commands) async fn set(args: Args, watch: bool, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, key) = (session.org_slug().await?, args.key.to_string());
    let org = session.org(&slug);
    match watch {
        true => org.watch(&key).await?,
        false => org.unwatch(&key).await?,
    }
    session.output.say(&format!("you {} {key}", if watch { "watch" } else { "no longer watch" }));
    Ok(())
}

pub(super) async fn list(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, key) = (session.org_slug().await?, args.key.to_string());
    let watchers = session.org(&org).watchers(&key).await?;
    session.output.all(&watchers, &format!("Nobody watches {key}."), |watchers| {
        Table::of(watchers)
            .flexible("NAME", |watcher| {
                let agent = if watcher.agent { " (agent)" } else { "" };
                format!("{}{agent}", watcher.name)
            })
            .end()
    })
}
