//! Mails that tell people what is new: text first, and a simple page that reads on a phone, in light and in dark.
//!
//! Names and texts of others are escaped in the page, and stand in lines of their own in the text. Nothing is loaded from
//! anywhere.

use super::Email;

/// What is told in one mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest {
    /// What is new about each thing.
    pub sections: Vec<Section>,
    /// Whether it is the mail of a day.
    pub daily: bool,
    /// How many more things there are, which only the inbox tells of, and where that is.
    pub more: Option<(usize, String)>,
    /// Where its reader changes what is mailed.
    pub settings: String,
}

/// What is new about one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The organization and project that it is in.
    pub group: String,
    /// What it is called.
    pub title: String,
    /// Where it is.
    pub link: String,
    /// What is new, in short.
    pub summary: String,
    /// Who said what.
    pub quotes: Vec<(String, String)>,
    /// Whether a run waits for the reader.
    pub needs_you: bool,
}

/// A mail about what is new; there is at least one section.
pub fn notifications(digest: &Digest) -> Email {
    let mut sections: Vec<&Section> = digest.sections.iter().collect();
    // What needs the reader comes first, the rest by its place.
    sections.sort_by(|a, b| (!a.needs_you, &a.group).cmp(&(!b.needs_you, &b.group)));
    let subject = match sections.as_slice() {
        [one] if !digest.daily => line(&one.title),
        sections => {
            let waiting = sections.iter().filter(|section| section.needs_you).count();
            let waiting = match waiting {
                0 => String::new(),
                1 => ", 1 needs you".to_owned(),
                waiting => format!(", {waiting} need you"),
            };
            let name = if digest.daily { "Daily digest" } else { "News" };
            let all = sections.len() + digest.more.as_ref().map_or(0, |(more, _)| *more);
            let things = if all == 1 { "thing" } else { "things" };
            format!("{name}: {all} {things}{waiting}")
        }
    };
    Email { subject, text: text(&sections, digest), html: Some(html(&sections, digest)) }
}

/// Tells that a channel does not work any more.
pub fn broken_channel(name: &str, why: &str, settings: &str) -> Email {
    let (name, why) = (line(name), line(why));
    Email {
        subject: format!("{name} gets no more messages"),
        text: format!(
            "Messages to {name} do not arrive any more: {why}.\n\n\
             Nothing is sent there until you test or connect it again:\n\n{settings}\n"
        ),
        html: None,
    }
}

/// A text on one line: nothing in it begins a header or a paragraph.
fn line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn text(sections: &[&Section], digest: &Digest) -> String {
    let mut text = String::new();
    let mut group = "";
    for section in sections {
        if sections.len() > 1 && section.group != group && !section.needs_you {
            group = &section.group;
            text.push_str(&format!("== {} ==\n\n", line(group)));
        }
        let mark = if section.needs_you { "Needs you: " } else { "" };
        text.push_str(&format!("{mark}{}\n{}\n", line(&section.title), line(&section.summary)));
        for (by, said) in &section.quotes {
            text.push_str(&format!("> {}: {}\n", line(by), line(said)));
        }
        text.push_str(&format!("{}\n\n", section.link));
    }
    if let Some((more, inbox)) = &digest.more {
        text.push_str(&format!("And {more} more in your inbox: {inbox}\n\n"));
    }
    text.push_str(&format!("-- \nChange what is mailed to you: {}\n", digest.settings));
    text
}

/// Colours of a dark screen; everything else is in the elements, because many programs drop a style sheet.
const DARK: &str = "@media (prefers-color-scheme: dark) { .page { background: #16181d !important; } \
    .text { color: #e6e8ec !important; } .soft { color: #a3a9b5 !important; } .link { color: #8ab4ff !important; } \
    .quote { border-color: #454b57 !important; } .line { border-color: #2c313a !important; } }";

