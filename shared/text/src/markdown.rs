//! Markdown as HTML that is safe to show (specification section 2.2: bodies are Markdown).
//!
//! 1. The text is parsed as CommonMark with tables, task lists, strike-through and footnotes. A few HTML tags work, and
//!    other HTML is shown as the text that it is (`markup`); an image from anywhere but https or the service's
//!    attachments is its description.
//! 2. What is nested deeper than [`DEEPEST`] is laid flat, so that work and output grow with the text alone.
//! 3. Addresses (`addresses`), keys of items and mentions (`names`) in plain text become links and marks, headings have ids
//!    (`headings`), footnotes (`footnotes`) and the boxes of task lists (`tasks`) have numbers.
//! 4. Of a table that is too large, and of HTML that gets too long, the rest is left out: some texts make a
//!    hundred times their length.
//! 5. The result passes a sanitizer with a list of what may stay. Nothing relies on the steps
//!    before for safety. Its work on one piece of text grows faster than the piece: long texts are given to it in
//!    pieces, with a `<wbr>` between, and what becomes an attribute has a length.
//!
//! Never fails, whatever the text. Does not know whether a mentioned person or an item exists.

mod addresses;
mod footnotes;
mod headings;
mod markup;
mod names;
mod tasks;

use std::fmt;
use std::sync::LazyLock;

use ammonia::{Builder, UrlRelative};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, TextMergeStream, html};

/// What is understood beside CommonMark.
const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_FOOTNOTES);
/// Deepest nesting that is kept.
pub const DEEPEST: usize = 32;
/// Longest piece of text, in bytes.
const PIECE: usize = 4_096;
/// Longest HTML that is made of a text, in bytes, before the sanitizer adds to it.
pub const LONGEST_HTML: usize = 1_000_000;
/// Most cells of all tables of a text. A short row is filled up to the width of its table, so that 100,000
/// characters could make 260,000 cells.
const MOST_CELLS: usize = 10_000;
/// Longest address, title or description of an image, in bytes.
const LONGEST_ATTRIBUTE: usize = 2_048;

/// Where links in texts lead.
#[derive(Clone, Copy)]
pub struct Links<'a> {
    /// Slug of the organization whose text it is.
    pub org: &'a str,
    /// Whether there is a project of this key for the reader.
    pub is_project: &'a dyn Fn(&str) -> bool,
}

/// A text as its parser understands it: HTML that works is [`Event::InlineHtml`], one tag each, and other HTML is text.
pub fn events(markdown: &str) -> impl Iterator<Item = Event<'_>> {
    markup::shown(addresses::linked(markdown, Parser::new_ext(markdown, OPTIONS).into_offset_iter()))
}

/// The HTML of a text.
pub fn html(markdown: &str, links: Links<'_>) -> String {
    let events = tasks::numbered(footnotes::numbered(safe(events(markdown), links.org)));
    let events = headings::identified(TextMergeStream::new(flat(events)));
    let mut raw = Bounded { html: String::with_capacity(markdown.len() * 2) };
    let whole =
        html::write_html_fmt(&mut raw, in_pieces(names::linked(short(small_tables(events)), links))).is_ok();
    let mut clean = SANITIZER.clean(&aligned(raw.html)).to_string();
    if !whole {
        clean.push_str("<p>…</p>");
    }
    clean
}

/// The text with the box of this number ticked or empty; `None` where there is no such box.
pub fn with_task(markdown: &str, number: usize, done: bool) -> Option<String> {
    tasks::ticked(markdown, Parser::new_ext(markdown, OPTIONS).into_offset_iter(), number, done)
}

/// Says by a class how cells are aligned: pages that show the HTML forbid styles in it. A tag can be looked for as
/// text, because a `<` that somebody wrote is escaped.
fn aligned(html: String) -> String {
    if !html.contains(" style=\"text-align: ") {
        return html;
    }
    let sides = ["left", "center", "right"];
    let cells = ["td", "th"].iter().flat_map(|cell| sides.iter().map(move |side| (cell, side)));
    cells.fold(html, |html, (cell, side)| {
        let styled = format!("<{cell} style=\"text-align: {side}\">");
        html.replace(&styled, &format!("<{cell} class=\"align-{side}\">"))
    })
}

