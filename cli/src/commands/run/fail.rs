//! `svc run fail`: the agent of a run says that it cannot do the work.

use std::path::PathBuf;

use svc_runner::environment::FAILURE_VARIABLE;

use crate::failure::Failure;

/// Report, from inside a run, that the work cannot be done
///
/// For coding agents: the run fails with this reason once the agent ends. Factory operators read the reason.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc run fail --reason 'The item names a file that is not in the repository.'")]
pub(crate) struct Args {
    /// Why, in a sentence or two
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let reason = args.reason.trim();
    if reason.is_empty() {
        return Err(Failure::rejected("Say why the work cannot be done: --reason \"<why>\"."));
    }
    let Some(file) = std::env::var_os(FAILURE_VARIABLE).map(PathBuf::from) else {
        let hint = "to stop a run from outside, use `svc run cancel <runId>`";
        return Err(Failure::rejected("This is not a run: no runner started this program.").hint(hint));
    };
    std::fs::write(&file, reason)
        .map_err(|error| Failure::io(format!("cannot write {}", file.display()), &error))?;
    eprintln!("Saved the reason. End now: the run fails with it.");
    Ok(())
}