fn html(sections: &[&Section], digest: &Digest) -> String {
    let preheader: Vec<String> = sections.iter().take(3).map(|section| line(&section.summary)).collect();
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <meta name=\"supported-color-schemes\" content=\"light dark\"><style>{DARK}</style></head>\
         <body class=\"page\" style=\"margin:0;padding:0;background:#ffffff\">\
         <div style=\"display:none;max-height:0;overflow:hidden\">{}</div>\
         <div style=\"max-width:560px;margin:0 auto;padding:16px;overflow-wrap:anywhere;\
         font:16px/1.5 -apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif\">",
        escaped(&preheader.join(" · "))
    );
    let mut group = "";
    for section in sections {
        if sections.len() > 1 && section.group != group && !section.needs_you {
            group = &section.group;
            page.push_str(&format!(
                "<h2 class=\"soft\" style=\"margin:24px 0 0;font-size:13px;font-weight:600;color:#5b6270\">{}</h2>",
                escaped(&line(group))
            ));
        }
        page.push_str(&block(section));
    }
    if let Some((more, inbox)) = &digest.more {
        page.push_str(&format!(
            "<p class=\"text\" style=\"margin:24px 0 0;color:#1c1e21\"><a class=\"link\" style=\"color:#0b57d0\" \
             href=\"{}\">And {more} more in your inbox</a></p>",
            escaped(inbox)
        ));
    }
    page.push_str(&format!(
        "<p class=\"soft line\" style=\"margin:24px 0 0;padding-top:12px;border-top:1px solid #e2e5ea;font-size:13px;\
         color:#5b6270\"><a class=\"soft\" style=\"color:#5b6270\" href=\"{}\">Change what is mailed to you</a></p>\
         </div></body></html>",
        escaped(&digest.settings)
    ));
    page
}

fn block(section: &Section) -> String {
    let mark = if section.needs_you {
        "<span style=\"display:inline-block;margin-right:8px;padding:0 8px;border-radius:10px;background:#b42318;\
         color:#ffffff;font-size:12px;font-weight:600\">Needs you</span>"
    } else {
        ""
    };
    let mut block = format!(
        "<div style=\"margin:16px 0 0\">{mark}<a class=\"link\" style=\"color:#1a56c4;font-weight:600;\
         text-decoration:none\" href=\"{}\">{}</a><div class=\"text\" style=\"color:#1d2129\">{}</div>",
        escaped(&section.link),
        escaped(&line(&section.title)),
        escaped(&line(&section.summary))
    );
    for (by, said) in &section.quotes {
        block.push_str(&format!(
            "<div class=\"quote text\" style=\"margin:8px 0 0;padding-left:12px;border-left:3px solid #d0d5dd;\
             color:#1d2129\"><span class=\"soft\" style=\"color:#5b6270\">{}:</span> {}</div>",
            escaped(&line(by)),
            escaped(&line(said))
        ));
    }
    block.push_str("</div>");
    block
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Characters that turn the direction of what follows would hide where a text ends.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::{Digest, Section, notifications};

    fn section(group: &str, title: &str, summary: &str) -> Section {
        Section {
            group: group.into(),
            title: title.into(),
            link: "https://work.example.com/o/demo/p/PRJ/items/PRJ-1".into(),
            summary: summary.into(),
            quotes: Vec::new(),
            needs_you: false,
        }
    }

    fn digest(sections: Vec<Section>, daily: bool) -> Digest {
        Digest {
            sections,
            daily,
            more: None,
            settings: "https://work.example.com/settings/notifications".into(),
        }
    }

    #[test]
    fn a_mail_and_a_digest() {
        let mut asks = section("demo / WEB", "[WEB-7] Pay", "Builder needs your answer");
        asks.needs_you = true;
        asks.quotes = vec![("Builder".into(), "Which currency?".into())];
        let comments = section("demo / PRJ", "[PRJ-1] Greet people", "3 new comments");
        let one = notifications(&digest(vec![comments.clone()], false));
        let many = notifications(&digest(vec![comments, asks], true));
        let show = |email: &super::Email| format!("{}\n\n{}", email.subject, email.text);
        insta::assert_snapshot!(format!("{}\n----\n{}", show(&one), show(&many)));
        let html = many.html.unwrap();
        assert!(html.contains("color-scheme") && html.len() < 100_000 && !html.contains("<img"));
    }

    #[test]
    fn hostile_text_is_text() {
        let mut hostile = section("demo / PRJ", "[PRJ-1] x\r\nBcc: all@example.com", "<b>Eve</b> & \"co\"");
        hostile.quotes = vec![(
            "Eve</div><script>".into(),
            "' onload=alert(1) <a href=\"https://evil.example\">\n-- \nx".into(),
        )];
        let mail = notifications(&digest(vec![hostile], false));
        assert_eq!(mail.subject, "[PRJ-1] x Bcc: all@example.com");
        let html = mail.html.unwrap();
        for wrong in ["<script", "<b>Eve", "<a href=\"https://evil", "' onload"] {
            assert!(!html.contains(wrong), "{wrong}");
        }
        assert_eq!(mail.text.matches("\n-- \n").count(), 1, "the signature is ours alone: {}", mail.text);
    }
}
