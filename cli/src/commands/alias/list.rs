//! `svc alias list`.

use super::{Alias, table};
use crate::aliasing::known;
use crate::failure::Failure;
use crate::output::Output;

/// List your aliases and their commands.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc alias list")]
pub(crate) struct Args {}

pub(super) fn run(output: &Output) -> Result<(), Failure> {
    let aliases: Vec<Alias> = known()?.into_iter().map(|(name, command)| Alias { name, command }).collect();
    output.all(&aliases, "You have no aliases. Create one: svc alias set mine 'item list --mine'", table)
}
