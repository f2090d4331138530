//! HTML that shows nothing to a person who reads the rendered text: comments, and elements that no browser displays.
//! Code keeps all of it, because there it is visible.
//!
//! One pass from the beginning to the end. The only looks ahead are for the end of what was found, which is then
//! skipped, and for ends that are known to be missing no search is made twice.

use std::collections::BTreeSet;

use super::markdown::without_unseen;

/// Elements whose content no browser displays.
const NEVER_SHOWN: [&str; 6] = ["script", "style", "template", "noscript", "iframe", "object"];
/// Elements that an attribute can hide with all their content.
const HIDEABLE: [&str; 18] = [
    "a", "b", "div", "em", "font", "h1", "i", "li", "p", "pre", "section", "small", "span", "strong", "sub",
    "sup", "td", "u",
];
/// Attributes, or parts of a style, that hide an element; without blanks.
const HIDING: [&str; 6] =
    ["display:none", "visibility:hidden", "font-size:0", "opacity:0", "color:transparent", "hidden"];
/// Farthest look for the end of a tag or a span of code, in bytes.
const FARTHEST: usize = 2_000;

/// Most readings of one text.
const READINGS: usize = 8;

/// The text without markup that shows nothing. What is left may be such markup again, and is read again.
pub(super) fn without_hidden(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..READINGS {
        let read = Reader::of(&without_unseen(&text)).read();
        if read == text {
            return text;
        }
        text = read;
    }
    // Made to be read without end: nothing in it is a comment any more.
    text.replace("<!--", "<! --")
}

struct Reader<'a> {
    text: &'a str,
    /// The same in lower case, byte for byte.
    lower: String,
    out: String,
    /// Ends that do not come any more.
    missing: BTreeSet<&'static str>,
}

impl<'a> Reader<'a> {
    fn of(text: &'a str) -> Self {
        let lower = text.to_ascii_lowercase();
        Self { text, lower, out: String::with_capacity(text.len()), missing: BTreeSet::new() }
    }

    fn read(mut self) -> String {
        let mut at = 0;
        let mut begins_line = true;
        while at < self.text.len() {
            let skipped = if begins_line { self.block(at) } else { None };
            if let Some(next) = skipped {
                at = next;
                continue;
            }
            let next = self.inline(at);
            begins_line = self.text[..next].ends_with('\n');
            at = next;
        }
        self.out
    }

    /// Copies a block of code, where a line begins one.
    fn block(&mut self, at: usize) -> Option<usize> {
        let line = line_at(self.text, at);
        let open = opens(line.trim_start())?;
        let end = end_of_code(self.text, at + line.len(), open);
        self.out.push_str(&self.text[at..end]);
        Some(end)
    }

    /// Copies up to the next mark on the line, or leaves out what it hides. Returns where to go on.
    fn inline(&mut self, at: usize) -> usize {
        let rest = &self.text[at..];
        let plain = rest.find(['<', '`', '\n']).unwrap_or(rest.len());
        self.out.push_str(&rest[..plain]);
        let at = at + plain;
        let Some(mark) = self.text[at..].chars().next() else { return at };
        let next = match mark {
            '<' => self.hidden(at),
            '`' => self.code(at),
            _ => None,
        };
        next.unwrap_or_else(|| {
            self.out.push(mark);
            at + mark.len_utf8()
        })
    }

