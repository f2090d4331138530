//! Names in plain text: keys of items become links, mentions become marks.

use pulldown_cmark::{CowStr, Event, LinkType, Tag, TagEnd};

use super::{Links, text_of};

/// Longest key of a project.
const LONGEST_PROJECT: usize = 10;
/// Most digits of an item's number.
const LONGEST_NUMBER: usize = 12;

/// Makes links and marks of what plain text names.
pub(super) fn linked<'a>(
    events: impl Iterator<Item = Event<'a>>,
    links: Links<'_>,
) -> impl Iterator<Item = Event<'a>> {
    let mut within = 0_usize;
    events.flat_map(move |event| {
        match &event {
            Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::CodeBlock(_)) => within += 1,
            Event::End(TagEnd::Link | TagEnd::Image | TagEnd::CodeBlock) => within -= 1,
            Event::Text(text) if within == 0 => return named(text, links),
            _ => {}
        }
        vec![event]
    })
}

/// Something that a text names.
enum Name<'t> {
    Item { key: &'t str, project: &'t str },
    Mention(&'t str),
}

fn named<'a>(text: &str, links: Links<'_>) -> Vec<Event<'a>> {
    let mut events = Vec::new();
    let (mut plain, mut at) = (0, 0);
    while let Some(first) = text[at..].chars().next() {
        let found = if begins_word(&text[..at]) { name(&text[at..], links) } else { None };
        let Some(name) = found else {
            at += first.len_utf8();
            continue;
        };
        if plain < at {
            events.push(text_of(&text[plain..at]));
        }
        at += push(&mut events, &name, links.org);
        plain = at;
    }
    if plain < text.len() {
        events.push(text_of(&text[plain..]));
    }
    events
}

fn begins_word(before: &str) -> bool {
    !before.chars().next_back().is_some_and(|last| last.is_alphanumeric() || "_-@/#.&=".contains(last))
}

fn name<'t>(text: &'t str, links: Links<'_>) -> Option<Name<'t>> {
    match text.as_bytes().first()? {
        b'@' => mention(text).map(Name::Mention),
        b'A'..=b'Z' => item(text)
            .filter(|(_, project)| (links.is_project)(project))
            .map(|(key, project)| Name::Item { key, project }),
        _ => None,
    }
}

/// The mention that a text begins with, with its `@`.
fn mention(text: &str) -> Option<&str> {
    let name = &text[1..];
    let end = name.find(|c: char| !(c.is_alphanumeric() || "._-".contains(c))).unwrap_or(name.len());
    let name = name[..end].trim_end_matches(['.', '-', '_']);
    name.starts_with(char::is_alphanumeric).then(|| &text[..=name.len()])
}

/// The key of an item that a text begins with, and its project.
fn item(text: &str) -> Option<(&str, &str)> {
    let project = text.bytes().take(LONGEST_PROJECT + 1);
    let project = project.take_while(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()).count();
    let number = text[project..].strip_prefix('-')?;
    let digits = number.bytes().take(LONGEST_NUMBER + 1).take_while(u8::is_ascii_digit).count();
    let ends = !number[digits..].starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-');
    let fits = (2..=LONGEST_PROJECT).contains(&project) && (1..=LONGEST_NUMBER).contains(&digits);
    (fits && ends && text.starts_with(|c: char| c.is_ascii_uppercase()) && !number.starts_with('0'))
        .then(|| (&text[..=project + digits], &text[..project]))
}

/// Adds what a name becomes; how long it is in the text.
fn push(events: &mut Vec<Event<'_>>, name: &Name<'_>, org: &str) -> usize {
    let (text, destination) = match name {
        Name::Item { key, project } => (*key, format!("/o/{org}/p/{project}/items/{key}")),
        Name::Mention(mention) => {
            events.push(Event::InlineHtml("<span class=\"mention\">".into()));
            events.push(text_of(mention));
            events.push(Event::InlineHtml("</span>".into()));
            return mention.len();
        }
    };
    let link = Tag::Link {
        link_type: LinkType::Inline,
        dest_url: destination.into(),
        title: CowStr::Borrowed(""),
        id: CowStr::Borrowed(""),
    };
    events.extend([Event::Start(link), text_of(text), Event::End(TagEnd::Link)]);
    text.len()
}
