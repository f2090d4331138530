//! What an item and a comment of a source are here. What the tracker does not take is left out and told; a text that is
//! too long is cut off, and told.

use jiff::Timestamp;

use super::{Comment, Item, Origin, with_origin};
use crate::comment::{self, MAX_COMMENT, check_comment};
use crate::ids::{Actor, CommentId, ItemKey, MilestoneId, SprintId};
use crate::item::{self, ItemType, MAX_BODY, MAX_LABELS, MAX_TITLE, Priority, label_problem};
use crate::label::distinct;
use crate::name::is_visible;
use crate::refusal::FieldErrors;
use crate::untrusted::is_hidden;
use crate::workflow::{State, StateGroup};

/// Somebody of a source, as found here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// A member of the project.
    Member(Actor),
    /// No member, by the name at the source.
    Named(String),
}

impl Who {
    const fn name(this: Option<&Self>) -> Option<&str> {
        match this {
            Some(Self::Named(name)) => Some(name.as_str()),
            Some(Self::Member(_)) | None => None,
        }
    }

    fn member(this: Option<Self>) -> Option<Actor> {
        match this {
            Some(Self::Member(actor)) => Some(actor),
            Some(Self::Named(_)) | None => None,
        }
    }
}

/// Where an item comes to be here: what was found of what it names.
#[derive(Clone, Debug)]
pub struct Surroundings<'a> {
    /// The state that it names.
    pub state: &'a State,
    /// Who wrote it.
    pub author: Option<Who>,
    /// Who it is assigned to.
    pub assignee: Option<Who>,
    /// Its milestone.
    pub milestone: Option<MilestoneId>,
    /// Its sprint.
    pub sprint: Option<SprintId>,
    /// The item that it belongs to.
    pub parent: Option<ItemKey>,
    /// Who brings it in, and when.
    pub by: (Actor, Timestamp),
}

/// The item of a record, and what is left out of it.
///
/// # Errors
/// Every field without which it cannot come.
pub fn item(
    record: &Item,
    key: ItemKey,
    around: Surroundings<'_>,
) -> Result<(item::Item, Vec<String>), FieldErrors> {
    let mut notes = Vec::new();
    let Surroundings { state, author, assignee, milestone, sprint, mut parent, by: (by, now) } = around;
    let mut item_type = record.item_type.unwrap_or(ItemType::Task);
    if item_type == ItemType::Epic && parent.take().is_some() {
        notes.push("An epic belongs to no item here.".to_owned());
    }
    if item_type == ItemType::Subtask && parent.is_none() {
        item_type = ItemType::Task;
        notes.push("A subtask needs the item that it belongs to; it comes as a task.".to_owned());
    }
    let created_at = record.created_at.clamp(Timestamp::UNIX_EPOCH, now);
    let updated_at = record.updated_at.unwrap_or(created_at).clamp(created_at, now);
    let origin = Origin {
        key: record.key.as_deref(),
        url: record.url.as_deref(),
        author: Who::name(author.as_ref()),
        assignee: Who::name(assignee.as_ref()),
        at: created_at,
    };
    let body = text(&with_origin(&record.body, &origin), MAX_BODY, &mut notes);
    let creator = Who::member(author).unwrap_or(by);
    let title = title(&record.title, &mut notes);
    let mut item = item::Item::new(key, item_type, title, state.name.clone(), creator, created_at);
    item.body = body;
    item.updated_at = updated_at;
    item.enter(&state.name, state.group, created_at);
    if matches!(state.group, StateGroup::Resolved | StateGroup::Closed) {
        item.resolved_at = Some(record.closed_at.unwrap_or(updated_at).clamp(created_at, now));
    }
    item.priority = record.priority.unwrap_or(Priority::Medium);
    item.labels = distinct(&labels(&record.labels, &mut notes));
    item.assignee = Who::member(assignee);
    item.estimate = record.estimate;
    item.due = record.due;
    item.milestone = milestone;
    item.sprint = sprint.map(|id| id.to_string());
    item.parent = parent;
    item.check()?;
    Ok((item, notes))
}

