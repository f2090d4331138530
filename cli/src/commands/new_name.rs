//! The name of something that a command creates.

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