    /// Where to go on behind a comment or an element that is not displayed.
    fn hidden(&mut self, at: usize) -> Option<usize> {
        if self.text[at..].starts_with("<!--") {
            // Browsers take a comment that nobody closes to the end of the text.
            let end = self.text[at + 4..].find("-->").map_or(self.text.len(), |end| at + 4 + end + 3);
            if self.text[at..end].contains('\n') {
                self.out.push('\n');
            }
            return Some(end);
        }
        let name = self.lower[at + 1..].split(|c: char| !c.is_ascii_alphanumeric()).next()?;
        let known = |names: &[&'static str]| names.iter().copied().find(|known| *known == name);
        let tag_end = at + near(&self.lower[at..]).find('>')? + 1;
        let tag = &self.lower[at..tag_end];
        let name = known(&NEVER_SHOWN).or_else(|| known(&HIDEABLE).filter(|_| is_hiding(tag)))?;
        if self.missing.contains(name) {
            return Some(tag_end);
        }
        let Some(end) = end_of_element(&self.lower, tag_end, name) else {
            self.missing.insert(name);
            return Some(tag_end);
        };
        Some(end)
    }

    /// Copies a span of code.
    fn code(&mut self, at: usize) -> Option<usize> {
        let rest = near(&self.text[at..]);
        let marks = rest.len() - rest.trim_start_matches('`').len();
        let paragraph = rest.find("\n\n").map_or(rest, |end| &rest[..end]);
        let mut from = marks;
        while let Some(found) = paragraph[from..].find('`') {
            let run = &paragraph[from + found..];
            let length = run.len() - run.trim_start_matches('`').len();
            from += found + length;
            if length == marks {
                self.out.push_str(&rest[..from]);
                return Some(at + from);
            }
        }
        self.out.push_str(&rest[..marks]);
        Some(at + marks)
    }
}

/// The beginning of a text, as far as anything is looked for.
fn near(text: &str) -> &str {
    &text[..text.floor_char_boundary(FARTHEST)]
}

fn line_at(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    rest.find('\n').map_or(rest, |end| &rest[..=end])
}

/// Whether the attributes of a tag hide its element.
fn is_hiding(tag: &str) -> bool {
    let Some((_, attributes)) = tag.split_once(char::is_whitespace) else { return false };
    let dense: String = attributes.split_whitespace().collect();
    HIDING.iter().any(|hiding| match *hiding {
        "hidden" => attributes.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').any(|a| a == "hidden"),
        style => dense.contains(style) && !dense.contains(&format!("{style}.")),
    })
}

/// Where an element ends whose opening tag ends at `from`; elements of its name may be nested in it.
fn end_of_element(lower: &str, from: usize, name: &str) -> Option<usize> {
    let (open, close) = (format!("<{name}"), format!("</{name}"));
    let (mut depth, mut at, mut last) = (1_usize, from, None);
    while let Some(found) = lower[at..].find('<') {
        at += found;
        let rest = &lower[at..];
        let is_tag = |tag: &str| {
            rest.strip_prefix(tag).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
        };
        if is_tag(&close) {
            depth -= 1;
            let end = rest.find('>').map_or(lower.len(), |end| at + end + 1);
            if depth == 0 {
                return Some(end);
            }
            last = Some(end);
        } else if is_tag(&open) && !NEVER_SHOWN.contains(&name) {
            depth += 1;
        }
        at += 1;
    }
    last
}

/// The run of marks that opens a fenced block of code.
fn opens(line: &str) -> Option<&str> {
    for mark in ['`', '~'] {
        let length = line.len() - line.trim_start_matches(mark).len();
        let info = &line[length..];
        if length >= 3 && !(mark == '`' && info.contains('`')) {
            return Some(&line[..length]);
        }
    }
    None
}

/// Where the block of code ends that `open` opened on the line before `from`.
fn end_of_code(text: &str, from: usize, open: &str) -> usize {
    let mut at = from;
    for line in text[from..].split_inclusive('\n') {
        at += line.len();
        if closes(line.trim_start(), open) {
            break;
        }
    }
    at
}

fn closes(line: &str, open: &str) -> bool {
    let mark = if open.starts_with('`') { '`' } else { '~' };
    let rest = line.trim_start_matches(mark);
    line.len() - rest.len() >= open.len() && rest.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::without_hidden;

    #[test]
    fn markup_that_shows_nothing_is_taken_out() {
        for (text, seen) in [
            ("a <script>steal()</script>b", "a b"),
            ("a <SCRIPT src=x>steal()</ScRiPt >b", "a b"),
            ("<style>p { color: red }</style>shown", "shown"),
            ("<div hidden>obey <div>me</div> now</div>shown", "shown"),
            ("<span style=\"display : none\">obey</span>shown", "shown"),
            ("<p style='font-size:0'>obey</p>shown", "shown"),
            ("<div style=\"opacity:0.9\">pale</div>", "<div style=\"opacity:0.9\">pale</div>"),
            ("<span class=\"hidden-xs\">seen</span>", "<span class=\"hidden-xs\">seen</span>"),
            ("the <script> tag is missing", "the  tag is missing"),
            ("Vec<String> and a < b > c", "Vec<String> and a < b > c"),
            (
                "`<!-- seen -->` and `` a ` <script>x</script> ``",
                "`<!-- seen -->` and `` a ` <script>x</script> ``",
            ),
            ("a ` b <!-- gone --> c", "a ` b  c"),
            ("a<!-<!-- x -->- gone -->b", "ab"),
        ] {
            assert_eq!(without_hidden(text), seen, "{text:?}");
        }
    }

    /// 200,000 characters that begin something everywhere and end it nowhere.
    #[test]
    fn a_text_made_to_be_slow_is_not() {
        for part in ["<script ", "<div hidden>", "`", "<!", "<div hidden></p>", "```\n"] {
            let text = part.repeat(200_000 / part.len());
            assert!(without_hidden(&text).len() <= text.len() + 1);
        }
    }
}
