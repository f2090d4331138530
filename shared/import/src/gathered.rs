//! What the readers found in an export: small things in memory, items, comments, links and attachments in temporary
//! files. Texts, titles and labels are made such as this service takes them; what is lost by that is in the report.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use svc_api::records::{
    AttachmentRecord, CommentRecord, LabelRecord, LinkRecord, MAX_ID, MilestoneRecord, PersonRecord,
    SprintRecord,
};
use svc_api::tracker::{LinkKind, StateGroup};
use svc_domain::comment::MAX_COMMENT;
use svc_domain::item::MAX_BODY;
use svc_domain::label_name::MAX_LABELS;
use tempfile::TempDir;

use super::bounds::Bounds;
use super::clean;
use super::found::FoundItem;
use super::report::Report;
use super::spool::Spool;
use crate::failure::Failure;

/// Characters that the service may add to a text: who wrote it where, and links to files.
const ADDED: usize = 2_000;
/// Largest estimate.
const MOST_ESTIMATED: f64 = 1_000_000.0;

/// A word of the source that becomes one of the target's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// Items that have it.
    pub count: u64,
    /// The group that the source puts it in.
    pub group: Option<StateGroup>,
}

/// All that was found.
#[derive(Debug)]
pub struct Gathered {
    /// The source and its project: `github:acme/shop`.
    pub source: String,
    /// Comments that items say they have, in files of their own.
    pub comments_told: u64,
    /// The time that stands for one that the source does not tell.
    pub now: Timestamp,
    /// People, by id.
    pub people: BTreeMap<String, PersonRecord>,
    /// Labels, by name in lower case.
    pub labels: BTreeMap<String, LabelRecord>,
    /// Milestones, by id.
    pub milestones: BTreeMap<String, MilestoneRecord>,
    /// Sprints, by id.
    pub sprints: BTreeMap<String, SprintRecord>,
    /// Items.
    pub items: Spool<FoundItem>,
    /// Comments.
    pub comments: Spool<CommentRecord>,
    /// Links.
    pub links: Spool<LinkRecord>,
    /// Attachments.
    pub attachments: Spool<AttachmentRecord>,
    /// The source's states.
    pub states: BTreeMap<String, Word>,
    /// The source's types.
    pub types: BTreeMap<String, Word>,
    /// The source's priorities.
    pub priorities: BTreeMap<String, Word>,
    /// What does not come.
    pub report: Report,
    pub(crate) bounds: Bounds,
    /// The number of each item.
    pub(super) numbers: HashMap<String, usize>,
    /// The parent of each item, by number.
    pub(super) parents: Vec<Option<String>>,
    /// Other ids of items.
    pub(super) aliases: HashMap<String, String>,
    linked: HashSet<(String, String, &'static str)>,
    relabelled: BTreeSet<String>,
    /// Where the files of the attachments are.
    folder: Option<PathBuf>,
    /// The same, where it goes away with the program.
    unpacked: Option<TempDir>,
}

impl Gathered {
    /// Nothing yet.
    ///
    /// # Errors
    /// There is no place for temporary files.
    pub fn new(source: &str) -> Result<Self, Failure> {
        Ok(Self {
            source: source.to_owned(),
            comments_told: 0,
            now: Timestamp::UNIX_EPOCH,
            people: BTreeMap::new(),
            labels: BTreeMap::new(),
            milestones: BTreeMap::new(),
            sprints: BTreeMap::new(),
            items: Spool::new()?,
            comments: Spool::new()?,
            links: Spool::new()?,
            attachments: Spool::new()?,
            states: BTreeMap::new(),
            types: BTreeMap::new(),
            priorities: BTreeMap::new(),
            report: Report::new()?,
            bounds: Bounds::NONE,
            numbers: HashMap::new(),
            parents: Vec::new(),
            aliases: HashMap::new(),
            linked: HashSet::new(),
            relabelled: BTreeSet::new(),
            folder: None,
            unpacked: None,
        })
    }

    /// Finds no more than so much.
    pub const fn bound(&mut self, bounds: Bounds) {
        self.bounds = bounds;
        self.items.most = bounds.unpacked;
        self.comments.most = bounds.unpacked;
        self.links.most = bounds.unpacked;
        self.attachments.most = bounds.unpacked;
        self.report.misses.most = bounds.unpacked;
    }

