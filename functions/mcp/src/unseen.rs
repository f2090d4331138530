//! What a text has that its reader was not shown: hidden characters, comments and other markup that shows nothing. A
//! model writes back what it read, and must not take away what it never saw.

use svc_domain::untrusted::visible;
use svc_text::merge::prefer_mine;

use crate::reply::Reply;

/// A text to save, and what to tell its writer of what they did not see.
pub(crate) struct Kept {
    /// The text.
    pub(crate) text: String,
    /// A line of the reply.
    pub(crate) told: Option<String>,
}

/// Puts what was hidden in `whole` back into the text that a reader of it wrote.
pub(crate) fn keep(written: String, whole: &str) -> Kept {
    if !has_unseen(whole) {
        return Kept { text: written, told: None };
    }
    let merged = prefer_mine(&visible(whole), &written, whole);
    let told = match merged.dropped {
        0 => "Kept the hidden characters and comments that you were not shown.".to_owned(),
        1 => "Your text replaced a line that had hidden characters or comments.".to_owned(),
        lines => format!("Your text replaced {lines} lines that had hidden characters or comments."),
    };
    Kept { text: merged.text, told: Some(told) }
}

/// Whether a text has more than its readers are shown.
fn has_unseen(whole: &str) -> bool {
    !visible(whole).lines().eq(whole.lines())
}

/// Adds that a text has more than is shown, where it has, and that the tool that writes it keeps that.
pub(crate) fn tell_unseen(reply: Reply, whole: &str, writer: &str) -> Reply {
    if !has_unseen(whole) {
        return reply;
    }
    reply.line(format!("Hidden characters and comments of the text are not shown; {writer} keeps them."))
}

#[cfg(test)]
mod tests {
    use super::{has_unseen, keep};

    const WHOLE: &str =
        "Intro\n<!-- for the printer -->\nمی\u{200c}خواهم\n👩\u{200d}👩\u{200d}👧 plan\n\nEnd";

    #[test]
    fn what_a_reader_did_not_see_stays_where_they_changed_nothing() {
        let shown = svc_domain::untrusted::visible(WHOLE);
        assert!(has_unseen(WHOLE) && !has_unseen("plain\r\ntext\n"));
        let more = keep(format!("{shown}\nOne more line"), WHOLE);
        assert_eq!(more.text, format!("{WHOLE}\nOne more line"));
        assert!(more.told.unwrap().starts_with("Kept"));
        let other = keep(shown.replace("plan", "plot"), WHOLE);
        assert_eq!(other.text, WHOLE.replace("👩\u{200d}👩\u{200d}👧 plan", "👩👩👧 plot"));
        assert!(other.told.unwrap().starts_with("Your text replaced a line"));
        assert_eq!(keep("New".into(), "Old").told, None);
    }
}
