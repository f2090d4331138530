//! `svc man`: the manual's pages, for whoever packages the program.

use std::path::PathBuf;

use clap::CommandFactory as _;

use crate::args::Cli;
use crate::failure::Failure;
use crate::output::Output;

/// Print the manual page of svc, or write a page for each command into a directory.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory that the pages are written into
    #[arg(long, value_name = "DIRECTORY")]
    dir: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, output: &Output) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::io("cannot write the manual", &error);
    let command = Cli::command();
    if let Some(directory) = &args.dir {
        return clap_mangen::generate_to(command, directory).map_err(failed);
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page).map_err(failed)?;
    output.raw(&String::from_utf8_lossy(&page))
}