    /// Refuses what names more than there is room for.
    fn check_room(&self) -> Result<(), Failure> {
        let names = self.people.len() + self.labels.len() + self.milestones.len() + self.sprints.len();
        let words = self.states.len() + self.types.len() + self.priorities.len();
        let too_many = |most: usize, what: &str| {
            Err(Failure::rejected(format!(
                "the files have more than {most} different {what}: is it the right column?"
            )))
        };
        match () {
            () if names + self.relabelled.len() > self.bounds.names => {
                too_many(self.bounds.names, "people, labels, milestones and sprints")
            }
            () if words > self.bounds.words => too_many(self.bounds.words, "states, types and priorities"),
            () => Ok(()),
        }
    }

    /// How much was found of each kind.
    pub fn found(&self) -> [(&'static str, u64); 8] {
        [
            ("people", self.people.len()),
            ("labels", self.labels.len()),
            ("milestones", self.milestones.len()),
            ("sprints", self.sprints.len()),
            ("items", self.items.len()),
            ("comments", self.comments.len()),
            ("links", self.links.len()),
            ("attachments", self.attachments.len()),
        ]
        .map(|(kind, count)| (kind, count as u64))
    }

    /// Notes a milestone of which the source tells the name alone; answers its id.
    pub fn milestone_named(&mut self, name: &str) -> String {
        let id = name.to_owned();
        self.milestones.entry(id.clone()).or_insert_with(|| MilestoneRecord {
            id: id.clone(),
            name: id.clone(),
            description: None,
            due: None,
            closed: false,
        });
        id
    }

    /// Notes a sprint of which the source tells the name alone; answers its id.
    pub fn sprint_named(&mut self, name: &str) -> String {
        let id = name.to_owned();
        self.sprints.entry(id.clone()).or_insert_with(|| SprintRecord {
            id: id.clone(),
            name: id.clone(),
            goal: None,
            start: None,
            end: None,
            state: None,
        });
        id
    }

    /// The files tell what they are of; what is told first counts.
    pub fn name_source(&mut self, source: &str) {
        if self.source.is_empty() {
            let plain = source.chars().filter(|c| !c.is_control());
            self.source = plain.take(MAX_ID).collect();
        }
    }

    /// A person, and the id that others name them by. What is told of them twice completes what was known.
    pub fn person(&mut self, id: &str, name: Option<&str>, address: Option<&str>) -> Option<String> {
        let id = clean::text(id).trim().to_owned();
        if id.is_empty() || id.chars().count() > MAX_ID || self.people.len() > self.bounds.names {
            return None;
        }
        let address = address.or_else(|| Some(id.as_str()).filter(|id| id.contains('@'))).map(str::trim);
        let address = address.filter(|address| !address.is_empty()).map(str::to_owned);
        let name = name.map(|name| clean::text(name).trim().to_owned()).filter(|name| !name.is_empty());
        let known = self.people.entry(id.clone()).or_insert_with(|| PersonRecord {
            id: id.clone(),
            name: id.clone(),
            address: None,
            agent: false,
        });
        if let Some(name) = name.filter(|_| known.name == id) {
            known.name = name;
        }
        known.address = known.address.take().or(address);
        Some(id)
    }

    /// A label, and what it is called here; nothing where it cannot be one.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn label(&mut self, name: &str, color: Option<&str>) -> Result<Option<String>, Failure> {
        self.check_room()?;
        let label = clean::label(name);
        if label.as_deref() != Some(name) && self.relabelled.insert(name.to_owned()) {
            let why = match &label {
                Some(label) => {
                    format!("it is called {label} here: labels have no commas, quotes or extra spaces")
                }
                None => "no label can be called so".to_owned(),
            };
            self.report.miss("label", name, &why)?;
        }
        let Some(label) = label else { return Ok(None) };
        let known = self.labels.entry(label.to_lowercase());
        let known = known.or_insert_with(|| LabelRecord { name: label, color: None });
        known.color = known.color.take().or_else(|| clean::color(color?));
        Ok(Some(known.name.clone()))
    }

    /// Another id that others may name an item by.
    pub fn alias(&mut self, alias: impl Into<String>, id: &str) {
        self.aliases.insert(alias.into(), id.to_owned());
    }

