//! Footnotes: numbered in the order in which the text names them, and shown where they are written.

use std::collections::HashMap;

use pulldown_cmark::{Event, Tag, TagEnd};

/// Gives footnotes their numbers.
pub(super) fn numbered<'a>(events: impl Iterator<Item = Event<'a>>) -> impl Iterator<Item = Event<'a>> {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut number = move |name: &str| {
        let next = numbers.len() + 1;
        *numbers.entry(name.to_owned()).or_insert(next)
    };
    events.map(move |event| match event {
        Event::FootnoteReference(name) => mark(number(&name)),
        Event::Start(Tag::FootnoteDefinition(name)) => Event::Html(
            format!("<div class=\"footnote\"><sup class=\"footnote\">{}</sup>", number(&name)).into(),
        ),
        Event::End(TagEnd::FootnoteDefinition) => Event::Html("</div>\n".into()),
        other => other,
    })
}

fn mark<'a>(number: usize) -> Event<'a> {
    Event::InlineHtml(format!("<sup class=\"footnote\">{number}</sup>").into())
}
