//! `svc comment edit`: reads the comment, then sends the new text under its version; without one it opens the text in the
//! person's editor.

use svc_api::tracker::EditComment;
use svc_domain::ids::ItemKey;

use crate::commands::item::{Text, comment_table};
use crate::editor::{self, Purpose};
use crate::failure::Failure;
use crate::keys::item_key;
use crate::session::Session;

/// How the text is given without an editor.
const BY_OPTION: &str = "give the text with --message or --body-file";

/// Change the text of your comment, in your editor where you give none.
///
/// It opens $SVC_EDITOR, $VISUAL or $EDITOR. If you leave the file as it was, or empty it, nothing is changed.
#[derive(clap::Args)]
#[command(
    override_usage = "svc comment edit <ITEM_KEY> <COMMENT_ID> [--message <TEXT>|--body-file <PATH>]",
    after_help = "\
Examples:
  svc comment edit PRJ-12 0193a6e5-...
  svc comment edit PRJ-12 0193a6e5-... -m 'Reproduced on the release branch.'"
)]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// Id of the comment
    #[arg(value_name = "COMMENT_ID")]
    id: String,
    #[command(flatten)]
    text: Text,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let body = args.text.given()?;
    let slug = session.org_slug().await?;
    let (org, key) = (session.org(&slug), &args.key.to_string());
    let before = org.view_comment(key, &args.id).await?;
    let send = async |body: String| {
        let edit = EditComment { version: before.version, body };
        Ok(org.edit_comment(key, &args.id, &edit).await?)
    };
    let comment = match body {
        Some(body) => send(body).await?,
        None => {
            let again = Some(format!("svc comment edit {key} {} --body-file", args.id));
            let purpose = Purpose { name: key, instead: BY_OPTION, again, begin: None };
            let draft = editor::edit(&before.body, purpose, session.output).await?;
            let Some(draft) = draft else { return Ok(()) };
            let body = draft.text.clone();
            draft.saved(send(body)).await?
        }
    };
    if session.output.json {
        return session.output.json(&comment);
    }
    session.output.table(&comment_table(&comment))
}