/// HTML as long as it may be. What would make it longer ends the writing.
struct Bounded {
    html: String,
}

impl fmt::Write for Bounded {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        if self.html.len() + part.len() > LONGEST_HTML {
            return Err(fmt::Error);
        }
        self.html.push_str(part);
        Ok(())
    }
}

static SANITIZER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::empty();
    builder
        .tags(
            [
                "a",
                "blockquote",
                "br",
                "code",
                "del",
                "details",
                "div",
                "em",
                "h1",
                "h2",
                "h3",
                "h4",
                "h5",
                "h6",
                "hr",
                "img",
                "input",
                "ins",
                "kbd",
                "li",
                "mark",
                "ol",
                "p",
                "pre",
                "span",
                "strong",
                "sub",
                "summary",
                "sup",
                "table",
                "tbody",
                "td",
                "th",
                "thead",
                "tr",
                "ul",
                "wbr",
            ]
            .into(),
        )
        .tag_attributes(
            [
                ("a", ["href", "title"].into()),
                ("code", ["class"].into()),
                ("details", ["open"].into()),
                ("div", ["class"].into()),
                ("h1", ["id"].into()),
                ("h2", ["id"].into()),
                ("h3", ["id"].into()),
                ("h4", ["id"].into()),
                ("h5", ["id"].into()),
                ("h6", ["id"].into()),
                ("img", ["src", "alt", "title"].into()),
                ("input", ["type", "checked", "disabled", "data-task"].into()),
                ("ol", ["start"].into()),
                ("span", ["class"].into()),
                ("sup", ["class"].into()),
                ("td", ["class"].into()),
                ("th", ["class"].into()),
            ]
            .into(),
        )
        .url_schemes(["http", "https", "mailto"].into())
        .url_relative(UrlRelative::PassThrough)
        .link_rel(Some("nofollow noopener noreferrer"))
        .set_tag_attribute_value("img", "referrerpolicy", "no-referrer")
        .set_tag_attribute_value("input", "disabled", "")
        .attribute_filter(|tag, attribute, value| kept(tag, attribute, value).then(|| value.into()));
    builder
});

/// Whether an attribute may have this value.
fn kept(tag: &str, attribute: &str, value: &str) -> bool {
    match (tag, attribute) {
        ("code", "class") => value.strip_prefix("language-").is_some_and(is_language),
        ("span", "class") => value == "mention",
        ("div" | "sup", "class") => value == "footnote",
        ("input", "type") => value == "checkbox",
        ("input", "data-task") => value.bytes().all(|byte| byte.is_ascii_digit()),
        ("td" | "th", "class") => matches!(value, "align-left" | "align-center" | "align-right"),
        (_, "id") => headings::is_id(value),
        _ => true,
    }
}

fn is_language(name: &str) -> bool {
    name.len() <= 40 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-_#.".contains(&byte))
}

/// Shows images from elsewhere as their descriptions.
fn safe<'a>(events: impl Iterator<Item = Event<'a>>, org: &str) -> impl Iterator<Item = Event<'a>> {
    let mut shown = Vec::new();
    events.filter_map(move |event| match event {
        Event::Start(Tag::Image { ref dest_url, .. }) => {
            shown.push(is_image_source(dest_url, org));
            shown.last().is_some_and(|shown| *shown).then_some(event)
        }
        Event::End(TagEnd::Image) => shown.pop().unwrap_or(false).then_some(event),
        other => Some(other),
    })
}

/// Whether images may come from there: https, or the attachments of the organization.
fn is_image_source(address: &str, org: &str) -> bool {
    let https = address.get(..8).is_some_and(|start| start.eq_ignore_ascii_case("https://"));
    let own = address.strip_prefix("/api/v1/orgs/").and_then(|rest| rest.strip_prefix(org));
    let attachment = own.and_then(|rest| rest.strip_prefix("/attachments/"));
    https || attachment.is_some_and(|rest| !rest.contains(".."))
}

