//! `svc item watch`, `svc item unwatch` and `svc item watchers`.

use svc_domain::ids::ItemKey;

use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::{Column, Table};
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
    if session.output.json {
        return session.output.json(&watchers);
    }
    if watchers.is_empty() {
        session.output.say(&format!("Nobody watches {key}."));
        return Ok(());
    }
    let mut table = Table::new([Column::flexible("NAME")]);
    for watcher in &watchers {
        let agent = if watcher.agent { " (agent)" } else { "" };
        table.row([format!("{}{agent}", watcher.name).into()]);
    }
    session.output.table(&table)
}
