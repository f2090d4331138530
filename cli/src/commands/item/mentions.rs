//! `svc item mentions`, and what a comment would start.

use svc_api::factory::{AgentMention, PreviewMentions};
use svc_api::tracker::NewComment;
use svc_domain::ids::ItemKey;

use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::{Column, Table, name, when};
use crate::session::Session;

/// List the mentions of agents on an item, and the runs that they started
#[derive(clap::Args)]
#[command(after_help = "Example:\n  svc item mentions PRJ-12")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let mentions = session.org(&org).agent_mentions(&args.key.to_string()).await?;
    if session.output.json {
        return session.output.json(&mentions);
    }
    if mentions.is_empty() {
        session.output.say(&format!("No comment on {} mentions an agent to start a run.", args.key));
        return Ok(());
    }
    session.output.table(&table(&mentions))
}

fn table(mentions: &[AgentMention]) -> Table {
    let mut table = Table::new([
        Column::id("COMMENT"),
        Column::fixed("WRITTEN"),
        Column::flexible("BY"),
        Column::flexible("AGENT"),
        Column::fixed("STATUS"),
        Column::fixed("RUN"),
        Column::flexible("REASON"),
    ]);
    for mention in mentions {
        table.row([
            mention.comment.as_str().into(),
            when(mention.requested_at).into(),
            mention.requested_by.name.as_str().into(),
            mention.agent.name.as_str().into(),
            name(&mention.status).into(),
            mention.run.clone().unwrap_or_default().into(),
            mention.reason.clone().unwrap_or_default().into(),
        ]);
    }
    table
}

/// Shows what a comment would start.
pub(super) async fn preview(
    key: &ItemKey,
    new: NewComment,
    org: &str,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let NewComment { body, reply_to, attachments: _ } = new;
    let wanted = PreviewMentions { body, reply_to, comment: None };
    let preview = session.org(org).preview_mentions(&key.to_string(), &wanted).await?;
    if session.output.json {
        return session.output.json(&preview);
    }
    if preview.agents.is_empty() {
        session.output.say("It mentions no agent, and starts nothing.");
        return Ok(());
    }
    let mut table =
        Table::new([Column::flexible("AGENT"), Column::fixed("EFFECT"), Column::flexible("REASON")]);
    for mention in &preview.agents {
        table.row([
            mention.agent.name.as_str().into(),
            name(&mention.effect).into(),
            mention.reason.clone().unwrap_or_default().into(),
        ]);
    }
    session.output.table(&table)
}
