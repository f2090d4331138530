//! `svc view view`.

use svc_api::tracker::SavedView;

use super::shared::Which;
use crate::commands::item::warn_of;
use crate::failure::Failure;
use crate::output::{Pairs, option, yes};
use crate::session::Session;

/// Show a saved view. `svc item list --view` lists its items.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc view view 'Open bugs' -p PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let view = args.which.find(&org, session).await?;
    match session.output.json {
        true => session.output.json(&view),
        false => {
            session.output.pairs(&pairs(&view))?;
            let _ = warn_of(&view, &args.which.project.key(session).await?, &org, session).await;
            Ok(())
        }
    }
}

fn pairs(view: &SavedView) -> Pairs {
    let mut pairs = Pairs::default();
    pairs.add("name", view.name.as_str());
    pairs.add("filter", option(Some(view.filter.as_str()).filter(|filter| !filter.is_empty())));
    pairs.maybe("words", view.q.as_deref());
    pairs.maybe("sort", view.sort.as_deref());
    pairs.add("shared", yes(view.shared));
    pairs.add("by", view.created_by.name.as_str());
    pairs.add("id", view.id.as_str());
    pairs.add("version", view.version.to_string());
    pairs
}
