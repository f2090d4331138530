//! `svc comment react`.

use svc_api::tracker::AddReaction;

use super::which::Which;
use crate::failure::Failure;
use crate::session::Session;

/// React to a comment with an emoji, or remove your reaction.
///
/// The instance supports six emojis. Reacting twice with the same emoji does no harm.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc comment react PRJ-12 0193a6e5-... 👍
  svc comment react PRJ-12 0193a6e5-... 👍 --remove")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// The emoji
    #[arg(value_name = "EMOJI")]
    emoji: String,
    /// Remove your reaction
    #[arg(long)]
    remove: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Args { which, emoji, remove } = args;
    let (slug, key) = (session.org_slug().await?, which.key.to_string());
    let id = which.id(&slug, session).await?;
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
