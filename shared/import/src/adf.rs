//! The Atlassian Document Format, which Jira's API of version 3 writes texts in, as Markdown.

use jiff::Timestamp;
use serde_json::Value;

use super::json::{at, list, text};

/// A document as Markdown.
pub(crate) fn markdown(document: &Value) -> String {
    let mut out = String::new();
    blocks(list(document, &["content"]), &mut out);
    out.trim_end().to_owned()
}

/// Blocks, with an empty line between them.
fn blocks(nodes: &[Value], out: &mut String) {
    for node in nodes {
        let block = block(node);
        if block.trim().is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push_str("\n\n");
        }
        out.push_str(block.trim_end());
    }
}

fn block(node: &Value) -> String {
    let content = list(node, &["content"]);
    let inner = || {
        let mut inner = String::new();
        blocks(content, &mut inner);
        inner
    };
    match text(node, &["type"]).unwrap_or_default().as_str() {
        "paragraph" => begun(&inline(content)),
        "heading" => {
            let level = at(node, &["attrs.level"]).and_then(Value::as_u64).unwrap_or(1).clamp(1, 6);
            format!("{} {}", "#".repeat(usize::try_from(level).unwrap_or(1)), inline(content))
        }
        "bulletList" | "decisionList" => items(content, |_, _| "- ".to_owned()),
        "orderedList" => {
            let first = at(node, &["attrs.order"]).and_then(Value::as_u64).unwrap_or(1);
            items(content, |number, _| format!("{}. ", first + number))
        }
        "taskList" => items(content, |_, item| {
            let done = text(item, &["attrs.state"]).is_some_and(|state| state == "DONE");
            format!("- [{}] ", if done { "x" } else { " " })
        }),
        "codeBlock" => {
            let language = text(node, &["attrs.language"]).unwrap_or_default();
            let code: String = content.iter().filter_map(|node| text(node, &["text"])).collect();
            let fence = if code.contains("```") { "````" } else { "```" };
            format!("{fence}{language}\n{code}\n{fence}")
        }
        "blockquote" | "panel" => prefixed(&inner(), "> ", "> "),
        "rule" => "---".to_owned(),
        "table" => table(content),
        "expand" | "nestedExpand" => {
            let title = text(node, &["attrs.title"]).map(|title| format!("**{}**\n\n", escaped(&title)));
            title.unwrap_or_default() + &inner()
        }
        "blockCard" | "embedCard" => card(node),
        "media" => media(node),
        _ if content.iter().any(|node| text(node, &["type"]).is_some_and(|kind| kind == "text")) => {
            inline(content)
        }
        _ if content.is_empty() => inline(std::slice::from_ref(node)),
        _ => inner(),
    }
}

/// Entries of a list; lists in them go below.
fn items(nodes: &[Value], mark: impl Fn(u64, &Value) -> String) -> String {
    let mut lines = Vec::new();
    let mut number = 0;
    for node in nodes {
        let kind = text(node, &["type"]).unwrap_or_default();
        if kind.ends_with("List") {
            lines.push(prefixed(&block(node), "  ", "  "));
            continue;
        }
        let mark = mark(number, node);
        number += 1;
        let content = list(node, &["content"]);
        let is_inline = content.iter().any(|node| text(node, &["type"]).is_some_and(|kind| kind == "text"));
        let parts: Vec<String> = match is_inline {
            true => vec![inline(content)],
            false => content.iter().map(block).collect(),
        };
        lines.push(prefixed(&parts.join("\n"), &mark, &" ".repeat(mark.len().min(3))));
    }
    lines.join("\n")
}

/// A text with one prefix before its first line and another before the rest.
fn prefixed(text: &str, first: &str, rest: &str) -> String {
    let line = |(number, line): (usize, &str)| format!("{}{line}", if number == 0 { first } else { rest });
    text.lines().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

fn table(rows: &[Value]) -> String {
    let mut lines = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let cell = |cell: &Value| {
            let mut text = String::new();
            blocks(list(cell, &["content"]), &mut text);
            text.replace("\n\n", "<br>").replace('\n', "<br>").replace('|', "\\|")
        };
        let cells: Vec<String> = list(row, &["content"]).iter().map(cell).collect();
        lines.push(format!("| {} |", cells.join(" | ")));
        if number == 0 {
            lines.push(format!("|{}", " --- |".repeat(cells.len())));
        }
    }
    lines.join("\n")
}

fn inline(nodes: &[Value]) -> String {
    nodes.iter().map(inline_node).collect()
}

fn inline_node(node: &Value) -> String {
    match text(node, &["type"]).unwrap_or_default().as_str() {
        "text" => marked(&text(node, &["text"]).unwrap_or_default(), list(node, &["marks"])),
        "hardBreak" => "  \n".to_owned(),
        "mention" => {
            let name = text(node, &["attrs.text", "attrs.id"]).unwrap_or_default();
            format!("@{}", name.trim_start_matches('@'))
        }
        "emoji" => text(node, &["attrs.text", "attrs.shortName"]).unwrap_or_default(),
        "inlineCard" => card(node),
        "status" => format!("`{}`", text(node, &["attrs.text"]).unwrap_or_default()),
        "date" => {
            let moment = text(node, &["attrs.timestamp"]).and_then(|time| time.parse().ok());
            let moment = moment.and_then(|time| Timestamp::from_millisecond(time).ok());
            moment.map(|moment| moment.strftime("%Y-%m-%d").to_string()).unwrap_or_default()
        }
        "media" | "mediaInline" => media(node),
        _ => inline(list(node, &["content"])),
    }
}

