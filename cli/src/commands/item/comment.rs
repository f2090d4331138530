//! `svc item comment`.

use std::path::PathBuf;

use svc_api::tracker::{Comment, MentionOutcome, MentionReach, NewComment};
use svc_domain::ids::ItemKey;

use super::comment_id::comment_id;
use super::mentions;
use crate::commands::files;
use crate::editor::{self, Draft, Purpose};
use crate::failure::Failure;
use crate::keeping;
use crate::keys::item_key;
use crate::output::{Column, Table, is_for_agent, when};
use crate::session::Session;

/// How the text is given without an editor.
const BY_OPTION: &str = "give the text with --message or --body-file";

/// Comment on an item. At a terminal, it opens your editor if you give no text.
#[derive(clap::Args)]
#[command(
    override_usage = "svc item comment <ITEM_KEY> [-m <TEXT>] [--reply-to <COMMENT_ID>]
       svc item comment <ITEM_KEY> --body-file <PATH> [--reply-to <COMMENT_ID>]",
    after_help = "\
Examples:
  svc item comment PRJ-12 -m 'Reproduced on the main branch.'
  git log -1 --format=%B | svc item comment PRJ-12 --body-file -
  svc item comment PRJ-12 -m '@robin please add a test' --dry-run"
)]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    #[command(flatten)]
    text: Text,
    /// Comment to reply to: its id, or the start or end of the id
    #[arg(long, value_name = "COMMENT_ID")]
    reply_to: Option<String>,
    /// Write nothing; show what the mentioned agents would do
    #[arg(long)]
    dry_run: bool,
}

/// What a comment says.
#[derive(clap::Args)]
#[group(multiple = false)]
pub(in crate::commands) struct Text {
    /// Text in Markdown
    #[arg(short, long, visible_alias = "body", value_name = "TEXT", allow_hyphen_values = true)]
    message: Option<String>,
    /// File with the text; - reads stdin
    #[arg(long, value_name = "PATH")]
    body_file: Option<PathBuf>,
}

impl Text {
    /// The file that it is in, if it is in one.
    pub(in crate::commands) fn path(&self) -> Option<PathBuf> {
        self.body_file.clone()
    }

    /// The text that was given, if any was.
    pub(in crate::commands) fn given(self) -> Result<Option<String>, Failure> {
        files::given(self.message, self.body_file)
    }
}

pub(in crate::commands) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Args { key, text, reply_to, dry_run } = args;
    let (path, given) = (text.path(), text.given()?);
    let org = session.org_slug().await?;
    let reply_to = match reply_to {
        Some(wanted) => Some(comment_id(&wanted, &key, &org, session).await?),
        None => None,
    };
    let (body, draft) = match given {
        Some(text) => (text, None),
        None => {
            let draft = written(&key, reply_to.as_deref(), &org, session).await?;
            (draft.text.clone(), Some(draft))
        }
    };
    let new = NewComment { body, reply_to, attachments: vec![] };
    if dry_run {
        return mentions::preview(&key, new, &org, session).await;
    }
    let commenting = async { Ok(session.org(&org).comment(&key.to_string(), &new).await?) };
    let comment = match draft {
        Some(draft) => draft.saved(commenting).await?,
        None => commenting.await?,
    };
    keeping::used_up(path.as_deref(), None, session.output);
    show_written(&comment, session)
}

/// Shows a comment that was written, and says in a line whom its mentions reach, and why others reach nobody.
pub(in crate::commands) fn show_written(comment: &Comment, session: &Session<'_>) -> Result<(), Failure> {
    if session.output.json {
        return session.output.json(comment);
    }
    session.output.table(&table(comment))?;
    let line = reached(&comment.reach);
    if !line.is_empty() {
        session.output.say(&line);
    }
    Ok(())
}

fn reached(reach: &[MentionReach]) -> String {
    let of = |outcome| {
        let names = reach.iter().filter(move |one| one.outcome == outcome).map(|one| one.name.as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    let reached = [("Told", of(MentionOutcome::Told)), ("Asked for a run", of(MentionOutcome::Asked))];
    let reached = reached.into_iter().filter(|(_, names)| !names.is_empty());
    let mut line: Vec<String> = reached.map(|(what, names)| format!("{what}: {names}.")).collect();
    line.extend(reach.iter().filter_map(|one| one.reason.clone()));
    line.join(" ")
}

/// The text that a person at a terminal writes, if there is an item to comment on. A script gives its text.
async fn written(
    key: &ItemKey,
    reply_to: Option<&str>,
    org: &str,
    session: &Session<'_>,
) -> Result<Draft, Failure> {
    if !session.output.can_ask() || is_for_agent() {
        return Err(Failure::rejected("the comment is empty").hint(BY_OPTION));
    }
    session.org(org).item(&key.to_string()).await?;
    let answering = reply_to.map(|id| format!(" --reply-to {id}")).unwrap_or_default();
    let again = Some(format!("svc item comment {key}{answering} --body-file"));
    let purpose = Purpose { name: "comment", instead: BY_OPTION, again, begin: None, origin: None };
    let draft = editor::edit("", purpose, session.output).await?;
    draft.ok_or_else(|| Failure::rejected("nothing was entered; nothing was changed"))
}

fn table(comment: &Comment) -> Table {
    let mut table = Table::new([Column::fixed("ID"), Column::fixed("WRITTEN"), Column::flexible("AUTHOR")]);
    table.row([
        comment.id.as_str().into(),
        when(comment.created_at).into(),
        comment.author.name.as_str().into(),
    ]);
    table
}
