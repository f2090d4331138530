//! Asks for confirmation before a destructive command. Scripts give `--yes`.

use crate::failure::Failure;
use crate::output::{Output, one_line};

/// Whether the command goes on without asking.
#[derive(clap::Args)]
pub(super) struct Confirm {
    /// Do not ask for confirmation
    #[arg(short, long)]
    yes: bool,
}

impl Confirm {
    /// Goes on with `--yes`, or when the person at the terminal says so.
    ///
    /// # Errors
    /// They do not, or there is no terminal to ask at (exit code 2).
    pub(super) fn sure(&self, question: &str, output: &Output) -> Result<(), Failure> {
        if self.yes {
            return Ok(());
        }
        let question = one_line(question);
        if !output.can_ask() {
            return Err(nobody_to_ask(question));
        }
        answered(&question, output)
    }

    /// The same for what takes much away with it: the person types its name.
    ///
    /// # Errors
    /// They type something else, or there is no terminal to ask at (exit code 2).
    pub(super) fn sure_by_name(&self, what: &str, name: &str, output: &Output) -> Result<(), Failure> {
        if self.yes {
            return Ok(());
        }
        let question = one_line(&format!("Type {name} to delete the {what}:"));
        if !output.can_ask() {
            return Err(nobody_to_ask(question));
        }
        if output.ask(&format!("{question} "))? == name {
            return Ok(());
        }
        Err(Failure::rejected(format!("that is not {name}; nothing was changed")))
    }

    /// Whether a command that scripts use asks for confirmation.
    pub(super) fn asks(&self, output: &Output) -> bool {
        !self.yes && output.can_ask()
    }

    /// The same where scripts go on without `--yes`: for what can be undone, or takes no data away.
    ///
    /// # Errors
    /// The person at the terminal says no (exit code 2).
    pub(super) fn sure_on_terminal(&self, question: &str, output: &Output) -> Result<(), Failure> {
        if self.asks(output) { answered(&one_line(question), output) } else { Ok(()) }
    }
}

fn nobody_to_ask(question: String) -> Failure {
    Failure::rejected("this command needs confirmation, and there is no terminal to ask on")
        .detail(question)
        .hint("repeat the command with --yes")
}

fn answered(question: &str, output: &Output) -> Result<(), Failure> {
    let answer = output.ask(&format!("{question} [y/N] "))?;
    if matches!(answer.to_lowercase().as_str(), "y" | "yes") {
        return Ok(());
    }
    Err(Failure::rejected("nothing was changed"))
}