/// A text with its styles.
fn marked(plain: &str, marks: &[Value]) -> String {
    let kinds: Vec<String> = marks.iter().filter_map(|mark| text(mark, &["type"])).collect();
    let has = |kind: &str| kinds.iter().any(|found| found == kind);
    if has("code") {
        return format!("`{plain}`");
    }
    // Marks stand at the text itself, or they are none.
    let trimmed = plain.trim();
    if trimmed.is_empty() {
        return plain.to_owned();
    }
    let (before, after) = plain.split_once(trimmed).unwrap_or_default();
    let mut styled = escaped(trimmed);
    for (kind, mark) in [("em", "_"), ("strong", "**"), ("strike", "~~")] {
        if has(kind) {
            styled = format!("{mark}{styled}{mark}");
        }
    }
    if let Some(address) = marks.iter().find_map(|mark| text(mark, &["attrs.href"])) {
        styled = format!("[{styled}]({address})");
    }
    format!("{before}{styled}{after}")
}

fn card(node: &Value) -> String {
    text(node, &["attrs.url"]).map(|url| format!("<{url}>")).unwrap_or_default()
}

/// A file that is among the attachments.
fn media(node: &Value) -> String {
    match (text(node, &["attrs.url"]), text(node, &["attrs.alt"])) {
        (Some(url), alt) => format!("![{}]({url})", alt.unwrap_or_default()),
        (None, Some(alt)) => format!("({alt})"),
        (None, None) => String::new(),
    }
}

/// A text in which no character is a mark of Markdown.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '*' | '`' | '[' | ']' | '<' | '_' | '~') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A paragraph that does not look like a heading, a list or a quotation.
fn begun(text: &str) -> String {
    let is_mark = text.starts_with(['#', '>', '+', '-'])
        && text.trim_start_matches(['#', '>', '+', '-']).starts_with(' ');
    if is_mark { format!("\\{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::markdown;

    fn text(text: &str) -> Value {
        json!({ "type": "text", "text": text })
    }

    fn paragraph(content: Value) -> Value {
        json!({ "type": "paragraph", "content": content })
    }

    fn document(content: Value) -> String {
        markdown(&json!({ "type": "doc", "version": 1, "content": content }))
    }

    #[test]
    fn every_kind_of_block_becomes_markdown() {
        let item = |name: &str| json!({ "type": "listItem", "content": [paragraph(json!([text(name)]))] });
        let nested = json!({ "type": "listItem", "content": [
            paragraph(json!([text("one")])), { "type": "bulletList", "content": [item("two")] },
        ] });
        let cell = |name: &str| json!({ "type": "tableCell", "content": [paragraph(json!([text(name)]))] });
        let written = document(json!([
            { "type": "heading", "attrs": { "level": 2 }, "content": [text("Head")] },
            { "type": "bulletList", "content": [nested, item("three")] },
            { "type": "orderedList", "attrs": { "order": 3 }, "content": [item("c"), item("d")] },
            { "type": "taskList", "content": [
                { "type": "taskItem", "attrs": { "state": "DONE" }, "content": [text("did")] },
                { "type": "taskItem", "attrs": { "state": "TODO" }, "content": [text("to do")] },
            ] },
            { "type": "codeBlock", "attrs": { "language": "rust" }, "content": [text("let *a = 1;")] },
            { "type": "blockquote", "content": [paragraph(json!([text("a")])), paragraph(json!([text("b")]))] },
            { "type": "rule" },
            { "type": "table", "content": [
                { "type": "tableRow", "content": [cell("A"), cell("B")] },
                { "type": "tableRow", "content": [cell("1|2"), cell("3")] },
            ] },
            { "type": "mediaSingle", "content": [{ "type": "media", "attrs": { "id": "x", "alt": "shot.png" } }] },
            { "type": "expand", "attrs": { "title": "More" }, "content": [paragraph(json!([text("inside")]))] },
            { "type": "futureBlock", "content": [paragraph(json!([text("kept")]))] },
        ]));
        insta::assert_snapshot!(written);
    }

    #[test]
    fn styles_links_and_people_become_markdown() {
        let styled = |plain: &str, marks: Value| json!({ "type": "text", "text": plain, "marks": marks });
        let written = document(json!([paragraph(json!([
            text("2*3_4 "),
            styled("bold ", json!([{ "type": "strong" }])),
            styled("both", json!([{ "type": "strong" }, { "type": "em" }])),
            styled("x*y", json!([{ "type": "code" }])),
            { "type": "hardBreak" },
            styled("here", json!([{ "type": "link", "attrs": { "href": "https://x.example" } }])),
            { "type": "mention", "attrs": { "id": "1", "text": "@Ada" } },
            { "type": "emoji", "attrs": { "shortName": ":tada:" } },
            { "type": "date", "attrs": { "timestamp": "1790496000000" } },
            { "type": "inlineCard", "attrs": { "url": "https://y.example" } },
        ]))]));
        assert_eq!(
            written,
            "2\\*3\\_4 **bold** **_both_**`x*y`  \n[here](https://x.example)@Ada:tada:2026-09-27<https://y.example>"
        );
        assert_eq!(document(json!([paragraph(json!([text("# no heading")]))])), "\\# no heading");
        assert_eq!(markdown(&json!({ "type": "doc" })), "");
    }
}
