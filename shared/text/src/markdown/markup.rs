//! HTML in a text: a few tags that people know from other services work, comments are left out, and all else is shown as
//! the text that it is.

use std::collections::VecDeque;

use pulldown_cmark::{Event, Tag, TagEnd};

/// Tags that work, without attributes.
const INLINE: [&str; 5] = ["kbd", "sub", "sup", "ins", "mark"];
/// Tags that work and hold blocks.
const BLOCKS: [&str; 2] = ["details", "summary"];
/// Most of them within each other.
const DEEPEST: usize = 8;

/// Lets the tags work, and shows other HTML as text.
pub(super) fn shown<'a>(events: impl Iterator<Item = Event<'a>>) -> impl Iterator<Item = Event<'a>> {
    Shown { events, ready: VecDeque::new(), open: Vec::new(), in_comment: false }
}

struct Shown<'a, I> {
    events: I,
    ready: VecDeque<Event<'a>>,
    /// Tags that were opened and not closed.
    open: Vec<&'static str>,
    /// Whether a comment that began in an earlier line goes on.
    in_comment: bool,
}

impl<'a, I: Iterator<Item = Event<'a>>> Iterator for Shown<'a, I> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        loop {
            if let Some(ready) = self.ready.pop_front() {
                return Some(ready);
            }
            match self.events.next()? {
                Event::InlineHtml(html) => {
                    let pieces = self.pieces(&html);
                    self.ready.extend(pieces);
                }
                Event::Start(Tag::HtmlBlock) => self.block(),
                other => return Some(other),
            }
        }
    }
}

impl<'a, I: Iterator<Item = Event<'a>>> Shown<'a, I> {
    /// Takes a block of HTML: in a paragraph if it has text.
    fn block(&mut self) {
        let mut pieces = Vec::new();
        for event in self.events.by_ref() {
            match event {
                Event::End(TagEnd::HtmlBlock) => break,
                Event::Html(html) | Event::InlineHtml(html) => pieces.push(html),
                other => self.ready.push_back(other),
            }
        }
        self.in_comment = false;
        let mut found = Vec::new();
        for html in pieces {
            found.extend(self.pieces(&html));
        }
        self.in_comment = false;
        let is_block = |event: &Event<'_>| matches!(event, Event::InlineHtml(tag) if BLOCKS.iter().any(|block| tag.contains(block)));
        let has_text =
            found.iter().any(|event| matches!(event, Event::Text(text) if !text.trim().is_empty()));
        if has_text && !found.iter().any(is_block) {
            found.insert(0, Event::Start(Tag::Paragraph));
            found.push(Event::End(TagEnd::Paragraph));
        } else if !has_text {
            found.retain(|event| !matches!(event, Event::Text(_)));
        }
        self.ready.extend(found);
    }

    /// What becomes of a piece of HTML.
    fn pieces(&mut self, html: &str) -> Vec<Event<'a>> {
        let mut events = Vec::new();
        let mut rest = html;
        while !rest.is_empty() {
            if self.in_comment {
                let Some(end) = rest.find("-->") else { break };
                (self.in_comment, rest) = (false, &rest[end + 3..]);
                continue;
            }
            let Some(start) = rest.find('<') else {
                events.push(text(rest));
                break;
            };
            if start > 0 {
                events.push(text(&rest[..start]));
            }
            rest = &rest[start..];
            if let Some(comment) = rest.strip_prefix("<!--") {
                (self.in_comment, rest) = (true, comment);
                continue;
            }
            let end = rest.find('>').map_or(rest.len(), |end| end + 1);
            events.push(self.tag(&rest[..end]).unwrap_or_else(|| text(&rest[..end])));
            rest = &rest[end..];
        }
        events
    }

    /// A tag that works.
    fn tag(&mut self, written: &str) -> Option<Event<'a>> {
        let inside = written.strip_prefix('<')?.strip_suffix('>')?.trim_end();
        let (inside, ended) =
            inside.strip_suffix('/').map_or((inside, false), |inside| (inside.trim_end(), true));
        if inside.eq_ignore_ascii_case("br") {
            return Some(Event::InlineHtml("<br>".into()));
        }
        let known =
            |name: &str| INLINE.iter().chain(&BLOCKS).copied().find(|known| known.eq_ignore_ascii_case(name));
        if let Some(name) = inside.strip_prefix('/') {
            let name = known(name)?;
            let at = self.open.iter().rposition(|open| *open == name)?;
            let closed: String = self.open.drain(at..).rev().map(|open| format!("</{open}>")).collect();
            return Some(Event::InlineHtml(closed.into()));
        }
        let is_open = inside.eq_ignore_ascii_case("details open");
        let name = if is_open { "details" } else { known(inside)? };
        if ended || self.open.len() >= DEEPEST {
            return None;
        }
        self.open.push(name);
        Some(Event::InlineHtml(if is_open { "<details open>".into() } else { format!("<{name}>").into() }))
    }
}

fn text<'a>(html: &str) -> Event<'a> {
    Event::Text(html.to_owned().into())
}
