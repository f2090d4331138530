//! Tasks of a text: the boxes of its task lists, counted from 0 in the order in which they come.

use std::ops::Range;

use pulldown_cmark::{CowStr, Event, OffsetIter};

/// Names each box by its number, so that a client can say which one was ticked.
pub(super) fn numbered<'a>(events: impl Iterator<Item = Event<'a>>) -> impl Iterator<Item = Event<'a>> {
    let mut count = 0_usize;
    events.map(move |event| match event {
        Event::TaskListMarker(done) => {
            let number = count;
            count += 1;
            let done = if done { " checked=\"\"" } else { "" };
            Event::InlineHtml(CowStr::from(format!(
                "<input disabled=\"\" type=\"checkbox\" data-task=\"{number}\"{done}/>\n"
            )))
        }
        other => other,
    })
}

/// The text of these events with the box of this number ticked or empty; `None` where there is no such box.
pub(super) fn ticked(markdown: &str, events: OffsetIter<'_>, number: usize, done: bool) -> Option<String> {
    let place = places(events).nth(number)?;
    let mark = markdown.get(place.clone())?;
    let at = place.start + mark.find('[')? + 1;
    let end = at + markdown.get(at..)?.chars().next()?.len_utf8();
    Some(format!("{}{}{}", &markdown[..at], if done { "x" } else { " " }, &markdown[end..]))
}

fn places<'a>(events: OffsetIter<'a>) -> impl Iterator<Item = Range<usize>> + 'a {
    events.filter_map(|(event, place)| matches!(event, Event::TaskListMarker(_)).then_some(place))
}
