//! `svc comment delete`.

use super::which::Which;
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Delete a comment. Replies to it stay.
///
/// You can delete your own comments, and as a project Admin those of others.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc comment delete PRJ-12 0193a6e5-...
  svc comment delete PRJ-12 0193a6e5-... --yes")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, key) = (session.org_slug().await?, args.which.key.to_string());
    let org = session.org(&slug);
    let comment = args.which.find(&slug, session).await?;
    let author = comment.author.name;
    args.confirm.sure(&format!("Delete the comment of {author} on {key}?"), session.output)?;
    org.delete_comment(&key, &comment.id).await?;
    session.output.say(&format!("deleted the comment of {author} on {key}"));
    Ok(())
}