    /// An item; `group` is where the source puts its state.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn item(&mut self, mut found: FoundItem, group: Option<StateGroup>) -> Result<(), Failure> {
        self.check_room()?;
        let id = found.item.id.clone();
        if id.is_empty() || id.chars().count() > MAX_ID {
            return self.report.miss(
                "item",
                &found.item.title,
                "it has no id, or one of more than 200 characters",
            );
        }
        if self.numbers.contains_key(&id) {
            return self.report.miss("item", &id, "it is in the files twice; the first one counts");
        }
        let item = &mut found.item;
        let body = item.body.take().map(|body| clean::text(&body)).filter(|body| !body.trim().is_empty());
        let (title, was_cut) = clean::title(&item.title);
        let body = match was_cut {
            true => Some(format!("{}\n\n{}", clean::text(&item.title), body.unwrap_or_default())),
            false => body,
        };
        item.title = title;
        let mut parts = clean::parts(&body.unwrap_or_default(), MAX_BODY - ADDED).into_iter();
        item.body = parts.next().filter(|body| !body.is_empty());
        let (author, created_at) = (item.author.clone(), item.created_at);
        let labels = std::mem::take(&mut item.labels);
        item.labels = self.labels_of(&id, labels)?;
        if item.estimate.is_some_and(|estimate| !(0.0..=MOST_ESTIMATED).contains(&estimate)) {
            self.report.miss("estimate", &id, "an estimate is a number from 0 to 1,000,000")?;
            item.estimate = None;
        }
        item.state = Some(item.state.trim()).filter(|state| !state.is_empty()).unwrap_or("(none)").to_owned();
        let word = self.states.entry(item.state.clone()).or_default();
        (word.count, word.group) = (word.count + 1, word.group.or(group));
        for (words, word) in [(&mut self.types, &found.kind), (&mut self.priorities, &found.priority)] {
            if let Some(word) = word {
                words.entry(word.clone()).or_default().count += 1;
            }
        }
        self.numbers.insert(id.clone(), self.parents.len());
        self.parents.push(found.item.parent.clone());
        self.items.push(&found)?;
        // What a description has no room for goes on below it.
        for (number, body) in parts.enumerate() {
            let id = format!("{id}/description/{}", number + 2);
            let (item, author) = (found.item.id.clone(), author.clone());
            self.comment(CommentRecord { id, item, author, body, created_at, edited_at: None })?;
        }
        Ok(())
    }

    fn labels_of(&mut self, item: &str, names: Vec<String>) -> Result<Vec<String>, Failure> {
        let mut labels = Vec::new();
        for name in names {
            let Some(label) = self.label(&name, None)? else { continue };
            if labels.len() == MAX_LABELS {
                self.report.miss("label", &format!("{item} {label}"), "an item has at most 50 labels")?;
            } else if !labels.contains(&label) {
                labels.push(label);
            }
        }
        Ok(labels)
    }

