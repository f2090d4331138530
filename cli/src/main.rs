//! `svc`: the command line of the work-tracking service (specification section 4.2).
//!
//! Owns how a command is read, what it asks of the API and how the answer is shown: data to stdout, talk to
//! stderr, an exit code for scripts. It holds no rule of the service: what is allowed, the instance says.

mod aliasing;
mod args;
mod asking;
mod commands;
mod completing;
mod dispatch;
mod editor;
mod explaining;
mod failure;
mod flags;
mod fresh;
mod globals;
mod import;
mod joining;
mod keeping;
mod keys;
mod near;
mod offering;
mod output;
mod placing;
mod reading;
mod remembering;
mod revising;
mod scripting;
mod session;
mod settings;
mod suggesting;
mod typed;
mod uploading;
mod values;

use std::process::ExitCode;

use crate::asking::Line;
use crate::output::Output;

fn main() -> ExitCode {
    svc_runner::watchdog::serve_if_asked();
    completing::answer_shell();
    if let Err(failure) = aliasing::expand(dispatch::is_command) {
        Output::plain().failure(&failure);
        return failure.exit_code();
    }
    keys::number_items_in(typed::project_here);
    let Line { cli, drafts } = match dispatch::read() {
        Ok(line) => line,
        Err(code) => return code,
    };
    let output = Output::new(&cli.globals);
    let done = output.and_then(|output| dispatch::run(cli, &output));
    done.unwrap_or_else(|failure| {
        let failure = asking::unsaved(drafts, failure);
        Output::plain().failure(&failure);
        failure.exit_code()
    })
}
