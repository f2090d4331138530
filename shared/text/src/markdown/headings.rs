//! Ids of headings, so that a text has addresses of its own: `#release-now` leads to `# Release now`.
//!
//! An id begins with [`PREFIX`], so that no heading takes the name of something else on the page. Of several
//! headings of one text that read alike, the second ends with `-2`.

use std::collections::{HashMap, VecDeque};

use pulldown_cmark::{Event, Tag, TagEnd};

/// Ids of headings begin with this.
pub(super) const PREFIX: &str = "section-";
/// Longest id without its prefix, in characters.
const LONGEST: usize = 80;
/// Most headings that get an id.
const MOST: usize = 1_000;

/// Gives headings ids, and lets links within the text lead to them.
pub(super) fn identified<'a>(events: impl Iterator<Item = Event<'a>>) -> impl Iterator<Item = Event<'a>> {
    Identified { events, ready: VecDeque::new(), seen: HashMap::new() }
}

struct Identified<'a, I> {
    events: I,
    ready: VecDeque<Event<'a>>,
    /// How often each name came.
    seen: HashMap<String, usize>,
}

impl<'a, I: Iterator<Item = Event<'a>>> Iterator for Identified<'a, I> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        if let Some(ready) = self.ready.pop_front() {
            return Some(ready);
        }
        match self.events.next()? {
            Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
                let mut name = String::new();
                for event in self.events.by_ref() {
                    if let Event::Text(text) | Event::Code(text) = &event {
                        name.push_str(text);
                    }
                    let ends = matches!(event, Event::End(TagEnd::Heading(_)));
                    self.ready.push_back(event);
                    if ends {
                        break;
                    }
                }
                let id = self.id(&name).map(Into::into);
                Some(Event::Start(Tag::Heading { level, id, classes, attrs }))
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let dest_url = match dest_url.strip_prefix('#') {
                    Some(name) => format!("#{PREFIX}{}", slug(name.trim_start_matches(PREFIX))).into(),
                    None => dest_url,
                };
                Some(Event::Start(Tag::Link { link_type, dest_url, title, id }))
            }
            other => Some(other),
        }
    }
}

impl<I> Identified<'_, I> {
    fn id(&mut self, name: &str) -> Option<String> {
        let slug = slug(name);
        if slug.is_empty() || self.seen.len() >= MOST {
            return None;
        }
        let times = self.seen.entry(slug.clone()).or_default();
        *times += 1;
        Some(if *times == 1 { format!("{PREFIX}{slug}") } else { format!("{PREFIX}{slug}-{times}") })
    }
}

/// The words of a name in lower case, with hyphens between.
fn slug(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join("-");
    joined.chars().flat_map(char::to_lowercase).take(LONGEST).collect()
}

/// Whether a text is an id that this makes.
pub(super) fn is_id(id: &str) -> bool {
    id.strip_prefix(PREFIX)
        .is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_".contains(c)))
}
