//! `svc template view`.

use svc_api::tracker::Template;

use super::shared::Which;
use crate::failure::Failure;
use crate::output::{Pairs, list, name, option};
use crate::session::Session;

/// Show an item template.
///
/// With --body-only it prints only the description, for `svc template edit --body-file`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc template view 'Bug report' -p PRJ
  svc template view 'Bug report' -p PRJ --body-only > bug.md")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// Print the description and nothing else
    #[arg(long)]
    body_only: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let template = args.which.find(&org, session).await?;
    let output = session.output;
    if output.json {
        return output.json(&template);
    }
    if args.body_only {
        return output.text(&template.body);
    }
    output.pairs(&pairs(&template))?;
    let body = template.body.trim();
    if body.is_empty() { Ok(()) } else { output.text(&format!("\n{body}")) }
}

fn pairs(template: &Template) -> Pairs {
    let mut pairs = Pairs::default();
    pairs.add("name", template.name.as_str());
    pairs.add("type", name(&template.item_type));
    pairs.add("priority", option(template.priority.as_ref().map(name).as_deref()));
    pairs.add("labels", list(&template.labels));
    pairs.add("id", template.id.as_str());
    pairs.add("version", template.version.to_string());
    pairs
}
