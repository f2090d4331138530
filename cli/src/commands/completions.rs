//! `svc completions`.

use clap_complete::Shell;

use crate::failure::Failure;
use crate::output::Output;

/// Print a completion script for your shell.
///
/// It completes commands and flags, and also item keys, projects, states, labels and people, which it asks the
/// instance for.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc completions bash > ~/.local/share/bash-completion/completions/svc
  svc completions zsh > \"${fpath[1]}/_svc\"")]
pub(crate) struct Args {
    /// The shell to complete in
    shell: Shell,
}

pub(crate) fn run(
    args: Args,
    script: fn(Shell) -> std::io::Result<Vec<u8>>,
    output: &Output,
) -> Result<(), Failure> {
    let script = script(args.shell).map_err(|error| Failure::io("cannot write the script", &error))?;
    output.raw(&String::from_utf8_lossy(&script))
}