/// Lays flat what is nested too deep.
fn flat<'a>(events: impl Iterator<Item = Event<'a>>) -> impl Iterator<Item = Event<'a>> {
    let mut depth = 0_usize;
    events.filter(move |event| match event {
        Event::Start(_) => {
            depth += 1;
            depth <= DEEPEST
        }
        Event::End(_) => {
            depth -= 1;
            depth < DEEPEST
        }
        _ => true,
    })
}

/// Leaves out the cells beyond [`MOST_CELLS`], with what is in them and rows of them alone. Beyond some hundred
/// thousand filled-up cells the parser gives what follows a table as part of it: the table is ended before.
fn small_tables<'a>(events: impl Iterator<Item = Event<'a>>) -> impl Iterator<Item = Event<'a>> {
    let mut table = Table::default();
    events.flat_map(move |event| table.next(event).into_iter().flatten())
}

/// Where in a table the events of a text are.
#[derive(Default)]
struct Table {
    open: bool,
    in_row: bool,
    row_is_dropped: bool,
    cell_is_dropped: bool,
    /// Cells of all tables so far.
    cells: usize,
}

impl Table {
    /// What becomes of an event.
    fn next<'a>(&mut self, event: Event<'a>) -> [Option<Event<'a>>; 2] {
        let kept = match &event {
            Event::Start(Tag::Table(_)) => {
                self.open = true;
                true
            }
            Event::End(TagEnd::Table) => std::mem::take(&mut self.open),
            _ if !self.open => true,
            Event::Start(Tag::TableHead | Tag::TableRow) => {
                (self.in_row, self.row_is_dropped) = (true, self.cells >= MOST_CELLS);
                !self.row_is_dropped
            }
            Event::End(TagEnd::TableHead | TagEnd::TableRow) => {
                self.in_row = false;
                !self.row_is_dropped
            }
            _ if !self.in_row => {
                self.open = false;
                return [Some(Event::End(TagEnd::Table)), Some(event)];
            }
            Event::Start(Tag::TableCell) => {
                self.cells += 1;
                self.cell_is_dropped = self.cells > MOST_CELLS;
                !self.cell_is_dropped
            }
            _ => !self.cell_is_dropped,
        };
        [kept.then_some(event), None]
    }
}

/// Cuts what becomes an attribute: an address that is too long leads nowhere.
fn short<'a>(events: impl Iterator<Item = Event<'a>>) -> impl Iterator<Item = Event<'a>> {
    let (mut images, mut left) = (0_usize, 0);
    events.map(move |event| match event {
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let (dest_url, title) = (whole(dest_url), whole(title));
            Event::Start(Tag::Link { link_type, dest_url, title, id })
        }
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            if images == 0 {
                left = LONGEST_ATTRIBUTE;
            }
            images += 1;
            let (dest_url, title) = (whole(dest_url), whole(title));
            Event::Start(Tag::Image { link_type, dest_url, title, id })
        }
        Event::End(TagEnd::Image) => {
            images -= 1;
            event
        }
        Event::Text(text) | Event::Code(text) if images > 0 => {
            let piece = &text[..text.floor_char_boundary(left)];
            left -= piece.len();
            text_of(piece)
        }
        other => other,
    })
}

fn whole(attribute: CowStr<'_>) -> CowStr<'_> {
    if attribute.len() > LONGEST_ATTRIBUTE { CowStr::Borrowed("") } else { attribute }
}

/// Parts long texts with what a browser shows only where it breaks a line.
fn in_pieces<'a>(events: impl Iterator<Item = Event<'a>>) -> impl Iterator<Item = Event<'a>> {
    events.flat_map(|event| match event {
        Event::Text(text) if text.len() > PIECE => {
            let mut pieces: Vec<_> =
                pieces(&text).flat_map(|piece| [text_of(piece), Event::InlineHtml("<wbr>".into())]).collect();
            pieces.pop();
            pieces
        }
        Event::Code(text) if text.len() > PIECE => {
            pieces(&text).map(|piece| Event::Code(piece.to_owned().into())).collect()
        }
        other => vec![other],
    })
}

fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, more) = rest.split_at(rest.floor_char_boundary(PIECE));
        rest = more;
        (!piece.is_empty()).then_some(piece)
    })
}

fn text_of<'a>(text: &str) -> Event<'a> {
    Event::Text(text.to_owned().into())
}

#[cfg(test)]
mod tests;
