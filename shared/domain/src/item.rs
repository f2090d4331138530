//! The work item: its fields, the checks on them, and how an edit changes it (specification section 2.2).
//!
//! Decides nothing about who may edit, and never touches claim or state: those are machines of their own
//! ([`crate::claim`], [`crate::workflow`]).

mod commenters;
mod counts;
mod words;
mod writer;

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::claim::Claim;
use crate::due::due_problem;
use crate::hierarchy;
use crate::ids::{Actor, ItemKey, MilestoneId, RunId};
use crate::item_link::ItemLink;
use crate::label::{distinct, folded};
pub(crate) use crate::label_name::{LABEL_SEPARATOR, LABELS, check_labels, labels_in_words};
pub use crate::label_name::{MAX_LABEL, MAX_LABELS, label_problem};
use crate::name::{text_problem, title_problem};
use crate::pull_request::PullRequest;
use crate::rank::Rank;
use crate::refusal::FieldErrors;
use crate::run::LastRun;
use crate::workflow::StateGroup;

pub use commenters::{Commenter, Commenters, MAX_COMMENTERS};
pub use counts::Counts;
pub use words::{ItemType, Priority};
pub use writer::Writer;

/// A work item as stored.
///
/// Two numbers tell its states apart. The row's version counts every write, and commits demand it. The
/// `revision` counts what people would call a change: it is the `version` of the API. A heartbeat raises the
/// first only, so that a working agent does not make the version stale that another person is editing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// Its key.
    pub key: ItemKey,
    /// Changes so far, its creation included; heartbeats are none.
    pub revision: u64,
    /// Kind of work.
    pub item_type: ItemType,
    /// Title: one line of 1 to 300 characters.
    pub title: String,
    /// Description, Markdown, at most 100,000 characters.
    pub body: String,
    /// Name of the workflow state.
    pub state: String,
    /// Priority.
    pub priority: Priority,
    /// Labels.
    pub labels: BTreeSet<String>,
    /// Estimated effort.
    pub estimate: Option<f64>,
    /// Effort left.
    pub remaining: Option<f64>,
    /// The assignee.
    pub assignee: Option<Actor>,
    /// The item that it belongs to.
    pub parent: Option<ItemKey>,
    /// Id of the sprint that it is planned in.
    pub sprint: Option<String>,
    /// The milestone that it belongs to. Absent in rows from before there were milestones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub milestone: Option<MilestoneId>,
    /// Its place in the order given by hand. `None`, as in rows from before there were ranks: nobody moved
    /// it, and it has the rank of its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<Rank>,
    /// Whether a person says that something else must happen first. See [`Item::is_blocked`].
    pub blocked: bool,
    /// Whether an item that blocks it is open. Absent in rows from before there were links between items.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_open_blocker: bool,
    /// Links with other items, in order. Absent likewise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub item_links: Vec<ItemLink>,
    /// The day by which it should be done. Absent in rows from before there were such days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<Date>,
    /// When it came into a state of the group resolved or closed from one of another group. Absent while it is in
    /// none, and of items that came there before this was noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_at: Option<Timestamp>,
    /// When it left the backlog, if it has not returned since. Absent of items that left it before this was noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// The claim on it.
    pub claim: Option<Claim>,
    /// Its queued, assigned or running run: at most one, because it is this field.
    pub live_run: Option<RunId>,
    /// Its last run that ended. Absent of items whose last run ended before this was noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_run: Option<Box<LastRun>>,
    /// Pull requests by URL, in the order they were linked.
    pub links: Vec<String>,
    /// What the code host told of those.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pull_requests: Vec<PullRequest>,
    /// Its comments and attachments. Absent in rows from before they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<Counts>,
    /// The commenters. Empty likewise, until the next comment.
    #[serde(default, skip_serializing_if = "Commenters::is_empty")]
    pub commenters: Commenters,
    /// The creator.
    pub created_by: Actor,
    /// The last author of its title.
    #[serde(default, skip_serializing_if = "Writer::is_unknown")]
    pub title_by: Writer,
    /// The last author of its description. Ticking a task is not writing.
    #[serde(default, skip_serializing_if = "Writer::is_unknown")]
    pub body_by: Writer,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Its key before it was moved here from another project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub former_key: Option<ItemKey>,
    /// Its very first key, if it was moved from another project since this is noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_key: Option<ItemKey>,
    /// Sort key of its row in the project feed, which a change replaces.
    pub feed_sk: String,
}

