//! `svc comment history`.

use svc_api::page::PageQuery;

use super::which::Which;
use crate::commands::paging::collect;
use crate::failure::Failure;
use crate::output::when;
use crate::session::Session;

/// Show the edits of a comment with their changes, newest first.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc comment history PRJ-12 0193a6e5-...")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// Print at most this many edits
    #[arg(short = 'L', long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, key) = (session.org_slug().await?, args.which.key.to_string());
    let id = args.which.id(&slug, session).await?;
    let (org, output) = (session.org(&slug), session.output);
    let edits = collect(Some(args.limit as usize), async |page, size| {
        let page = PageQuery { page: Some(page), page_size: Some(size) };
        org.comment_edits(&key, &id, &page).await
    })
    .await?;
    if output.json {
        return output.json(&edits);
    }
    if edits.is_empty() {
        output.say("This comment has no recorded edits.");
        return Ok(());
    }
    let mut shown = Vec::new();
    for edit in &edits {
        let diff = org.comment_diff(&key, &id, edit.version).await?;
        shown.push((format!("{}  {}", when(edit.at), edit.actor.name), diff));
    }
    output
        .paged(|| {
            shown.iter().try_for_each(|(title, diff)| {
                output.line(title)?;
                output.diff(diff, "  ")
            })
        })
        .await
}
