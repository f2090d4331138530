//! Exports of other trackers that the service reads itself: what they are, what would come of them, and how a person maps
//! their words to those of the project (specification section 4.1).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use svc_api::records::{Imported, ItemRecord, PersonRecord};

/// Most bytes of the body of a request that carries an export.
pub const MAX_EXPORT_BODY: usize = 5 * 1024 * 1024;
/// Most bytes that the files of a request unpack to, all together.
pub const MAX_UNPACKED: u64 = 32 * 1024 * 1024;
/// Most files of a request.
pub const MAX_FILES: usize = 20;

/// Where work comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ExportSource {
    /// GitHub: issues and comments as JSON.
    Github,
    /// GitLab: the export of a project (tar.gz), or the CSV of its issues.
    Gitlab,
    /// Jira: CSV, or JSON of its API.
    Jira,
    /// Linear: CSV.
    Linear,
    /// Trello: the JSON of a board.
    Trello,
    /// Any CSV, with columns by name.
    Csv,
    /// vibe-kanban: the CSV files of its export.
    VibeKanban,
    /// An export of this service: its records.
    Svc,
    /// A source that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Which number of a date such as `3/4/2026` is the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum DateOrder {
    /// Day, month, year.
    Dmy,
    /// Month, day, year.
    Mdy,
    /// An order that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// A file of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportFile {
    /// Its name.
    #[schemars(example = &"jira.csv")]
    pub name: String,
    /// Its bytes, compressed with gzip, in Base64.
    pub gzip: String,
}

/// Which word of the project stands for each of the source: JSON, as `svc import --save-mapping` writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ImportMapping {
    /// A state of the project for each state of the source.
    pub states: BTreeMap<String, String>,
    /// `story`, `bug`, `task`, `epic` or `subtask`.
    pub types: BTreeMap<String, String>,
    /// `lowest`, `low`, `medium`, `high` or `highest`; an empty text for none.
    pub priorities: BTreeMap<String, String>,
    /// The mail address of each person, by id or name; an empty text for nobody here.
    pub people: BTreeMap<String, String>,
}

impl ImportMapping {
    /// Takes over what another one says.
    pub fn extend(&mut self, other: Self) {
        self.states.extend(other.states);
        self.types.extend(other.types);
        self.priorities.extend(other.priorities);
        self.people.extend(other.people);
    }
}

/// An export to read (`POST /orgs/{slug}/projects/{key}/import/preview` and `…/import/files`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({
    "source": "csv",
    "files": [{ "name": "shop.csv", "gzip": "H4sIAAAAAAACAwvJLMlJ5XLkAgBF68luCAAAAA==" }],
    "timeZone": "Europe/Berlin",
}))]
pub struct ReadExport {
    /// Where it comes from.
    pub source: ExportSource,
    /// Its files, at most 20. They unpack to at most 32 MiB; larger exports are read by `svc import`.
    pub files: Vec<ExportFile>,
    /// Which number of ambiguous dates is the day; what the other dates of a file tell when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dates: Option<DateOrder>,
    /// Time zone of times without one; UTC when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"Europe/Berlin")]
    pub time_zone: Option<String>,
    /// Of an export with several projects, the one to bring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<String>,
    /// Columns of a CSV that are read for a field, such as `title` from `Subject`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, String>,
    /// What the words of the source become; what is not in it is proposed.
    #[serde(default)]
    pub mapping: ImportMapping,
    /// How many records came by the requests before: an import goes on there.
    #[serde(default)]
    pub from: u64,
}

/// What would come of an export. Nothing was written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportPreview {
    /// The source and its project. A record of the same source, kind and id comes once.
    #[schemars(example = &"jira:SHOP")]
    pub source: String,
    /// How much was found of each kind: `items`, `comments`, `people`, …
    pub found: BTreeMap<String, u64>,
    /// Records that an import brings, without the people.
    pub records: u64,
    /// What each state of the source becomes.
    pub states: Vec<MappedWord>,
    /// What each type becomes.
    pub types: Vec<MappedWord>,
    /// What each priority becomes.
    pub priorities: Vec<MappedWord>,
    /// People, at most 500 of them, those without an address first.
    pub people: Vec<PersonRecord>,
    /// How much would not come, or not as it was, by kind and reason.
    pub missing: Vec<MissingCount>,
    /// The first 1,000 things that would not come, each with its reason.
    pub misses: Vec<Miss>,
    /// The first ten items, as they would come.
    pub sample: Vec<ItemRecord>,
}

/// A word of the source and what stands for it in the project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MappedWord {
    /// The source's word.
    pub source: String,
    /// Items that have it.
    pub count: u64,
    /// The project's word.
    pub target: String,
    /// Why it was chosen.
    pub by: MappedBy,
}

/// Why a word stands for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum MappedBy {
    /// The mapping says so.
    Given,
    /// Both have the same name.
    Name,
    /// The source puts it in this group of states.
    Group,
    /// It means the same.
    Meaning,
    /// Nothing tells what it means.
    Default,
    /// A reason that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Something that does not come, or not as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Miss {
    /// What it is: `item`, `column`, `label`.
    pub kind: String,
    /// Its id or name at the source.
    pub id: String,
    /// Why, in words.
    pub reason: String,
    /// The text that is lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// How much of a kind does not come for a reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MissingCount {
    /// What it is.
    pub kind: String,
    /// Why, in words.
    pub reason: String,
    /// How many.
    pub count: u64,
}

/// What a request of an import did, and where the next one goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportedPart {
    /// What came of this request's records.
    #[serde(flatten)]
    pub imported: Imported,
    /// Records of the export that came so far, without the people.
    pub done: u64,
    /// Records of the export, without the people.
    pub records: u64,
    /// Send this as `from` to go on; absent when all came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u64>,
}
