//! `svc inbox read` and `svc inbox done`.

use svc_api::notifications::MarkNotification;

use super::{about, find};
use crate::failure::Failure;
use crate::session::Session;

#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Args {
    /// Keys of items, or ids of entries
    #[arg(value_name = "ITEM_KEY", required_unless_present = "all")]
    entries: Vec<String>,
    /// All of them
    #[arg(long, conflicts_with = "entries")]
    all: bool,
}

/// As what entries are marked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum As {
    Read,
    Done,
}

impl As {
    const fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Done => "done",
        }
    }
}

pub(super) async fn run(args: Args, marked: As, session: &Session<'_>) -> Result<(), Failure> {
    if args.all {
        match marked {
            As::Read => session.client.read_notifications().await?,
            As::Done => session.client.finish_notifications().await?,
        }
        session.output.say(&format!("everything is marked as {}", marked.word()));
        return Ok(());
    }
    let mut entries = Vec::new();
    for name in &args.entries {
        let found = find(name, session).await?;
        let mark = MarkNotification {
            version: found.version,
            read: (marked == As::Read).then_some(true),
            done: (marked == As::Done).then_some(true),
        };
        entries.push(session.client.mark_notification(&found.id, &mark).await?);
    }
    if session.output.json {
        return session.output.json(&entries);
    }
    for entry in &entries {
        session.output.say(&format!("{} is marked as {}", about(entry), marked.word()));
    }
    Ok(())
}