    /// A comment; a long one becomes several.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn comment(&mut self, mut comment: CommentRecord) -> Result<(), Failure> {
        self.check_room()?;
        let body = clean::text(&comment.body);
        if body.trim().is_empty() {
            return self.report.miss("comment", &comment.id, "it has no text");
        }
        let id = std::mem::take(&mut comment.id);
        for (number, body) in clean::parts(&body, MAX_COMMENT - ADDED).into_iter().enumerate() {
            let id = if number == 0 { id.clone() } else { format!("{id}/{}", number + 1) };
            self.comments.push(&CommentRecord { id, body, ..comment.clone() })?;
        }
        Ok(())
    }

    /// A link, which may be told from both of its ends.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn link(&mut self, from: &str, to: &str, relation: LinkKind) -> Result<(), Failure> {
        let (from, to, relation) = match relation {
            LinkKind::BlockedBy => (to, from, LinkKind::Blocks),
            LinkKind::DuplicatedBy => (to, from, LinkKind::Duplicates),
            LinkKind::Relates if to < from => (to, from, LinkKind::Relates),
            relation => (from, to, relation),
        };
        let word = match relation {
            LinkKind::Blocks => "blocks",
            LinkKind::Duplicates => "duplicates",
            _ => "relates",
        };
        if from == to {
            return self.report.miss("link", from, "an item has no link to itself");
        }
        if self.linked.insert((from.to_owned(), to.to_owned(), word)) {
            self.links.push(&LinkRecord { from: from.to_owned(), to: to.to_owned(), relation })?;
        }
        Ok(())
    }

    /// A file.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn attachment(&mut self, attachment: &AttachmentRecord) -> Result<(), Failure> {
        self.attachments.push(attachment)
    }

    /// The folder that the paths of files begin in.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref().or_else(|| self.unpacked.as_ref().map(TempDir::path))
    }

    /// The files of the attachments are in this folder.
    pub fn set_folder(&mut self, folder: PathBuf) {
        self.folder = Some(folder);
    }

    /// The files of the attachments are in this folder, which goes away with the program.
    pub fn keep_folder(&mut self, folder: TempDir) {
        self.unpacked = Some(folder);
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use svc_api::tracker::LinkKind;

    use super::{FoundItem, Gathered};

    fn item(gathered: &mut Gathered, id: &str, parent: Option<&str>) {
        let mut found = FoundItem::new(id, id, "Open", Timestamp::UNIX_EPOCH);
        found.item.parent = parent.map(str::to_owned);
        gathered.item(found, None).unwrap();
    }

    fn reasons(gathered: &mut Gathered) -> Vec<String> {
        let misses = gathered.report.read().unwrap();
        misses
            .map(|miss| miss.map(|miss| format!("{} {}: {}", miss.kind, miss.id, miss.reason)).unwrap())
            .collect()
    }

    #[test]
    fn parents_come_first_and_circles_are_cut() {
        let mut gathered = Gathered::new("csv:x").unwrap();
        for (id, parent) in [
            ("c", Some("b")),
            ("b", Some("10")),
            ("a", None),
            ("x", Some("y")),
            ("y", Some("x")),
            ("z", Some("?")),
        ] {
            item(&mut gathered, id, parent);
        }
        gathered.alias("10", "a");
        let (order, circles) = gathered.order();
        let ids: Vec<_> =
            gathered.items.read_in(order).unwrap().map(|found| found.unwrap().item.id).collect();
        assert_eq!(ids, ["a", "y", "z", "b", "x", "c"]);
        assert_eq!(circles.into_iter().collect::<Vec<_>>(), [4], "y no longer belongs to x");
        assert!(gathered.holders().contains("a") && gathered.has_item("10"));
    }

    #[test]
    fn what_has_no_room_goes_on_in_comments_and_nothing_is_lost() {
        let mut gathered = Gathered::new("csv:x").unwrap();
        let mut found = FoundItem::new("1", "t".repeat(400), "", Timestamp::UNIX_EPOCH);
        found.item.body = Some(format!("{}\nend", "line\n".repeat(40_000)));
        found.item.labels = vec!["a,b".into(), "A b".into(), "..".into()];
        gathered.item(found.clone(), None).unwrap();
        gathered.item(found, None).unwrap();
        let stored = gathered.items.read().unwrap().next().unwrap().unwrap().item;
        assert_eq!((stored.title.chars().count(), stored.state.as_str()), (300, "(none)"));
        assert_eq!(stored.labels, ["a b"]);
        let body = stored.body.unwrap();
        assert!(body.starts_with(&"t".repeat(400)));
        let rest: String = gathered.comments.read().unwrap().map(|comment| comment.unwrap().body).collect();
        assert!(rest.ends_with("line\n\nend"));
        assert_eq!(body.matches("line").count() + rest.matches("line").count(), 40_000);
        assert_eq!(
            reasons(&mut gathered),
            [
                "label a,b: it is called a b here: labels have no commas, quotes or extra spaces",
                "label ..: no label can be called so",
                "item 1: it is in the files twice; the first one counts",
            ]
        );
    }

    #[test]
    fn a_link_that_is_told_from_both_ends_is_one() {
        let mut gathered = Gathered::new("csv:x").unwrap();
        for (from, to, kind) in [
            ("1", "2", LinkKind::Blocks),
            ("2", "1", LinkKind::BlockedBy),
            ("2", "1", LinkKind::Relates),
            ("1", "2", LinkKind::Relates),
            ("1", "1", LinkKind::Relates),
        ] {
            gathered.link(from, to, kind).unwrap();
        }
        assert_eq!((gathered.links.len(), gathered.report.len()), (2, 1));
    }

    #[test]
    fn what_is_told_of_a_person_twice_completes_them() {
        let mut gathered = Gathered::new("csv:x").unwrap();
        assert_eq!(gathered.person(" ", None, None), None);
        gathered.person("u1", None, None);
        gathered.person("u1", Some("Ada"), Some("ada@example.org"));
        gathered.person("eve@example.org", Some("Eve"), None);
        let people: Vec<_> = gathered
            .people
            .values()
            .map(|person| (person.name.as_str(), person.address.as_deref()))
            .collect();
        assert_eq!(people, [("Eve", Some("eve@example.org")), ("Ada", Some("ada@example.org"))]);
    }
}
