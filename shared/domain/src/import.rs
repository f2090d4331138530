//! What is brought into a project from elsewhere: the records, and what the tracker makes of each.
//!
//! | record     | comes once by        | who it names                   | what it names and is not there          |
//! |------------|----------------------|--------------------------------|-----------------------------------------|
//! | person     | id, may change later | a member, by address           |                                         |
//! | label      | name                 |                                |                                         |
//! | milestone  | id, then name        |                                |                                         |
//! | sprint     | id, then name        |                                |                                         |
//! | item       | id                   | author, assignee               | milestone, sprint, parent: told, left out |
//! | comment    | id                   | author                         | item: told, it does not come            |
//! | link       | both ids and the kind |                               | items: likewise                         |
//! | attachment | id                   |                                | item, comment: likewise                 |
//!
//! A person who is no member is named in the text, never guessed. Decides nothing about who may import.

mod build;
mod order;
mod origin;

pub use build::{Surroundings, Who, comment, item, text};
pub use order::in_order;
pub use origin::{Origin, appended, file_link, with_origin};

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::ids::{CommentId, ItemKey, MilestoneId, SprintId, UserId};
use crate::item::{ItemType, Priority};
use crate::item_link::LinkKind;
use crate::refusal::FieldErrors;
use crate::sprint::SprintState;
use crate::word::word_enum;

/// Most records of one request.
pub const MAX_RECORDS: usize = 200;
/// Longest id of a record, and longest name of a source, in characters.
pub const MAX_ID: usize = 200;

word_enum! {
    /// Kind of a record.
    Kind {
        /// A person.
        Person = "person",
        /// A label.
        Label = "label",
        /// A milestone.
        Milestone = "milestone",
        /// A sprint.
        Sprint = "sprint",
        /// An item.
        Item = "item",
        /// A comment.
        Comment = "comment",
        /// A link between items.
        Link = "link",
        /// A file.
        Attachment = "attachment",
    }
}

/// A record to bring in.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// A person that others name.
    Person(Person),
    /// A label.
    Label(Label),
    /// A milestone.
    Milestone(Milestone),
    /// A sprint.
    Sprint(Sprint),
    /// An item.
    Item(Box<Item>),
    /// A comment.
    Comment(Comment),
    /// A link between items.
    Link(Link),
    /// A file.
    Attachment(Attachment),
}

/// A person that others name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// Id at the source.
    pub id: String,
    /// Name.
    pub name: String,
    /// Address.
    pub address: Option<String>,
    /// Whether it is an agent, which is nobody here.
    pub agent: bool,
}

/// A label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Name.
    pub name: String,
    /// Colour.
    pub color: Option<String>,
}

/// A milestone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Milestone {
    /// Id at the source.
    pub id: String,
    /// Name.
    pub name: String,
    /// What it is about.
    pub description: String,
    /// Its day.
    pub due: Option<Date>,
    /// Whether it is closed.
    pub closed: bool,
}

/// A sprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sprint {
    /// Id at the source.
    pub id: String,
    /// Name.
    pub name: String,
    /// The goal.
    pub goal: String,
    /// First day.
    pub start: Option<Date>,
    /// Last day.
    pub end: Option<Date>,
    /// State; planned when absent.
    pub state: Option<SprintState>,
}

/// An item.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Id at the source.
    pub id: String,
    /// What people called it there.
    pub key: Option<String>,
    /// Its address there.
    pub url: Option<String>,
    /// Title.
    pub title: String,
    /// Description.
    pub body: String,
    /// Name of a state of the project.
    pub state: String,
    /// A task when absent.
    pub item_type: Option<ItemType>,
    /// Medium when absent.
    pub priority: Option<Priority>,
    /// Labels.
    pub labels: Vec<String>,
    /// Id of a person.
    pub assignee: Option<String>,
    /// Id of a person.
    pub author: Option<String>,
    /// Estimated effort.
    pub estimate: Option<f64>,
    /// Due day.
    pub due: Option<Date>,
    /// Id of a milestone.
    pub milestone: Option<String>,
    /// Id of a sprint.
    pub sprint: Option<String>,
    /// Id of the item that it belongs to.
    pub parent: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Option<Timestamp>,
    /// When it was resolved or closed.
    pub closed_at: Option<Timestamp>,
}

/// A comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Id at the source.
    pub id: String,
    /// Id of its item.
    pub item: String,
    /// Id of a person.
    pub author: Option<String>,
    /// Text.
    pub body: String,
    /// When it was written.
    pub created_at: Timestamp,
    /// When its text last changed.
    pub edited_at: Option<Timestamp>,
}

/// A link between items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Id of one item.
    pub from: String,
    /// Id of the other.
    pub to: String,
    /// What the one is to the other.
    pub relation: LinkKind,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Id at the source.
    pub id: String,
    /// Id of its item.
    pub item: String,
    /// Id of its comment.
    pub comment: Option<String>,
    /// Name of the file.
    pub name: String,
    /// Where the source keeps it.
    pub url: Option<String>,
}

