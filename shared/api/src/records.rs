//! The records that export and import of a project share: one JSON object a line, its `kind` first (specification
//! section 4.1).
//!
//! An export lists them in the order of [`Record`]'s kinds. Ids are the source's own, of at most 200 characters, and
//! unique for a kind within a source. Times are RFC 3339, days `YYYY-MM-DD`, texts Markdown.

use jiff::Timestamp;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tracker::{ItemType, LinkKind, Priority, SprintState, StateGroup};

/// Most records of one import request.
pub const MAX_RECORDS: usize = 200;

/// Longest id of a record, and longest name of a source, in characters.
pub const MAX_ID: usize = 200;

/// A line of an export, and a part of an import.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Record {
    /// What the records are of. Comes first.
    Project(ProjectRecord),
    /// A person or an agent that others name.
    Person(PersonRecord),
    /// A label.
    Label(LabelRecord),
    /// A milestone.
    Milestone(MilestoneRecord),
    /// A sprint.
    Sprint(SprintRecord),
    /// An item.
    Item(Box<ItemRecord>),
    /// A comment on an item.
    Comment(CommentRecord),
    /// A link between two items.
    Link(LinkRecord),
    /// A file of an item.
    Attachment(AttachmentRecord),
    /// A kind that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Kind of a record, in the order of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum RecordKind {
    /// The project.
    Project,
    /// A person or an agent.
    Person,
    /// A label.
    Label,
    /// A milestone.
    Milestone,
    /// A sprint.
    Sprint,
    /// An item.
    Item,
    /// A comment.
    Comment,
    /// A link between two items.
    Link,
    /// A file.
    Attachment,
    /// A kind that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// What the records are of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectRecord {
    /// Its name.
    pub name: String,
    /// What it is about, Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Where the records come from: the service and its project.
    #[schemars(example = &"github:acme/shop")]
    pub source: String,
    /// When they were exported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exported_at: Option<Timestamp>,
    /// Its states, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<StateRecord>,
}

/// A workflow state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StateRecord {
    /// Its name.
    pub name: String,
    /// Its group.
    pub group: StateGroup,
}

/// A person or an agent that others name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonRecord {
    /// Id at the source.
    pub id: String,
    /// Name.
    pub name: String,
    /// Mail address, by which a member of the project is found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Whether it is an agent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub agent: bool,
}

/// A label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LabelRecord {
    /// Name.
    pub name: String,
    /// Colour, `#rrggbb`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"#d73a4a")]
    pub color: Option<String>,
}

/// A milestone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MilestoneRecord {
    /// Id at the source.
    pub id: String,
    /// Name.
    pub name: String,
    /// What it is about, Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The day by which its items should be done.
    #[serde(default, deserialize_with = "crate::day::optional", skip_serializing_if = "Option::is_none")]
    pub due: Option<Date>,
    /// Whether it is closed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub closed: bool,
}

/// A sprint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SprintRecord {
    /// Id at the source.
    pub id: String,
    /// Name.
    pub name: String,
    /// The goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// First day.
    #[serde(default, deserialize_with = "crate::day::optional", skip_serializing_if = "Option::is_none")]
    pub start: Option<Date>,
    /// Last day.
    #[serde(default, deserialize_with = "crate::day::optional", skip_serializing_if = "Option::is_none")]
    pub end: Option<Date>,
    /// State; planned when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<SprintState>,
}

/// An item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemRecord {
    /// Id at the source.
    pub id: String,
    /// What people called it at the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"ENG-12")]
    pub key: Option<String>,
    /// Its address at the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Title.
    pub title: String,
    /// Description, Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Name of a workflow state; in an import, one of the project that it goes to.
    pub state: String,
    /// Kind of work; a task when absent.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub item_type: Option<ItemType>,
    /// Priority; medium when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// Names of labels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// Id of the person who it is assigned to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
    /// Id of the person who wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Estimated effort.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<f64>,
    /// Due day.
    #[serde(default, deserialize_with = "crate::day::optional", skip_serializing_if = "Option::is_none")]
    pub due: Option<Date>,
    /// Id of its milestone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub milestone: Option<String>,
    /// Id of its sprint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprint: Option<String>,
    /// Id of the item that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed; when it was created, if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Timestamp>,
    /// When it was resolved or closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Timestamp>,
}

/// A comment on an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentRecord {
    /// Id at the source.
    pub id: String,
    /// Id of its item.
    pub item: String,
    /// Id of the person who wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Text, Markdown.
    pub body: String,
    /// When it was written.
    pub created_at: Timestamp,
    /// When its text last changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited_at: Option<Timestamp>,
}

/// A link between two items.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LinkRecord {
    /// Id of one item.
    pub from: String,
    /// Id of the other one.
    pub to: String,
    /// What the one is to the other.
    pub relation: LinkKind,
}

/// A file of an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttachmentRecord {
    /// Id at the source.
    pub id: String,
    /// Id of its item.
    pub item: String,
    /// Id of the comment that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Name of the file.
    pub name: String,
    /// Media type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"image/png")]
    pub media_type: Option<String>,
    /// Size in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Path of the file beside the records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"files/0197/screen.png")]
    pub file: Option<String>,
    /// Where the source keeps it. Becomes a link in the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// Brings records into a project (`POST /orgs/{slug}/projects/{key}/import`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImportRecords {
    /// Where they come from: the service and its project, at most 200 characters. A record of the same source, kind
    /// and id is brought in once.
    #[schemars(example = &"github:acme/shop")]
    pub source: String,
    /// Says what would come, and writes nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
    /// At most 200 records, in any order. What they name is among them, or came in an earlier request; of items that
    /// belong to others, those come in the same request or before.
    pub records: Vec<Record>,
}

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Imported {
    /// Records that came.
    pub created: u64,
    /// Records that were there already.
    pub unchanged: u64,
    /// Records that changed what was there.
    pub changed: u64,
    /// What did not come, and why.
    #[serde(default)]
    pub skipped: Vec<SkippedRecord>,
    /// The items of the request and their keys in the project.
    #[serde(default)]
    pub items: Vec<ImportedItem>,
}

/// A record that did not come, or a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkippedRecord {
    /// Its kind.
    pub kind: RecordKind,
    /// Its id at the source; of a label its name, of a link the ids of the two items.
    pub id: String,
    /// Why, in words.
    pub reason: String,
}

/// An item that came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportedItem {
    /// Id at the source.
    pub id: String,
    /// Key in the project.
    pub key: String,
}