/// The milestone, as changes name the field.
pub const MILESTONE: &str = "milestone";
/// Longest title, in characters.
pub const MAX_TITLE: usize = 300;
/// Longest description, in characters.
pub const MAX_BODY: usize = 100_000;
/// Most pull requests linked to one item by people.
pub const MAX_LINKS: usize = 50;

/// What an edit does to the labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabelEdit {
    /// Leaves them.
    Keep,
    /// Sets them.
    Replace(Vec<String>),
    /// Adds some and removes some.
    Change {
        /// Labels to add.
        add: Vec<String>,
        /// Labels to remove.
        remove: Vec<String>,
    },
}

/// A wanted change of an item's fields; `None` leaves a field, `Some(None)` clears it.
#[derive(Clone, Debug)]
pub struct ItemEdit {
    /// New title.
    pub title: Option<String>,
    /// New description.
    pub body: Option<String>,
    /// New kind of work.
    pub item_type: Option<ItemType>,
    /// New priority.
    pub priority: Option<Priority>,
    /// What happens to the labels.
    pub labels: LabelEdit,
    /// New estimate.
    pub estimate: Option<Option<f64>>,
    /// New effort left.
    pub remaining: Option<Option<f64>>,
    /// New assignee, already found among the project's members.
    pub assignee: Option<Option<Actor>>,
    /// New parent, already found in the project.
    pub parent: Option<Option<ItemKey>>,
    /// New value of blocked.
    pub blocked: Option<bool>,
    /// New day by which it should be done.
    pub due: Option<Option<Date>>,
    /// New milestone, already found in the project.
    pub milestone: Option<Option<MilestoneId>>,
}

impl Default for ItemEdit {
    fn default() -> Self {
        Self {
            title: None,
            body: None,
            item_type: None,
            priority: None,
            labels: LabelEdit::Keep,
            estimate: None,
            remaining: None,
            assignee: None,
            parent: None,
            blocked: None,
            due: None,
            milestone: None,
        }
    }
}

/// One field that an edit changed, as the history tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChange {
    /// Name of the field as on the wire.
    pub field: &'static str,
    /// Value before; `None` where there was none, and for long texts.
    pub from: Option<String>,
    /// Value after; likewise.
    pub to: Option<String>,
}

impl Item {
    /// A new item, of medium priority and without anything that may be absent.
    pub const fn new(
        key: ItemKey,
        item_type: ItemType,
        title: String,
        state: String,
        created_by: Actor,
        now: Timestamp,
    ) -> Self {
        Self {
            key,
            revision: 1,
            item_type,
            title,
            body: String::new(),
            state,
            priority: Priority::Medium,
            labels: BTreeSet::new(),
            estimate: None,
            remaining: None,
            assignee: None,
            parent: None,
            sprint: None,
            milestone: None,
            rank: None,
            blocked: false,
            has_open_blocker: false,
            item_links: Vec::new(),
            due: None,
            resolved_at: None,
            started_at: None,
            claim: None,
            live_run: None,
            last_run: None,
            links: Vec::new(),
            pull_requests: Vec::new(),
            counts: Some(Counts { comments: 0, attachments: 0, changes: 0 }),
            commenters: Commenters(Vec::new()),
            created_by,
            title_by: Writer::Creator,
            body_by: Writer::Creator,
            created_at: now,
            updated_at: now,
            former_key: None,
            first_key: None,
            feed_sk: String::new(),
        }
    }

