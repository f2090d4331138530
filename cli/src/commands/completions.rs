//! `svc completions`.

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::args::Cli;
use crate::failure::Failure;
use crate::output::Output;

/// Print a completion script for your shell.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc completions bash > ~/.local/share/bash-completion/completions/svc
  svc completions zsh > \"${fpath[1]}/_svc\"")]
pub(crate) struct Args {
    /// The shell to complete in
    shell: Shell,
}

pub(crate) fn run(args: Args, output: &Output) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "svc", &mut script);
    output.raw(&String::from_utf8_lossy(&script))
}
