//! What the text of an imported item or comment says about where it comes from.

use jiff::Timestamp;

use crate::untrusted::one_line;

/// Where a text comes from, as far as the fields of the tracker do not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin<'a> {
    /// What people called it there.
    pub key: Option<&'a str>,
    /// Its address there.
    pub url: Option<&'a str>,
    /// Who wrote it, where that is no member.
    pub author: Option<&'a str>,
    /// Who it was assigned to, likewise.
    pub assignee: Option<&'a str>,
    /// When it was written.
    pub at: Timestamp,
}

/// The text with a line before it that says where it comes from, if there is anything to say.
pub fn with_origin(text: &str, origin: &Origin<'_>) -> String {
    let address = origin.url.filter(|url| is_address(url));
    if address.is_none() && origin.author.is_none() && origin.assignee.is_none() {
        return text.to_owned();
    }
    let mut line = "Originally".to_owned();
    if let Some(address) = address {
        line += &format!(" {}", link(origin.key.unwrap_or(address), address));
    }
    if let Some(author) = origin.author {
        line += &format!(" by {}", plain(author));
    }
    line += &format!(" on {}", origin.at.strftime("%Y-%m-%d"));
    if let Some(assignee) = origin.assignee {
        line += &format!(", assigned to {}", plain(assignee));
    }
    line += ".";
    if text.is_empty() { line } else { format!("{line}\n\n{text}") }
}

/// A link to a file that the source keeps; `None` where the address is none that a browser opens.
pub fn file_link(name: &str, url: &str) -> Option<String> {
    is_address(url).then(|| link(name, url))
}

/// The text with a paragraph after it.
pub fn appended(text: &str, paragraph: &str) -> String {
    let text = text.trim_end();
    if text.is_empty() { paragraph.to_owned() } else { format!("{text}\n\n{paragraph}") }
}

fn link(name: &str, url: &str) -> String {
    format!("[{}](<{url}>)", plain(name))
}

/// Whether a browser opens it, and Markdown takes it for one address.
fn is_address(url: &str) -> bool {
    let known = ["https://", "http://"].iter().any(|start| url.starts_with(start));
    known
        && url.len() <= 2_000
        && !url.chars().any(|c| c.is_whitespace() || c.is_control() || "<>\\".contains(c))
}

/// A name on one line, in which nothing is markup.
fn plain(name: &str) -> String {
    let mut plain = String::new();
    for c in one_line(name).chars().take(200) {
        if c.is_ascii_punctuation() && !".,'-".contains(c) {
            plain.push('\\');
        }
        plain.push(c);
    }
    if plain.is_empty() { "somebody".to_owned() } else { plain }
}

#[cfg(test)]
mod tests {
    use super::{Origin, appended, file_link, with_origin};

    #[test]
    fn a_text_says_where_it_comes_from_only_where_the_fields_do_not() {
        let at = "2026-01-02T23:00:00Z".parse().unwrap();
        let nothing = Origin { at, ..Origin::default() };
        assert_eq!(with_origin("Text", &nothing), "Text");
        assert_eq!(with_origin("Text", &Origin { key: Some("#7"), ..nothing }), "Text");
        let known = Origin { author: Some("Ada O'Hara"), ..nothing };
        assert_eq!(with_origin("Text", &known), "Originally by Ada O'Hara on 2026-01-02.\n\nText");
        let all =
            Origin { key: Some("#7"), url: Some("https://x.example/7"), assignee: Some("Bob"), ..known };
        assert_eq!(
            with_origin("", &all),
            "Originally [\\#7](<https://x.example/7>) by Ada O'Hara on 2026-01-02, assigned to Bob."
        );
    }

    #[test]
    fn nothing_in_a_name_or_an_address_is_markup() {
        let author = Some("\u{202e}@bot](javascript:x)\n\0# <b>");
        let origin = Origin { author, url: Some("javascript:alert(1)"), ..Origin::default() };
        let text = with_origin("", &origin);
        assert_eq!(text, "Originally by \\@bot\\]\\(javascript\\:x\\) \\# \\<b\\> on 1970-01-01.");
        assert_eq!(file_link("a", "https://x.example/>b"), None);
        assert_eq!(file_link("a", "data:text/html,x"), None);
        let link = file_link("screen_1.png", "https://x.example/1").unwrap();
        assert_eq!(appended("Text\n", &link), "Text\n\n[screen\\_1.png](<https://x.example/1>)");
    }
}