/// A record that did not come, or of which something is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Its kind.
    pub kind: Kind,
    /// Its id.
    pub id: String,
    /// Why, in words for people.
    pub reason: String,
}

impl Record {
    /// Its kind.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Person(_) => Kind::Person,
            Self::Label(_) => Kind::Label,
            Self::Milestone(_) => Kind::Milestone,
            Self::Sprint(_) => Kind::Sprint,
            Self::Item(_) => Kind::Item,
            Self::Comment(_) => Kind::Comment,
            Self::Link(_) => Kind::Link,
            Self::Attachment(_) => Kind::Attachment,
        }
    }

    /// Its id at the source; of a label its name, of a link the ids of the items and what they are to each other.
    pub fn id(&self) -> String {
        match self {
            Self::Person(Person { id, .. })
            | Self::Milestone(Milestone { id, .. })
            | Self::Sprint(Sprint { id, .. })
            | Self::Comment(Comment { id, .. })
            | Self::Attachment(Attachment { id, .. }) => id.clone(),
            Self::Item(item) => item.id.clone(),
            Self::Label(label) => label.name.clone(),
            Self::Link(Link { from, to, relation }) => format!("{from} {relation} {to}"),
        }
    }

    /// The records of the same source that it names.
    pub fn names(&self) -> Vec<(Kind, &str)> {
        let names = match self {
            Self::Person(_) | Self::Label(_) | Self::Milestone(_) | Self::Sprint(_) => vec![],
            Self::Item(item) => vec![
                named(Kind::Person, item.author.as_ref()),
                named(Kind::Person, item.assignee.as_ref()),
                named(Kind::Milestone, item.milestone.as_ref()),
                named(Kind::Sprint, item.sprint.as_ref()),
                named(Kind::Item, item.parent.as_ref()),
            ],
            Self::Comment(comment) => {
                vec![named(Kind::Person, comment.author.as_ref()), named(Kind::Item, Some(&comment.item))]
            }
            Self::Link(link) => vec![named(Kind::Item, Some(&link.from)), named(Kind::Item, Some(&link.to))],
            Self::Attachment(attachment) => vec![
                named(Kind::Item, Some(&attachment.item)),
                named(Kind::Comment, attachment.comment.as_ref()),
            ],
        };
        names.into_iter().flatten().collect()
    }
}

fn named(kind: Kind, id: Option<&String>) -> Option<(Kind, &str)> {
    Some((kind, id?.as_str()))
}

/// Whether an import can be taken: where it comes from, and how many records it has.
///
/// # Errors
/// Every field that is not acceptable.
pub fn check(source: &str, records: usize) -> Result<(), FieldErrors> {
    let mut errors = FieldErrors::default();
    let length = source.trim().chars().count();
    if !(1..=MAX_ID).contains(&length) || source.chars().any(char::is_control) {
        errors.add(
            "source",
            format!("Say where the records come from in 1 to {MAX_ID} characters on one line."),
        );
    }
    if records > MAX_RECORDS {
        errors.add("records", format!("Send at most {MAX_RECORDS} records; this request has {records}."));
    }
    errors.into_result()
}

/// What is wrong with the id of a record; `None` if nothing is.
pub fn id_problem(id: &str) -> Option<String> {
    let length = id.chars().count();
    (length == 0 || length > 2 * MAX_ID + 20)
        .then(|| format!("The id of a record has 1 to {MAX_ID} characters; this one has {length}."))
}

/// What a record of a source became: a stored row, by which the record comes once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportedRecord {
    /// Where it came from.
    pub source: String,
    /// Kind of the record.
    pub kind: Kind,
    /// Its id there.
    pub id: String,
    /// What it is here.
    pub became: Became,
}

/// What a record is here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Became {
    /// A name, of a member where there is one.
    Person {
        /// Name at the source.
        name: String,
        /// The member.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        user: Option<UserId>,
    },
    /// A milestone.
    Milestone(MilestoneId),
    /// A sprint.
    Sprint(SprintId),
    /// An item, by the key that it had when it came.
    Item(ItemKey),
    /// A comment on an item.
    Comment(ItemKey, CommentId),
    /// A part of something else: a link, or the line of a file.
    Part,
}

#[cfg(test)]
mod tests {
    use super::{MAX_RECORDS, check, id_problem};

    #[test]
    fn an_import_says_where_it_comes_from_and_has_a_bounded_number_of_records() {
        assert_eq!(check("github:acme/shop", MAX_RECORDS), Ok(()));
        let wrong =
            |source: &str, records| check(source, records).unwrap_err().0.into_keys().collect::<Vec<_>>();
        assert_eq!(wrong(" ", 1), ["source"]);
        assert_eq!(wrong("a\nb", 1), ["source"]);
        assert_eq!(wrong(&"x".repeat(201), 201), ["records", "source"]);
        assert_eq!(wrong("a", MAX_RECORDS + 1), ["records"]);
        assert!(id_problem("").is_some() && id_problem(&"x".repeat(421)).is_some());
        assert_eq!(id_problem("7"), None);
    }
}
