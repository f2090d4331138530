//! `svc comment react`.

use svc_api::tracker::AddReaction;
use svc_domain::ids::ItemKey;

use crate::failure::Failure;
use crate::keys::item_key;
use crate::session::Session;

/// React to a comment with an emoji, or remove your reaction.
///
/// The instance knows six emojis. Repeating it does no harm.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc comment react PRJ-12 0193a6e5-... 👍
  svc comment react PRJ-12 0193a6e5-... 👍 --remove")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// Id of the comment
    #[arg(value_name = "COMMENT_ID")]
    id: String,
    /// The emoji
    #[arg(value_name = "EMOJI")]
    emoji: String,
    /// Take your reaction back
    #[arg(long)]
    remove: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Args { key, id, emoji, remove } = args;
    let (slug, key) = (session.org_slug().await?, key.to_string());
    let org = session.org(&slug);
    if remove {
        org.unreact(&key, &id, &emoji).await?;
    } else {
        org.react(&key, &id, &AddReaction { emoji: emoji.clone() }).await?;
    }
    let done = if remove { "took back" } else { "reacted with" };
    session.output.say(&format!("{done} {emoji}"));
    Ok(())
}
