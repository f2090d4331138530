//! Trello: the JSON of a board. Checklists become task lists. Only the newest 1,000 actions are in it, so older comments
//! are missing.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use svc_api::records::{AttachmentRecord, CommentRecord};
use svc_api::tracker::StateGroup;

use super::found::FoundItem;
use super::gathered::Gathered;
use super::input::{Dates, Input};
use crate::failure::Failure;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Board {
    id: String,
    lists: Vec<List>,
    cards: Vec<Card>,
    #[serde(default)]
    checklists: Vec<Checklist>,
    #[serde(default)]
    labels: Vec<Label>,
    #[serde(default)]
    members: Vec<Member>,
    #[serde(default)]
    actions: Vec<Action>,
}

#[derive(Deserialize)]
struct List {
    id: String,
    name: String,
    #[serde(default)]
    closed: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct Card {
    id: String,
    id_short: Option<u64>,
    name: String,
    desc: String,
    id_list: String,
    id_labels: Vec<String>,
    id_members: Vec<String>,
    id_checklists: Vec<String>,
    due: Option<String>,
    due_complete: bool,
    closed: bool,
    date_last_activity: Option<String>,
    short_url: Option<String>,
    attachments: Vec<File>,
    custom_field_items: Vec<serde::de::IgnoredAny>,
    badges: Badges,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Badges {
    comments: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    id: String,
    #[serde(default)]
    name: String,
    url: Option<String>,
    bytes: Option<u64>,
    mime_type: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Checklist {
    id: String,
    name: String,
    #[serde(default)]
    check_items: Vec<CheckItem>,
}

#[derive(Deserialize)]
struct CheckItem {
    name: String,
    #[serde(default)]
    state: String,
    #[serde(default)]
    pos: f64,
}

#[derive(Deserialize)]
struct Label {
    id: String,
    #[serde(default)]
    name: String,
    color: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Member {
    id: String,
    #[serde(default)]
    username: String,
    full_name: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Action {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    id_member_creator: Option<String>,
    member_creator: Option<Member>,
    date: Option<String>,
    #[serde(default)]
    data: Data,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Data {
    text: Option<String>,
    card: Option<Named>,
    date_last_edited: Option<String>,
}

#[derive(Deserialize)]
struct Named {
    id: String,
}

/// Most actions that an export has.
const MOST_ACTIONS: usize = 1_000;
/// Colours of labels that Trello names.
const COLORS: &[(&str, &str)] = &[
    ("green", "#4bce97"),
    ("yellow", "#e2b203"),
    ("orange", "#faa53d"),
    ("red", "#f87462"),
    ("purple", "#9f8fef"),
    ("blue", "#579dff"),
    ("sky", "#60c6d2"),
    ("lime", "#94c748"),
    ("pink", "#e774bb"),
    ("black", "#8590a2"),
];

/// Reads a board.
///
/// # Errors
/// It is not the export of a board.
pub(crate) fn read(input: &Input<'_>, dates: &Dates, gathered: &mut Gathered) -> Result<(), Failure> {
    let bytes = std::io::BufReader::new((input.open)()?);
    let board: Board = serde_json::from_reader(bytes).map_err(|error| {
        Failure::rejected(format!("{} is not the JSON of a Trello board: {error}", input.name))
            .hint("on the board, choose Menu > Print, export, and share > Export as JSON")
    })?;
    gathered.name_source(&format!("trello:{}", board.id));
    let people = people(&board, gathered);
    let lists: HashMap<_, _> = board.lists.iter().map(|list| (list.id.as_str(), list)).collect();
    let labels = labels(&board.labels, gathered)?;
    let checklists: HashMap<_, _> = board.checklists.iter().map(|list| (list.id.as_str(), list)).collect();
    let created =
        board.actions.iter().filter(|action| matches!(action.kind.as_str(), "createCard" | "copyCard"));
    let creators: HashMap<_, _> = created
        .filter_map(|action| {
            Some((action.data.card.as_ref()?.id.as_str(), action.id_member_creator.as_deref()?))
        })
        .collect();
    let mut comments = comments(&board.actions, &people, dates, gathered)?;
    for card in &board.cards {
        let list = lists.get(card.id_list.as_str());
        let state = list.map(|list| list.name.clone()).unwrap_or_default();
        let archived = card.closed || list.is_some_and(|list| list.closed);
        let state = if archived { format!("{state} (archived)") } else { state };
        let created = created_at(&card.id).unwrap_or(gathered.now);
        let mut found = FoundItem::new(&card.id, &card.name, state, created);
        let item = &mut found.item;
        item.key = card.id_short.map(|number| format!("#{number}"));
        item.url = card.short_url.clone();
        item.body = Some(body(card, &checklists));
        item.labels = card.id_labels.iter().filter_map(|id| labels.get(id).cloned()).collect();
        item.author = creators.get(card.id.as_str()).and_then(|id| people.get(*id).cloned());
        item.assignee = card.id_members.first().and_then(|id| people.get(id).cloned());
        item.due = card.due.as_deref().and_then(|due| dates.plain().day(due));
        item.updated_at = card.date_last_activity.as_deref().and_then(|time| dates.plain().time(time));
        tell(card, &mut comments, &people, gathered)?;
        gathered.item(found, archived.then_some(StateGroup::Closed))?;
        for file in &card.attachments {
            gathered.attachment(&AttachmentRecord {
                id: file.id.clone(),
                item: card.id.clone(),
                comment: None,
                name: if file.name.is_empty() { file.id.clone() } else { file.name.clone() },
                media_type: file.mime_type.clone().filter(|kind| !kind.is_empty()),
                size: file.bytes,
                file: None,
                url: file.url.clone(),
            })?;
        }
    }
    if board.actions.len() >= MOST_ACTIONS {
        let why = "Trello exports the newest 1,000 actions: older comments are missing";
        gathered.report.miss("board", &board.id, why)?;
    }
    Ok(())
}

/// The person of each member, among them those who left and are only in actions.
fn people(board: &Board, gathered: &mut Gathered) -> HashMap<String, String> {
    let creators = board.actions.iter().filter_map(|action| action.member_creator.as_ref());
    let all = board.members.iter().chain(creators);
    all.filter_map(|member| {
        let id = if member.username.is_empty() { &member.id } else { &member.username };
        Some((member.id.clone(), gathered.person(id, member.full_name.as_deref(), None)?))
    })
    .collect()
}

/// The name of each label; one without a name is called by its colour.
fn labels(labels: &[Label], gathered: &mut Gathered) -> Result<BTreeMap<String, String>, Failure> {
    let mut names = BTreeMap::new();
    for label in labels {
        let color = label.color.as_deref().unwrap_or_default();
        let name = if label.name.trim().is_empty() { color } else { label.name.trim() };
        let base = color.split('_').next().unwrap_or_default();
        let color = COLORS.iter().find(|(name, _)| *name == base).map(|(_, color)| *color);
        if let Some(name) = gathered.label(name, color)? {
            names.insert(label.id.clone(), name);
        }
    }
    Ok(names)
}

/// The description, and the checklists as task lists.
fn body(card: &Card, checklists: &HashMap<&str, &Checklist>) -> String {
    let mut body = card.desc.trim_end().to_owned();
    for checklist in card.id_checklists.iter().filter_map(|id| checklists.get(id.as_str())) {
        let mut items: Vec<_> = checklist.check_items.iter().collect();
        items.sort_by(|one, other| one.pos.total_cmp(&other.pos));
        body.push_str(&format!("\n\n## {}\n", checklist.name));
        for item in items {
            let mark = if item.state == "complete" { 'x' } else { ' ' };
            body.push_str(&format!("\n- [{mark}] {}", item.name.replace('\n', " ")));
        }
    }
    body.trim_start().to_owned()
}

/// Says what of a card does not come.
fn tell(
    card: &Card,
    comments: &mut HashMap<String, u64>,
    people: &HashMap<String, String>,
    gathered: &mut Gathered,
) -> Result<(), Failure> {
    for other in card.id_members.iter().skip(1) {
        let name = people.get(other).unwrap_or(other);
        gathered.report.miss("assignee", &format!("{} {name}", card.id), "an item has one assignee")?;
    }
    if card.due_complete {
        gathered.report.miss("due", &card.id, "its due day was marked as complete")?;
    }
    if !card.custom_field_items.is_empty() {
        gathered.report.miss("fields", &card.id, "there is no place for its custom fields")?;
    }
    let found = comments.remove(&card.id).unwrap_or_default();
    if card.badges.comments > found {
        let why = format!("the export lacks some of its comments: {}", card.badges.comments - found);
        gathered.report.miss("comments", &card.id, &why)?;
    }
    Ok(())
}

/// Takes the comments, and answers how many each card has.
fn comments(
    actions: &[Action],
    people: &HashMap<String, String>,
    dates: &Dates,
    gathered: &mut Gathered,
) -> Result<HashMap<String, u64>, Failure> {
    let (mut counts, times) = (HashMap::new(), dates.plain());
    // The newest are first.
    for action in actions
        .iter()
        .rev()
        .filter(|action| matches!(action.kind.as_str(), "commentCard" | "copyCommentCard"))
    {
        let (Some(card), Some(body)) = (&action.data.card, &action.data.text) else { continue };
        *counts.entry(card.id.clone()).or_insert(0) += 1;
        let created_at = action.date.as_deref().and_then(|time| times.time(time)).unwrap_or(gathered.now);
        gathered.comment(CommentRecord {
            id: action.id.clone(),
            item: card.id.clone(),
            author: action.id_member_creator.as_ref().and_then(|id| people.get(id).cloned()),
            body: body.clone(),
            created_at,
            edited_at: action.data.date_last_edited.as_deref().and_then(|time| times.time(time)),
        })?;
    }
    Ok(counts)
}

/// When a card was created: its id begins with the seconds since 1970.
fn created_at(id: &str) -> Option<jiff::Timestamp> {
    let seconds = i64::from_str_radix(id.get(..8)?, 16).ok()?;
    jiff::Timestamp::from_second(seconds).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::read;
    use crate::input::testing::{self, all, utc};

    #[test]
    fn a_board_with_every_trap() {
        let board = json!({
            "id": "b1", "name": "Board",
            "actions": [
                { "id": "a2", "type": "commentCard", "idMemberCreator": "gone", "date": "2026-09-28T10:00:00.000Z",
                  "memberCreator": { "id": "gone", "username": "left", "fullName": "Has Left" },
                  "data": { "text": "Second", "card": { "id": "68d7a1000000000000000001" } } },
                { "id": "a1", "type": "commentCard", "idMemberCreator": "m1", "date": "2026-09-27T10:00:00.000Z",
                  "data": { "text": "First", "card": { "id": "68d7a1000000000000000001" }, "dateLastEdited": "2026-09-27T11:00:00.000Z" } },
                { "id": "a0", "type": "createCard", "idMemberCreator": "m1", "data": { "card": { "id": "68d7a1000000000000000001" } } },
                { "id": "a9", "type": "updateBoard", "data": {} }
            ],
            "lists": [{ "id": "l1", "name": "Doing", "closed": false }, { "id": "l2", "name": "Old", "closed": true }],
            "labels": [{ "id": "g", "name": "", "color": "green" }, { "id": "r", "name": "Bug", "color": "red_dark" }],
            "members": [{ "id": "m1", "username": "ada", "fullName": "Ada King" }],
            "checklists": [{ "id": "c1", "name": "Steps", "checkItems": [
                { "name": "two", "state": "incomplete", "pos": 2.0 }, { "name": "one", "state": "complete", "pos": 1.0 }
            ] }],
            "cards": [
                { "id": "68d7a1000000000000000001", "idShort": 7, "name": "Card", "desc": "Text\r\n", "idList": "l1",
                  "idLabels": ["g", "r"], "idMembers": ["m1", "gone"], "idChecklists": ["c1"], "due": "2026-10-01T12:00:00.000Z",
                  "dueComplete": true, "closed": false, "dateLastActivity": "2026-09-28T10:00:00.000Z",
                  "shortUrl": "https://trello.example/c/x", "badges": { "comments": 3 }, "customFieldItems": [{}],
                  "attachments": [{ "id": "f1", "name": "shot.png", "url": "https://trello.example/shot.png", "bytes": 12, "mimeType": "image/png" }] },
                { "id": "68d7a1000000000000000002", "name": "Archived", "idList": "l1", "closed": true },
                { "id": "68d7a1000000000000000003", "name": "In a closed list", "idList": "l2" }
            ]
        });
        let mut gathered = testing::read("board.json", board.to_string().as_bytes(), |input, gathered| {
            read(input, &utc(), gathered)
        })
        .unwrap();
        insta::assert_json_snapshot!(all(&mut gathered));
    }

    #[test]
    fn something_else_is_refused() {
        let read = testing::read("x.json", b"[]", |input, gathered| read(input, &utc(), gathered));
        assert!(read.err().unwrap().title.contains("is not the JSON of a Trello board"));
    }
}