    /// Applies an edit and says what changed: nothing where the values were the same.
    ///
    /// # Errors
    /// Every field that is not acceptable, with the item untouched.
    pub fn edit(&mut self, edit: ItemEdit, by: &Actor) -> Result<Vec<FieldChange>, FieldErrors> {
        let mut next = self.clone();
        if let Some(title) = edit.title {
            next.title = title.trim().to_owned();
        }
        if let Some(body) = edit.body {
            next.body = body;
        }
        next.item_type = edit.item_type.unwrap_or(next.item_type);
        next.priority = edit.priority.unwrap_or(next.priority);
        match edit.labels {
            LabelEdit::Keep => {}
            LabelEdit::Replace(labels) => next.labels = distinct(&labels),
            LabelEdit::Change { add, remove } => {
                let removed: BTreeSet<_> = remove.iter().map(|label| folded(label)).collect();
                next.labels = distinct(next.labels.iter().chain(&add));
                next.labels.retain(|label| !removed.contains(&folded(label)));
            }
        }
        next.estimate = edit.estimate.unwrap_or(next.estimate);
        next.remaining = edit.remaining.unwrap_or(next.remaining);
        next.assignee = edit.assignee.unwrap_or(next.assignee);
        next.parent = edit.parent.unwrap_or(next.parent);
        // What a client sends back as it read it is no word of a person.
        next.blocked = match edit.blocked {
            Some(blocked) if blocked != self.is_blocked() || !blocked => blocked,
            Some(_) | None => next.blocked,
        };
        next.due = edit.due.unwrap_or(next.due);
        next.milestone = edit.milestone.unwrap_or(next.milestone);
        let mut errors = next.check().err().unwrap_or_default();
        let place = |item: &Self| (item.item_type, item.parent.is_some());
        hierarchy::check_change(place(self), place(&next), &mut errors);
        errors.into_result()?;
        if next.title != self.title {
            next.title_by = Writer::of(by, &self.created_by);
        }
        if next.body != self.body {
            next.body_by = Writer::of(by, &self.created_by);
        }
        let changes = self.changes_to(&next);
        *self = next;
        Ok(changes)
    }

    /// Puts the item into a state of this group at this time.
    pub fn enter(&mut self, state: &str, group: StateGroup, now: Timestamp) {
        state.clone_into(&mut self.state);
        (self.started_at, self.resolved_at) = match group {
            StateGroup::Backlog => (None, None),
            StateGroup::Active => (self.started_at.or(Some(now)), None),
            StateGroup::Resolved | StateGroup::Closed => (self.started_at, self.resolved_at.or(Some(now))),
        };
    }

    /// Whether every field is acceptable.
    ///
    /// # Errors
    /// Every field that is not.
    pub fn check(&self) -> Result<(), FieldErrors> {
        let mut errors = FieldErrors::default();
        if let Some(problem) = title_problem(&self.title, MAX_TITLE) {
            errors.add("title", problem);
        }
        if let Some(problem) = text_problem("A description", &self.body, MAX_BODY) {
            errors.add("body", problem);
        }
        check_labels(&self.labels, &mut errors);
        for (field, value) in [("estimate", self.estimate), ("remaining", self.remaining)] {
            if value.is_some_and(|n| !n.is_finite() || !(0.0..=1_000_000.0).contains(&n)) {
                errors.add(field, "Give a number from 0 to 1,000,000.");
            }
        }
        if let Some(problem) = self.due.and_then(due_problem) {
            errors.add("due", problem);
        }
        if self.parent.as_ref() == Some(&self.key) {
            errors.add("parent", "An item cannot be its own parent.");
        }
        errors.into_result()
    }

    fn changes_to(&self, next: &Self) -> Vec<FieldChange> {
        let text = |value: &str| Some(value.to_owned());
        let number = |value: Option<f64>| value.map(|n| n.to_string());
        let pairs = [
            ("title", text(&self.title), text(&next.title)),
            ("type", text(self.item_type.as_str()), text(next.item_type.as_str())),
            ("priority", text(self.priority.as_str()), text(next.priority.as_str())),
            (LABELS, labels_in_words(&self.labels), labels_in_words(&next.labels)),
            ("estimate", number(self.estimate), number(next.estimate)),
            ("remaining", number(self.remaining), number(next.remaining)),
            (
                "assignee",
                self.assignee.as_ref().map(|a| a.name.clone()),
                next.assignee.as_ref().map(|a| a.name.clone()),
            ),
            (
                "parent",
                self.parent.as_ref().map(ToString::to_string),
                next.parent.as_ref().map(ToString::to_string),
            ),
            ("blocked", text(bool_word(self.blocked)), text(bool_word(next.blocked))),
            ("due", self.due.map(|day| day.to_string()), next.due.map(|day| day.to_string())),
            (MILESTONE, self.milestone.map(|id| id.to_string()), next.milestone.map(|id| id.to_string())),
        ];
        let mut changes: Vec<FieldChange> = pairs
            .into_iter()
            .filter(|(_, from, to)| from != to)
            .map(|(field, from, to)| FieldChange { field, from, to })
            .collect();
        if self.body != next.body {
            changes.push(FieldChange { field: "body", from: None, to: None });
        }
        changes
    }
}

