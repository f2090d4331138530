//! The name or title of something that a command creates.

use svc_client::Error;

use crate::failure::Failure;
use crate::output::one_line;

/// The failure to create something, in other words where the name is taken.
pub(super) fn taken(error: Error, what: &str, name: &str, next: &str) -> Failure {
    let taken = error.is_problem("already-exists");
    let failure = Failure::from(error);
    if !taken {
        return failure;
    }
    failure.retold(format!("there is {what} {:?} already", one_line(name)), next)
}

/// The name of something new, as its argument or after --name.
#[derive(clap::Args, Clone, Debug)]
#[group(required = true, multiple = false)]
pub(crate) struct NewName {
    /// Name
    #[arg(value_name = "NEW_NAME")]
    name: Option<String>,
    /// The same
    #[arg(long = "name", value_name = "NEW_NAME", id = "name_option")]
    option: Option<String>,
}

impl NewName {
    /// The name that was given.
    pub(crate) fn into_text(self) -> String {
        self.name.or(self.option).unwrap_or_default()
    }
}

/// The title of a new item, as its argument or after --title.
#[derive(clap::Args, Clone, Debug)]
#[group(required = true, multiple = false)]
pub(crate) struct NewTitle {
    /// Title, on one line
    #[arg(value_name = "TITLE")]
    title: Option<String>,
    /// The same
    #[arg(long = "title", value_name = "TITLE", id = "title_option")]
    option: Option<String>,
}

impl NewTitle {
    /// The title that was given.
    pub(crate) fn into_text(self) -> String {
        self.title.or(self.option).unwrap_or_default()
    }
}
