//! Tasks of a text: the boxes of its task lists, counted from 0 in the order in which they come.

use pulldown_cmark::{CowStr, Event};

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
