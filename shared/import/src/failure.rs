//! Why an export cannot be read: what was wrong, and what a person can do about it.

use std::io;

/// What a failure is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// A file: it is not what it should be.
    File,
    /// The order of days and months.
    Dates,
    /// Which of several projects is wanted.
    Only,
    /// A project that is named and is not there.
    MissingProject,
    /// The mapping.
    Mapping,
    /// The time zone.
    TimeZone,
    /// The columns that fields are read from.
    Columns,
    /// The machine, which has no room or does not work.
    Machine,
}

/// Why an export cannot be read.
#[derive(Debug)]
pub struct Failure {
    /// What it is about.
    pub about: About,
    /// What was wrong, in one sentence.
    pub title: String,
    /// More about this time.
    pub detail: Option<String>,
    /// What to do next on the command line.
    pub hint: Option<String>,
}

impl Failure {
    /// A file is not what it should be.
    pub fn rejected(title: impl Into<String>) -> Self {
        Self { about: About::File, title: title.into(), detail: None, hint: None }
    }

    /// The machine refused something.
    pub(crate) fn io(doing: impl std::fmt::Display, error: &io::Error) -> Self {
        Self::rejected(format!("{doing}: {error}")).about(About::Machine)
    }

    pub(crate) fn about(self, about: About) -> Self {
        Self { about, ..self }
    }

    pub(crate) fn detail(self, detail: impl Into<String>) -> Self {
        Self { detail: Some(detail.into()), ..self }
    }

    /// The same failure, with what to do next.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}