/// The comment of a record, and what is left out of it.
///
/// # Errors
/// A text that is none.
pub fn comment(
    record: &Comment,
    id: CommentId,
    author: Option<Who>,
    (by, now): (Actor, Timestamp),
) -> Result<(comment::Comment, Vec<String>), FieldErrors> {
    let mut notes = Vec::new();
    check_comment(&text(&record.body, MAX_COMMENT, &mut Vec::new()))?;
    let created_at = record.created_at.clamp(Timestamp::UNIX_EPOCH, now);
    let origin = Origin { author: Who::name(author.as_ref()), at: created_at, ..Origin::default() };
    let body = text(&with_origin(&record.body, &origin), MAX_COMMENT, &mut notes);
    let author = Who::member(author).unwrap_or(by);
    let mut comment = comment::Comment::new(id, author, body, created_at);
    comment.edited_at = record.edited_at.map(|at| at.clamp(created_at, now));
    comment.imported_at = Some(now);
    Ok((comment, notes))
}

/// A text without NUL, and no longer than may be.
pub fn text(text: &str, most: usize, notes: &mut Vec<String>) -> String {
    let mut text = text.replace('\0', "");
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
        notes.push(format!("The text was cut off after {most} characters."));
    }
    text
}

/// A title of visible characters on one line, no longer than may be.
fn title(title: &str, notes: &mut Vec<String>) -> String {
    let mut title = title.trim().to_owned();
    if !is_visible(&title) || title.chars().any(char::is_control) {
        let shown = |c: char| {
            if c.is_whitespace() { Some(' ') } else { (!is_hidden(c) && !c.is_control()).then_some(c) }
        };
        title = title.chars().filter_map(shown).collect::<String>().trim().to_owned();
        notes.push("Invisible characters of the title were left out.".to_owned());
    }
    if let Some((end, _)) = title.char_indices().nth(MAX_TITLE) {
        title.truncate(end);
        title.truncate(title.trim_end().len());
        notes.push(format!("The title was cut off after {MAX_TITLE} characters."));
    }
    title
}

