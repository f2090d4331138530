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
        let found = name(&text[..at], &text[at..], links);
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

/// Whether a text may name something behind another, where letters of these kinds go on with a word.
fn begins(before: &str, in_word: fn(char) -> bool) -> bool {
    !before.chars().next_back().is_some_and(|last| in_word(last) || "_-@/#.&=".contains(last))
}

/// What a text names, which stands behind another.
fn name<'t>(before: &str, text: &'t str, links: Links<'_>) -> Option<Name<'t>> {
    match text.as_bytes().first()? {
        // Some scripts are written without spaces: which letters of other scripts go on with a word, the page tells, where
        // it looks for those who are there.
        b'@' if begins(before, |c| c.is_ascii_alphanumeric()) => mention(text).map(Name::Mention),
        b'A'..=b'Z' if begins(before, char::is_alphanumeric) => item(text)
            .filter(|(_, project)| (links.is_project)(project))
            .map(|(key, project)| Name::Item { key, project }),
        _ => None,
    }
}

/// The mention that a text begins with, with its `@`: at least a character of it, as who is there decides how long it is.
fn mention(text: &str) -> Option<&str> {
    let name = &text[1..];
    let first = name.chars().next()?;
    let may_begin = first.is_alphanumeric() || first == '\'' || !(first.is_ascii() || first.is_whitespace());
    let end = name.find(|c: char| !(c.is_alphanumeric() || "._-".contains(c))).unwrap_or(name.len());
    let length = name[..end].trim_end_matches(['.', '-', '_']).len().max(first.len_utf8());
    may_begin.then(|| &text[..=length])
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
