//! Intakes: secret addresses of a project at which monitoring and forms make items.
//!
//! | a report arrives           | no open item has its key          | an open item has it                             |
//! |----------------------------|-----------------------------------|-------------------------------------------------|
//! | without a key              | a new item                        | (never)                                         |
//! | of something               | a new item                        | it is counted; a comment, if the intake says so |
//! | that something is resolved | nothing                           | once: a comment and a move to the first resolved state, as the intake says |
//!
//! A report is a stranger's word. Its item and its comments are by the intake, which is no member: agents read them as
//! UNTRUSTED, nobody is mentioned, and only rules start runs that say so for everybody. Its text never names a field
//! that the intake does not map.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::ids::{Actor, ActorId, IntakeId, ItemKey, TemplateId, UserId};
use crate::name::exact_name_problem;
use crate::named::{self, Named};
use crate::refusal::{FieldErrors, Refusal};
use crate::untrusted::{one_line, shortened, visible};

/// Most intakes of a project.
pub const MAX_INTAKES: usize = 20;
/// Longest name, in characters.
pub const MAX_NAME: usize = 80;
/// Longest path to a field, in characters.
const MAX_PATH: usize = 200;
/// Most reports of one delivery that are taken one by one.
pub const MAX_REPORTS: usize = 20;
/// Reports of one intake in a minute.
pub const REPORTS_A_MINUTE: u32 = 60;
/// How long after its last report a key is remembered.
pub const REMEMBERED: SignedDuration = SignedDuration::from_hours(24 * 180);
/// Longest title, in characters.
const MAX_TITLE: usize = 300;
/// Longest text of a report, in bytes.
const MAX_TEXT: usize = 20_000;
/// Labels of a report that are looked at.
pub const MAX_LABELS: usize = 10;

/// Which fields of a delivery are what: paths such as `alert.name` or `items.0.id`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Mapping {
    /// The title.
    pub title: Option<String>,
    /// The description.
    pub body: Option<String>,
    /// Labels: a list, or a text with commas.
    pub labels: Option<String>,
    /// What is the same for reports of the same thing.
    pub key: Option<String>,
}

/// An intake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Intake {
    /// Id.
    pub id: IntakeId,
    /// Changes so far, its creation included.
    pub version: u64,
    /// Name, unique in the project whatever its case.
    pub name: String,
    /// Hex SHA-256 of the secret part of its address.
    pub address_hash: String,
    /// The ticket template of its items. One that was deleted since gives nothing.
    pub template: Option<TemplateId>,
    /// Which fields are what.
    pub mapping: Mapping,
    /// Whether a repeated report is a comment.
    pub comments_repeats: bool,
    /// Whether a report that something is resolved is a comment.
    pub comments_resolved: bool,
    /// Whether such a report moves the item to the first resolved state.
    pub closes_resolved: bool,
    /// Whether it takes nothing.
    pub disabled: bool,
    /// Who saved it last: it makes items as long as this person is an Admin of the project.
    pub by: Actor,
    /// When its address was made.
    pub rotated_at: Timestamp,
}

/// The intakes of a project, in the order they were made. Its version is the row's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Intakes(pub Vec<Intake>);

/// The item of a key at an intake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Arrival {
    /// The item.
    pub item: ItemKey,
    /// Reports of it.
    pub count: u64,
    /// When the last one arrived.
    pub last_at: Timestamp,
    /// Whether that told that it is resolved.
    pub resolved: bool,
}

/// What one thing of a delivery says, in words that may go into an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// One line; empty where nothing names it.
    pub title: String,
    /// Markdown.
    pub body: String,
    /// Labels, of which the project's own count.
    pub labels: Vec<String>,
    /// What is the same for reports of the same thing.
    pub key: Option<String>,
    /// Whether it tells that the thing is over.
    pub resolved: bool,
}

impl Report {
    /// A report of a stranger's texts, bounded and rid of what nobody can see.
    pub fn of(title: &str, body: &str, labels: Vec<String>, key: Option<String>, resolved: bool) -> Self {
        let title = one_line(&visible(title)).chars().take(MAX_TITLE).collect::<String>().trim().to_owned();
        let body = shortened(visible(body).trim(), MAX_TEXT);
        let labels = labels.into_iter().take(MAX_LABELS).map(|label| label.trim().to_owned()).collect();
        let key = key.filter(|key| !key.is_empty());
        // Without a key nothing says what is over: a form may have a field "status", too.
        Self { title, body, labels, resolved: resolved && key.is_some(), key }
    }
}

impl Named for Intake {
    type Id = IntakeId;

    fn id(&self) -> IntakeId {
        self.id
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl Intake {
    /// Who its items and comments are by: nobody who is a member.
    pub fn actor(&self) -> Actor {
        Actor { id: ActorId::User(UserId(self.id.0)), name: format!("{} (intake)", self.name) }
    }

    fn check(&self) -> Result<(), FieldErrors> {
        let mut errors = FieldErrors::default();
        if let Some(problem) = exact_name_problem(&self.name, MAX_NAME) {
            errors.add("name", problem);
        }
        let Mapping { title, body, labels, key } = &self.mapping;
        for (field, path) in [("title", title), ("body", body), ("labels", labels), ("key", key)] {
            if path.as_ref().is_some_and(|path| path.trim().is_empty() || path.chars().count() > MAX_PATH) {
                errors.add(&format!("mapping.{field}"), "It must be a path of 1 to 200 characters.");
            }
        }
        errors.into_result()
    }
}

impl Intakes {
    /// The intake of an id.
    pub fn find(&self, id: IntakeId) -> Option<&Intake> {
        self.0.iter().find(|known| known.id == id)
    }

    /// Adds an intake, or puts one in the place of that with its id.
    ///
    /// # Errors
    /// [`Refusal::AlreadyExists`] for a name that another has; every field that is not acceptable.
    pub fn put(&mut self, intake: Intake) -> Result<(), Refusal> {
        intake.check()?;
        named::put(&mut self.0, intake, "an intake with this name", MAX_INTAKES, || {
            format!("A project has at most {MAX_INTAKES} intakes. Delete one first.")
        })
    }

    /// Takes an intake away.
    ///
    /// # Errors
    /// [`Refusal::NotFound`].
    pub fn remove(&mut self, id: IntakeId) -> Result<Intake, Refusal> {
        let at = self.0.iter().position(|known| known.id == id).ok_or(Refusal::NotFound)?;
        Ok(self.0.remove(at))
    }
}

#[cfg(test)]
mod tests {
    use super::Report;

    #[test]
    fn the_words_of_a_stranger_are_bounded_and_visible() {
        let long = "a\n\u{202e}b ".repeat(100_000);
        let report = Report::of(&long, &long, vec![" x ".into(); 50], Some(String::new()), true);
        assert!(
            report.title.chars().count() <= 300 && !report.title.contains(['\n', '\u{202e}']),
            "{report:?}"
        );
        assert!(report.body.len() <= 20_100 && !report.body.contains('\u{202e}'));
        assert_eq!((report.labels.len(), report.labels[0].as_str(), report.key), (10, "x", None));
        assert!(!report.resolved, "nothing says what is over");
    }
}