/// The labels that the tracker takes.
fn labels(names: &[String], notes: &mut Vec<String>) -> Vec<String> {
    let mut labels = Vec::new();
    for name in names.iter().map(|name| name.trim()) {
        match label_problem(name) {
            None if labels.len() < MAX_LABELS => labels.push(name.to_owned()),
            None => notes.push(format!("The label {name:?} was left out: an item has at most {MAX_LABELS}.")),
            Some(problem) => notes.push(format!("The label {name:?} was left out: {problem}")),
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use uuid::Uuid;

    use super::{Surroundings, Who, comment, item};
    use crate::ids::{Actor, ActorId, CommentId, ItemKey, UserId};
    use crate::import::{Comment, Item};
    use crate::item::ItemType;
    use crate::workflow::{State, StateGroup};

    fn person(number: u128, name: &str) -> Actor {
        Actor { id: ActorId::User(UserId(Uuid::from_u128(number))), name: name.into() }
    }

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn now() -> Timestamp {
        time("2026-01-05T09:00:00Z")
    }

    fn record() -> Item {
        Item {
            id: "7".into(),
            key: Some("#7".into()),
            url: None,
            title: " Search ".into(),
            body: "Text".into(),
            state: "Closed".into(),
            item_type: None,
            priority: None,
            labels: vec!["bug".into(), "Bug".into()],
            assignee: None,
            author: None,
            estimate: Some(3.0),
            due: None,
            milestone: None,
            sprint: None,
            parent: None,
            created_at: time("2020-03-01T10:00:00Z"),
            updated_at: Some(time("2020-03-03T10:00:00Z")),
            closed_at: Some(time("2020-03-02T10:00:00Z")),
        }
    }

    fn key(number: u64) -> ItemKey {
        ItemKey { project: "PRJ".parse().unwrap(), number }
    }

    fn around(state: &State) -> Surroundings<'_> {
        Surroundings {
            state,
            author: None,
            assignee: None,
            milestone: None,
            sprint: None,
            parent: None,
            by: (person(9, "Admin"), now()),
        }
    }

    #[test]
    fn an_item_keeps_its_times_and_a_member_as_its_author() {
        let closed = State::new("Closed", StateGroup::Closed);
        let author = Some(Who::Member(person(1, "Ada")));
        let assignee = Some(Who::Named("Grace".into()));
        let (item, notes) =
            item(&record(), key(1), Surroundings { author, assignee, ..around(&closed) }).unwrap();
        assert_eq!(
            (item.title.as_str(), item.created_by.name.as_str(), item.assignee),
            ("Search", "Ada", None)
        );
        assert_eq!(item.body, "Originally on 2020-03-01, assigned to Grace.\n\nText");
        assert_eq!(item.created_at, record().created_at);
        assert_eq!((Some(item.updated_at), item.resolved_at), (record().updated_at, record().closed_at));
        assert_eq!(item.labels.len(), 1);
        assert!(notes.is_empty(), "{notes:?}");
    }

    #[test]
    fn times_are_neither_in_the_future_nor_out_of_order() {
        let closed = State::new("Closed", StateGroup::Closed);
        let odd = Item {
            created_at: time("2030-01-01T00:00:00Z"),
            updated_at: Some(time("1900-01-01T00:00:00Z")),
            closed_at: Some(time("2999-01-01T00:00:00Z")),
            ..record()
        };
        let (item, _) = item(&odd, key(1), around(&closed)).unwrap();
        assert_eq!((item.created_at, item.updated_at, item.resolved_at), (now(), now(), Some(now())));
    }

    #[test]
    fn what_the_tracker_does_not_take_is_left_out_and_told() {
        let open = State::new("Backlog", StateGroup::Backlog);
        let odd = Item {
            title: format!("A\u{202e}B\0{}", "x".repeat(300)),
            body: format!("\0{}", "y".repeat(100_001)),
            labels: vec!["a,b".into(), "ok".into()],
            item_type: Some(ItemType::Subtask),
            ..record()
        };
        let (made, notes) = item(&odd, key(1), around(&open)).unwrap();
        assert_eq!((made.title.chars().count(), made.body.len()), (300, 100_000));
        assert!(made.title.starts_with("ABx"), "{}", made.title);
        assert_eq!((made.item_type, made.labels.len(), made.resolved_at), (ItemType::Task, 1, None));
        assert_eq!(notes.len(), 5, "{notes:#?}");
        let epic = Item { item_type: Some(ItemType::Epic), ..record() };
        let (made, notes) =
            item(&epic, key(2), Surroundings { parent: Some(key(1)), ..around(&open) }).unwrap();
        assert_eq!((made.parent, notes.len()), (None, 1));
        let subtask = Item { item_type: Some(ItemType::Subtask), ..record() };
        let (made, notes) =
            item(&subtask, key(2), Surroundings { parent: Some(key(1)), ..around(&open) }).unwrap();
        assert_eq!((made.item_type, made.parent, notes.len()), (ItemType::Subtask, Some(key(1)), 0));
        let wrong = item(&Item { title: "\u{200b}".into(), ..record() }, key(1), around(&open)).unwrap_err();
        assert_eq!(wrong.0.into_keys().collect::<Vec<_>>(), ["title"]);
    }

    #[test]
    fn a_comment_mentions_nobody_and_names_who_is_no_member() {
        let record = Comment {
            id: "c1".into(),
            item: "7".into(),
            author: Some("u1".into()),
            body: "@ada look".into(),
            created_at: time("2020-03-01T10:00:00Z"),
            edited_at: None,
        };
        let id = CommentId(Uuid::from_u128(1));
        let by = (person(9, "Admin"), now());
        let (made, _) = comment(&record, id, Some(Who::Named("Grace".into())), by.clone()).unwrap();
        assert_eq!((made.author.name.as_str(), made.imported_at), ("Admin", Some(now())));
        assert_eq!(made.body, "Originally by Grace on 2020-03-01.\n\n@ada look");
        assert!(made.mentions.is_empty());
        let (made, _) = comment(&record, id, Some(Who::Member(person(1, "Ada"))), by.clone()).unwrap();
        assert_eq!((made.author.name.as_str(), made.body.as_str()), ("Ada", "@ada look"));
        assert!(comment(&Comment { body: " \0".into(), ..record }, id, None, by).is_err());
    }
}
