//! Parts of Markdown that its reader does not see: link definitions and their labels, titles of links, what stands
//! behind the language of a block of code, and cells beyond the columns of a table.
//!
//! A link keeps its words and its address: `[the docs][ignore all rules]` becomes `[the docs](https://…)`.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

/// What is understood, as where texts are rendered.
const OPTIONS: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_TASKLISTS).union(Options::ENABLE_STRIKETHROUGH);
/// Longest name of a language, in bytes.
const LANGUAGE: usize = 20;

/// The text without what its reader does not see.
pub(super) fn without_unseen(text: &str) -> String {
    let mut edits = edits(text);
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, replacement) in edits {
        if range.start >= at {
            out.push_str(&text[at..range.start]);
            out.push_str(&replacement);
            at = range.end;
        }
    }
    out.push_str(&text[at..]);
    out
}

/// What a link, an image or a row of a table is, and where the last part of it ends that is seen.
struct Open {
    /// What stands in place of what is not seen; `None` where all is seen.
    instead: Option<String>,
    seen_to: usize,
}

fn edits(text: &str) -> Vec<(Range<usize>, String)> {
    let parser = Parser::new_ext(text, OPTIONS);
    let definitions = parser.reference_definitions().iter();
    let mut edits: Vec<_> = definitions.map(|(_, found)| (found.span.clone(), String::new())).collect();
    let mut open: Vec<Open> = Vec::new();
    for (event, range) in parser.into_offset_iter() {
        let instead = match &event {
            Event::Start(Tag::Link { link_type, dest_url, title, .. }) => {
                Some((1, address(*link_type, dest_url, title)))
            }
            Event::Start(Tag::Image { link_type, dest_url, title, .. }) => {
                Some((2, address(*link_type, dest_url, title)))
            }
            Event::Start(Tag::TableHead | Tag::TableRow) => Some((0, Some("|".to_owned()))),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => {
                edits.extend(information(text, &range));
                None
            }
            _ => None,
        };
        if let Some((mark, instead)) = instead {
            open.push(Open { instead, seen_to: range.start + mark });
            continue;
        }
        if let Event::End(TagEnd::Link | TagEnd::Image | TagEnd::TableHead | TagEnd::TableRow) = event
            && let Some(Open { instead: Some(instead), seen_to }) = open.pop()
        {
            let end = range.start + text[range.clone()].trim_end().len();
            let unseen = seen_to..end.max(seen_to);
            if !text[unseen.clone()].trim_matches(['|', ' ', '\t']).is_empty() {
                edits.push((unseen, instead));
            }
        }
        if let Some(outer) = open.last_mut() {
            outer.seen_to = outer.seen_to.max(range.end);
        }
    }
    edits
}

/// How a link ends when it says its address and nothing else, where it says more.
fn address(kind: LinkType, address: &str, title: &str) -> Option<String> {
    let plain = match kind {
        LinkType::Autolink | LinkType::Email => true,
        LinkType::Inline => title.is_empty(),
        _ => false,
    };
    let bare = !address.is_empty() && !address.contains([' ', '(', ')', '<', '>']);
    (!plain).then(|| if bare { format!("]({address})") } else { format!("](<{address}>)") })
}

/// What stands behind the language of a fenced block of code, on its first line.
fn information(text: &str, block: &Range<usize>) -> Option<(Range<usize>, String)> {
    let line = text[block.clone()].lines().next()?;
    let said = line.trim_start_matches(['`', '~']);
    let language = said.split_whitespace().next()?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || "+-#._".contains(c);
    let named = language.len() <= LANGUAGE && language.chars().all(is_name);
    let start = block.start + line.len() - said.len();
    let kept = if named { language } else { "" };
    (said.trim() != kept).then(|| (start..block.start + line.len(), kept.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::without_unseen;

    #[test]
    fn what_a_reader_does_not_see_is_taken_out() {
        for (text, seen) in [
            ("[//]: # (obey me)\nshown", "\nshown"),
            ("[//]: # \"obey\nme\"\nshown", "\nshown"),
            ("[comment]: <> (obey me)\nshown", "\nshown"),
            ("[a]: b\n\"obey me\"\nshown", "\nshown"),
            ("> [q]: http://e \"obey me\"\n> shown", "> \n> shown"),
            ("- [x]: http://e \"obey me\"\n- shown", "- \n- shown"),
            ("[todo]: finish this one", "[todo]: finish this one"),
            ("[1]\n\n[1]: https://e.org \"obey me\"", "[1](https://e.org)\n\n"),
            ("[docs][obey me]\n\n[obey me]: /docs", "[docs](/docs)\n\n"),
            ("[x](https://e.org \"obey me\") y", "[x](https://e.org) y"),
            ("[t](<http://a b> 'obey me')", "[t](<http://a b>)"),
            ("[![x](a.png 'obey')](b \"me\") y", "[![x](a.png)](b) y"),
            (
                "[x](a b) y, [z](https://e.org), <https://e.org>",
                "[x](a b) y, [z](https://e.org), <https://e.org>",
            ),
            ("```text push to main\nx\n```", "```text\nx\n```"),
            ("~~~ \u{201c}obey\u{201d} me\nx\n~~~", "~~~\nx\n~~~"),
            ("```rust\nx\n```", "```rust\nx\n```"),
            ("| a |\n|---|\n| b | obey me |\n", "| a |\n|---|\n| b |\n"),
            ("| a | b |\n|---|---|\n| c | d |\n", "| a | b |\n|---|---|\n| c | d |\n"),
            ("`[x](y \"seen\")`", "`[x](y \"seen\")`"),
        ] {
            assert_eq!(without_unseen(text), seen, "{text:?}");
        }
    }

    /// 200,000 characters that begin something everywhere and end it nowhere.
    #[test]
    fn a_text_made_to_be_slow_is_not() {
        for part in ["](a \"", "[a]: b (", "[a]: b (\n", "[a]: b \"\n", "[", "![", "```\n", "|a\n|-\n"] {
            let text = part.repeat(200_000 / part.len());
            assert!(without_unseen(&text).len() <= 2 * text.len());
        }
    }
}
