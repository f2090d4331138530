//! The records of a project as a folder of Markdown: a file for each item, with what is said on it.

use std::collections::{HashMap, HashSet};
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use svc_api::records::{ItemRecord, Record};
use svc_domain::attachment::name::file_name;

use super::export::place;
use crate::output::wire;

/// A folder that is being filled with the records of an export, in their order.
pub(super) struct Folder<'a> {
    path: &'a Path,
    people: HashMap<String, String>,
    milestones: HashMap<String, String>,
    sprints: HashMap<String, String>,
    items: HashSet<String>,
    /// Items and the headings that they have.
    headed: HashSet<(String, &'static str)>,
}

impl<'a> Folder<'a> {
    pub(super) fn new(path: &'a Path) -> Self {
        Self {
            path,
            people: HashMap::new(),
            milestones: HashMap::new(),
            sprints: HashMap::new(),
            items: HashSet::new(),
            headed: HashSet::new(),
        }
    }

    /// Writes what a record adds to the folder.
    pub(super) fn take(&mut self, record: &Record) -> io::Result<()> {
        match record {
            Record::Project(project) => {
                let text = project.description.as_deref().unwrap_or_default();
                self.write("README", &format!("# {}\n\n{text}\n", project.name))
            }
            Record::Person(person) => {
                self.people.insert(person.id.clone(), person.name.clone());
                Ok(())
            }
            Record::Milestone(milestone) => {
                self.milestones.insert(milestone.id.clone(), milestone.name.clone());
                Ok(())
            }
            Record::Sprint(sprint) => {
                self.sprints.insert(sprint.id.clone(), sprint.name.clone());
                Ok(())
            }
            Record::Label(_) | Record::Unknown => Ok(()),
            Record::Item(item) => self.item(item),
            Record::Comment(comment) => {
                let author = comment.author.as_ref().and_then(|id| self.people.get(id));
                let author = author.map_or("somebody", String::as_str);
                let text = format!("### {author}, {}\n\n{}\n\n", comment.created_at, comment.body.trim_end());
                self.add(&comment.item, "Comments", &text)
            }
            Record::Link(link) => {
                let relation = wire(&link.relation);
                let text = format!("- {relation} [{to}]({to}.md)\n", to = link.to);
                self.add(&link.from, "Links", &text)
            }
            Record::Attachment(attachment) => {
                let Some(place) = place(attachment) else { return Ok(()) };
                let text = format!("- [{}](<{}>)\n", attachment.name, place.display());
                self.add(&attachment.item, "Files", &text)
            }
        }
    }

    fn item(&mut self, item: &ItemRecord) -> io::Result<()> {
        let name = |names: &HashMap<String, String>, id: &Option<String>| {
            id.as_ref().map(|id| names.get(id).unwrap_or(id).clone())
        };
        let mut head = String::from("---\n");
        let mut line = |field: &str, value: Option<String>| {
            if let Some(value) = value {
                head += &format!("{field}: {value}\n");
            }
        };
        line("key", json(&item.id));
        line("title", json(&item.title));
        line("type", item.item_type.as_ref().map(wire));
        line("state", json(&item.state));
        line("priority", item.priority.as_ref().map(wire));
        line("labels", Some(&item.labels).filter(|labels| !labels.is_empty()).and_then(json));
        line("assignee", name(&self.people, &item.assignee).and_then(|name| json(&name)));
        line("author", name(&self.people, &item.author).and_then(|name| json(&name)));
        line("estimate", item.estimate.map(|number| number.to_string()));
        line("due", item.due.map(|day| day.to_string()));
        line("milestone", name(&self.milestones, &item.milestone).and_then(|name| json(&name)));
        line("sprint", name(&self.sprints, &item.sprint).and_then(|name| json(&name)));
        line("parent", item.parent.as_ref().and_then(json));
        line("created", Some(item.created_at.to_string()));
        line("updated", item.updated_at.map(|at| at.to_string()));
        line("closed", item.closed_at.map(|at| at.to_string()));
        let body = item.body.as_deref().unwrap_or_default().trim_end();
        self.items.insert(item.id.clone());
        self.write(&item.id, &format!("{head}---\n\n{body}\n"))
    }

    /// Adds to the file of an item, below a heading.
    fn add(&mut self, item: &str, heading: &'static str, text: &str) -> io::Result<()> {
        if !self.items.contains(item) {
            return Ok(());
        }
        let is_new = self.headed.insert((item.to_owned(), heading));
        let heading = if is_new { format!("\n## {heading}\n\n") } else { String::new() };
        let mut file = OpenOptions::new().append(true).open(self.file(item))?;
        file.write_all(format!("{heading}{text}").as_bytes())
    }

    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(self.file(name))?;
        file.write_all(text.as_bytes())
    }

    /// The file of this name, which comes from the instance.
    fn file(&self, name: &str) -> PathBuf {
        self.path.join(format!("{}.md", file_name(name).unwrap_or_else(|| "_".to_owned())))
    }
}

/// A value as YAML reads it too.
fn json(value: &(impl Serialize + ?Sized)) -> Option<String> {
    serde_json::to_string(value).ok()
}
