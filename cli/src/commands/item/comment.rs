//! `svc item comment`.

use std::path::PathBuf;

use clap::ArgGroup;
use svc_api::tracker::{Comment, NewComment};
use svc_domain::ids::ItemKey;

use super::mentions;
use crate::commands::files::given;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::{Column, Table, when};
use crate::session::Session;

/// Comment on an item.
#[derive(clap::Args)]
#[command(
    group = ArgGroup::new("said").args(Text::ARGS).required(true),
    override_usage = "svc item comment <ITEM_KEY> -m <TEXT> [--reply-to <COMMENT_ID>]
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
    /// Comment that it answers
    #[arg(long, value_name = "COMMENT_ID")]
    reply_to: Option<String>,
    /// Write nothing; show what the agents that it mentions would do
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
    /// Names of its arguments.
    const ARGS: [&str; 2] = ["message", "body_file"];

    /// What was given.
    pub(in crate::commands) fn read(self) -> Result<Option<String>, Failure> {
        given(self.message, self.body_file)
    }
}

pub(in crate::commands) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let new = NewComment {
        body: args.text.read()?.unwrap_or_default(),
        reply_to: args.reply_to,
        attachments: vec![],
    };
    let org = session.org_slug().await?;
    if args.dry_run {
        return mentions::preview(&args.key, new, &org, session).await;
    }
    let comment = session.org(&org).comment(&args.key.to_string(), &new).await?;
    if session.output.json {
        return session.output.json(&comment);
    }
    session.output.table(&comment_table(&comment))
}

/// A comment that was written.
pub(in crate::commands) fn comment_table(comment: &Comment) -> Table {
    let mut table = Table::new([Column::fixed("ID"), Column::fixed("WRITTEN"), Column::flexible("AUTHOR")]);
    table.row([
        comment.id.as_str().into(),
        when(comment.created_at).into(),
        comment.author.name.as_str().into(),
    ]);
    table
}
