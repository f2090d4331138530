//! `svc man`: the manual's pages, for packages of the program.

use std::path::{Path, PathBuf};

use clap::Command;
use clap_mangen::Man;

use crate::failure::Failure;
use crate::output::Output;

/// Print the manual page of svc, or write a page for each command into a directory.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc man --dir /usr/local/share/man/man1")]
pub(crate) struct Args {
    /// Directory that the pages are written into
    #[arg(long, value_name = "DIRECTORY")]
    dir: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, command: Command, output: &Output) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::io("cannot write the manual", &error);
    if let Some(directory) = &args.dir {
        let mut command = command.disable_help_subcommand(true);
        // Gives each command the name that its page has.
        command.build();
        return write_pages(command, directory).map_err(|error| {
            let doing = format_args!("cannot write the manual into {}", directory.display());
            Failure::io(doing, &error).hint("name an existing directory")
        });
    }
    let mut bytes = Vec::new();
    page(command).render(&mut bytes).map_err(failed)?;
    output.raw(&String::from_utf8_lossy(&bytes))
}

/// Writes the page of a command, and those of the commands below it.
fn write_pages(command: Command, directory: &Path) -> std::io::Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        write_pages(below.clone(), directory)?;
    }
    page(command).generate_to(directory).map(drop)
}

/// The page of a command, which tells the version of the whole program.
fn page(command: Command) -> Man {
    Man::new(command).source(concat!("svc ", env!("CARGO_PKG_VERSION")))
}
