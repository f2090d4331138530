//! `svc factory refinement`: shows what refining goes by, or changes it under the version that was read.

use std::path::PathBuf;

use svc_api::Patch;
use svc_api::factory::{RefinementSettings, UpdateRefinementSettings};

use crate::commands::files::read_text;
use crate::commands::in_project::InProject;
use crate::failure::Failure;
use crate::output::Pairs;
use crate::session::Session;
use crate::values::OrNone;

/// Show or change how a project's items are refined.
///
/// Without options, it shows the settings. An empty file clears a text.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc factory refinement -p PRJ
  svc factory refinement -p PRJ --product-file product.md --refined-state Ready
  echo '[API] or [Web]' | svc factory refinement -p PRJ --naming-file -")]
pub(crate) struct Args {
    #[command(flatten)]
    project: InProject,
    /// File that says what the product is; - reads stdin
    #[arg(long, value_name = "PATH")]
    product_file: Option<PathBuf>,
    /// File that says how items are written
    #[arg(long, value_name = "PATH")]
    instructions_file: Option<PathBuf>,
    /// File that says how items are named
    #[arg(long, value_name = "PATH")]
    naming_file: Option<PathBuf>,
    /// File that names the supported platforms and devices
    #[arg(long, value_name = "PATH")]
    platforms_file: Option<PathBuf>,
    /// State that a confirmed item moves to, or none
    #[arg(long, value_name = "STATE")]
    refined_state: Option<OrNone<String>>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let mut settings = session.org(&org).refinement_settings(project.as_str()).await?;
    let text = |path: Option<PathBuf>| -> Result<Patch<String>, Failure> {
        Ok(path.map(|path| read_text(&path)).transpose()?.map_or(Patch::Keep, Patch::Set))
    };
    let change = UpdateRefinementSettings {
        version: settings.version,
        product_description: text(args.product_file)?,
        ticket_instructions: text(args.instructions_file)?,
        naming_conventions: text(args.naming_file)?,
        platforms: text(args.platforms_file)?,
        refined_state: args.refined_state.map_or(Patch::Keep, Patch::from),
    };
    if changes(&change) {
        settings = session.org(&org).update_refinement_settings(project.as_str(), &change).await?;
    }
    if session.output.json {
        return session.output.json(&settings);
    }
    session.output.pairs(&pairs(&settings))
}

const fn changes(change: &UpdateRefinementSettings) -> bool {
    !(change.product_description.is_keep()
        && change.ticket_instructions.is_keep()
        && change.naming_conventions.is_keep()
        && change.platforms.is_keep()
        && change.refined_state.is_keep())
}

fn pairs(settings: &RefinementSettings) -> Pairs {
    let mut pairs = Pairs::default();
    pairs.add("version", settings.version.to_string());
    pairs.maybe("product", settings.product_description.as_deref());
    pairs.maybe("how items are written", settings.ticket_instructions.as_deref());
    pairs.maybe("how items are named", settings.naming_conventions.as_deref());
    pairs.maybe("platforms", settings.platforms.as_deref());
    pairs.maybe("refined items go to", settings.refined_state.as_deref());
    pairs
}
