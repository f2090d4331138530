//! `svc item mentions`, and what a comment would start.

use svc_api::factory::{AgentMention, PreviewMentions};
use svc_api::tracker::NewComment;
use svc_domain::ids::ItemKey;

use crate::failure::Failure;
use crate::keys::item_key;
use crate::output::{Table, name, when};
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
    session.output.all(
        &mentions,
        &format!("No comment on {} mentions an agent to start a run.", args.key),
        table,
    )
}

fn table(mentions: &[AgentMention]) -> Table {
    Table::of(mentions)
        .id("COMMENT", |mention| mention.comment.as_str())
        .fixed("WRITTEN", |mention| when(mention.requested_at))
        .flexible("BY", |mention| mention.requested_by.name.as_str())
        .flexible("AGENT", |mention| mention.agent.name.as_str())
        .fixed("STATUS", |mention| name(&mention.status))
        .fixed("RUN", |mention| mention.run.clone().unwrap_or_default())
        .flexible("REASON", |mention| mention.reason.clone().unwrap_or_default())
        .end()
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
    let table = Table::of(&preview.agents)
        .flexible("AGENT", |mention| mention.agent.name.as_str())
        .fixed("EFFECT", |mention| name(&mention.effect))
        .flexible("REASON", |mention| mention.reason.clone().unwrap_or_default())
        .end();
    session.output.table(&table)
}