const fn bool_word(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

#[cfg(test)]
mod tests {
    use super::{
        Item, ItemEdit, ItemType, LabelEdit, MAX_LABELS, MAX_TITLE, Priority, Writer, label_problem,
    };
    use crate::ids::{Actor, ActorId, UserId};
    use crate::workflow::StateGroup;
    use uuid::Uuid;

    fn person(number: u128, name: &str) -> Actor {
        Actor { id: ActorId::User(UserId(Uuid::from_u128(number))), name: name.into() }
    }

    fn ada() -> Actor {
        person(1, "Ada")
    }

    fn item() -> Item {
        let now = "2026-01-01T12:00:00Z".parse().unwrap();
        let (title, state) = ("Fix it".to_owned(), "Backlog".to_owned());
        Item::new("PRJ-1".parse().unwrap(), ItemType::Bug, title, state, ada(), now)
    }

    fn labels(labels: &[&str]) -> Vec<String> {
        labels.iter().map(|label| (*label).to_owned()).collect()
    }

    #[test]
    fn an_item_carries_a_label_once_however_it_is_written() {
        let mut item = item();
        let mut edit = |labels| {
            item.edit(ItemEdit { labels, ..ItemEdit::default() }, &ada()).unwrap();
            item.labels.iter().cloned().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(edit(LabelEdit::Replace(labels(&["Bug", "bug", "e\u{301}te\u{301}", "été"]))), "Bug été");
        let change =
            |add: &[&str], remove: &[&str]| LabelEdit::Change { add: labels(add), remove: labels(remove) };
        assert_eq!(edit(change(&["BUG", "ui"], &[])), "Bug ui été", "it stays as it is written");
        assert_eq!(edit(change(&[], &["bug", "E\u{301}TÉ"])), "ui");
    }

    #[test]
    fn what_nobody_sees_is_neither_a_label_nor_a_title() {
        for label in [
            "\u{200b}",
            "a\u{200b}",
            "\u{202e}a",
            "\u{200d}",
            "\u{ad}",
            ".",
            "..",
            " a",
            "a ",
            "a  b",
            "a\tb",
        ] {
            assert!(label_problem(label).is_some(), "{label:?}");
        }
        for label in ["a.b", "...", "👩\u{200d}💻", "می\u{200c}خواهم", "c++", "ünïcode", "needs review"]
        {
            assert_eq!(label_problem(label), None);
        }
        let edit = ItemEdit { title: Some("\u{200b} \u{2060}".into()), ..ItemEdit::default() };
        assert_eq!(item().edit(edit, &ada()).unwrap_err().0.into_keys().collect::<Vec<_>>(), ["title"]);
    }

    #[test]
    fn an_edit_tells_what_it_changed_and_nothing_else() {
        let mut item = item();
        let edit = ItemEdit {
            title: Some("  Fix it ".into()),
            priority: Some(Priority::High),
            labels: LabelEdit::Replace(labels(&["b", "a"])),
            estimate: Some(Some(2.5)),
            body: Some("Why".into()),
            ..ItemEdit::default()
        };
        let changes = item.edit(edit.clone(), &ada()).unwrap();
        let told: Vec<_> = changes.iter().map(|c| (c.field, c.from.as_deref(), c.to.as_deref())).collect();
        assert_eq!(
            told,
            [
                ("priority", Some("medium"), Some("high")),
                ("labels", None, Some("a, b")),
                ("estimate", None, Some("2.5")),
                ("body", None, None),
            ]
        );
        assert_eq!(item.edit(edit, &ada()).unwrap(), [], "the same edit again changes nothing");
    }

    #[test]
    fn an_item_knows_who_wrote_each_of_its_texts_last() {
        let (mut item, bob) = (item(), person(2, "Bob"));
        assert_eq!((&item.title_by, &item.body_by), (&Writer::Creator, &Writer::Creator));
        let words = |text: &str| ItemEdit { body: Some(text.to_owned()), ..ItemEdit::default() };
        item.edit(words("Bob's words"), &bob).unwrap();
        item.edit(ItemEdit { estimate: Some(Some(3.0)), ..words("Bob's words") }, &ada()).unwrap();
        assert_eq!((&item.title_by, &item.body_by), (&Writer::Creator, &Writer::Other(bob)));
        item.edit(words("Ada's words"), &ada()).unwrap();
        assert_eq!(item.body_by, Writer::Creator);
    }

    #[test]
    fn labels_are_added_and_removed() {
        let mut item = item();
        item.labels = ["keep", "drop"].map(str::to_owned).into();
        let (add, remove) = (labels(&["new", "keep"]), labels(&["drop", "absent"]));
        let change = LabelEdit::Change { add, remove };
        item.edit(ItemEdit { labels: change, ..ItemEdit::default() }, &ada()).unwrap();
        assert_eq!(item.labels, ["keep", "new"].map(str::to_owned).into());
    }

    #[test]
    fn an_item_is_resolved_when_it_leaves_the_work_and_not_again() {
        let mut item = item();
        let at = |second| jiff::Timestamp::from_second(second).unwrap();
        let mut entered = |group, second| {
            item.enter("Any", group, at(second));
            (item.started_at, item.resolved_at)
        };
        let times = |started: i64, resolved: i64| (Some(at(started)), Some(at(resolved)));
        assert_eq!(entered(StateGroup::Active, 1), (Some(at(1)), None));
        assert_eq!(entered(StateGroup::Resolved, 2), times(1, 2));
        assert_eq!(entered(StateGroup::Closed, 3), times(1, 2));
        assert_eq!(entered(StateGroup::Active, 4), (Some(at(1)), None));
        assert_eq!(entered(StateGroup::Backlog, 5), (None, None));
        assert_eq!(entered(StateGroup::Closed, 6), (None, Some(at(6))));
    }

    #[test]
    fn an_item_is_due_on_a_day_of_our_time() {
        let due = |day: &str| ItemEdit { due: Some(Some(day.parse().unwrap())), ..ItemEdit::default() };
        let changes = item().edit(due("2026-02-28"), &ada()).unwrap();
        assert_eq!(
            changes.iter().map(|change| change.to.as_deref()).collect::<Vec<_>>(),
            [Some("2026-02-28")]
        );
        for wrong in ["0026-02-28", "3000-01-01", "-000001-01-01"] {
            assert_eq!(
                item().edit(due(wrong), &ada()).unwrap_err().0.into_keys().collect::<Vec<_>>(),
                ["due"],
                "{wrong}"
            );
        }
    }

    #[test]
    fn every_bad_field_is_named_and_the_item_stays() {
        let mut item = item();
        let before = item.clone();
        let errors = item
            .edit(
                ItemEdit {
                    title: Some("t".repeat(MAX_TITLE + 1)),
                    labels: LabelEdit::Replace((0..=MAX_LABELS).map(|n| n.to_string()).collect()),
                    estimate: Some(Some(-1.0)),
                    remaining: Some(Some(f64::NAN)),
                    parent: Some(Some(before.key.clone())),
                    ..ItemEdit::default()
                },
                &ada(),
            )
            .unwrap_err();
        let fields: Vec<_> = errors.0.keys().map(String::as_str).collect();
        assert_eq!(fields, ["estimate", "labels", "parent", "remaining", "title"]);
        assert_eq!(item, before);
    }

    #[test]
    fn a_title_is_one_line_and_a_label_has_no_separators() {
        for title in ["", " \t", "two\nlines", "nul\0"] {
            let edit = ItemEdit { title: Some(title.into()), ..ItemEdit::default() };
            assert!(item().edit(edit, &ada()).is_err(), "{title:?}");
        }
        for label in ["", "two  spaces", " a", "a ", "tab\tbed", "a,b", "-a", "+a", "\"a\""] {
            let edit = ItemEdit { labels: LabelEdit::Replace(labels(&[label])), ..ItemEdit::default() };
            assert!(item().edit(edit, &ada()).is_err(), "{label:?}");
        }
    }
}
