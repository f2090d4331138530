//! `svc refine submit`.

use std::path::PathBuf;

use svc_api::factory::SubmitRefinement;

use super::shared::{Which, show};
use crate::commands::files::read_text;
use crate::failure::Failure;
use crate::session::Session;

/// Submit a refined item. For agents, with the token of their refine run.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc refine submit PRJ-12 --file refinement.json")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// File with the questions and the proposal as JSON; - reads stdin
    #[arg(long, value_name = "PATH")]
    file: PathBuf,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, key) = (session.org_slug().await?, args.which.key.to_string());
    let text = read_text(&args.file)?;
    let made: SubmitRefinement = serde_json::from_str(&text).map_err(|error| {
        Failure::rejected(format!("the file is not a refinement: {error}"))
            .hint(r#"write {"questions": ["..."], "proposal": {"title": "...", "description": "..."}}"#)
    })?;
    let refinement = session.org(&org).submit_refinement(&key, &made).await?;
    show(&refinement, session.output)
}
