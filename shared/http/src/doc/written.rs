//! Formats the document for review: keys are sorted, a value that fits on one line stays on one line, short parts
//! share lines, and a value with a single part opens and closes on that part's lines.

use std::fmt::Write as _;

use aide::openapi::OpenApi;
use serde_json::Value;

/// Characters of a line at most, where a value can be broken.
const WIDTH: usize = 120;

/// The document as it is committed.
pub fn written(document: &OpenApi) -> String {
    let mut text = String::new();
    write(&serde_json::to_value(document).unwrap_or_default(), 0, 0, &mut text);
    text.push('\n');
    text
}

/// Writes a value after `before` characters of its line.
fn write(value: &Value, indent: usize, before: usize, text: &mut String) {
    let mut line = String::new();
    on_one_line(value, &mut line);
    let fits = indent + before + line.chars().count() <= WIDTH;
    match value {
        _ if fits => text.push_str(&line),
        Value::Object(fields) if fields.len() == 1 && fields.values().all(has_parts) => {
            for (name, field) in fields {
                let name = format!("{{{}: ", Value::from(name.as_str()));
                around(&name, field, '}', indent, before, text);
            }
        }
        Value::Array(entries) if entries.len() == 1 && entries.iter().all(has_parts) => {
            for entry in entries {
                around("[", entry, ']', indent, before, text);
            }
        }
        Value::Object(fields) => {
            let fields =
                fields.iter().map(|(name, field)| (format!("{}: ", Value::from(name.as_str())), field));
            on_lines(['{', '}'], fields, indent, text);
        }
        Value::Array(entries) => {
            on_lines(['[', ']'], entries.iter().map(|entry| (String::new(), entry)), indent, text);
        }
        _ => text.push_str(&line),
    }
}

fn has_parts(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

/// Writes a value's only part between the value's brackets, without lines of their own for these.
fn around(open: &str, part: &Value, close: char, indent: usize, before: usize, text: &mut String) {
    text.push_str(open);
    write(part, indent, before + open.chars().count() + 1, text);
    text.push(close);
}

/// Writes the parts of a value: those that fit a line share it with as many others as fit, the rest take lines of
/// their own.
fn on_lines<'a>(
    [open, close]: [char; 2],
    parts: impl ExactSizeIterator<Item = (String, &'a Value)>,
    indent: usize,
    text: &mut String,
) {
    let inner = indent + 1;
    let last = parts.len().saturating_sub(1);
    // The characters of the line so far, while another part may follow on it.
    let mut shared: Option<usize> = None;
    text.push(open);
    for (place, (name, part)) in parts.enumerate() {
        let mut written = name.clone();
        write(part, inner, name.chars().count() + 1, &mut written);
        if place < last {
            written.push(',');
        }
        let length = written.chars().count();
        let single = !written.contains('\n');
        match shared.filter(|used| single && used + 1 + length <= WIDTH) {
            Some(used) => {
                let _ = write!(text, " {written}");
                shared = Some(used + 1 + length);
            }
            None => {
                let _ = write!(text, "\n{:inner$}{written}", "");
                shared = single.then_some(inner + length);
            }
        }
    }
    let _ = write!(text, "\n{:indent$}{close}", "");
}

fn on_one_line(value: &Value, line: &mut String) {
    let mut comma = "";
    match value {
        Value::Object(fields) => {
            line.push('{');
            for (name, field) in fields {
                let _ = write!(line, "{comma}{}: ", Value::from(name.as_str()));
                on_one_line(field, line);
                comma = ", ";
            }
            line.push('}');
        }
        Value::Array(entries) => {
            line.push('[');
            for entry in entries {
                line.push_str(comma);
                on_one_line(entry, line);
                comma = ", ";
            }
            line.push(']');
        }
        scalar => {
            let _ = write!(line, "{scalar}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::write;
    use serde_json::json;

    #[test]
    fn what_fits_a_line_is_on_one_line() {
        let long = "x".repeat(113);
        let mut text = String::new();
        write(&json!({ "a": [1, {"b": null}], "long": [long, "y", "z"] }), 0, 0, &mut text);
        assert_eq!(
            text,
            format!("{{\n \"a\": [1, {{\"b\": null}}],\n \"long\": [\n  \"{long}\",\n  \"y\", \"z\"\n ]\n}}"),
        );
    }

    #[test]
    fn short_parts_share_lines_and_nothing_is_added_to_what_took_several() {
        let (half, long) = ("x".repeat(50), "y".repeat(113));
        let mut text = String::new();
        write(&json!({ "a": {"b": half}, "c": {"d": half}, "e": {"f": [long, 1]}, "g": 2 }), 0, 0, &mut text);
        assert_eq!(
            text,
            format!(
                "{{\n \"a\": {{\"b\": \"{half}\"}},\n \"c\": {{\"d\": \"{half}\"}},\n \"e\": {{\"f\": [\n  \"{long}\", \
                 1\n ]}},\n \"g\": 2\n}}"
            ),
        );
        let mut text = String::new();
        write(&json!({ "a": {"b": &half[..40]}, "c": {"d": &half[..40]}, "e": long }), 0, 0, &mut text);
        let short = &half[..40];
        let shared = format!(
            "{{\n \"a\": {{\"b\": \"{short}\"}}, \"c\": {{\"d\": \"{short}\"}},\n \"e\": \"{long}\"\n}}"
        );
        assert_eq!(text, shared);
    }

    #[test]
    fn a_value_with_a_single_part_takes_no_lines_for_its_brackets() {
        let long = "x".repeat(113);
        let mut text = String::new();
        write(&json!({ "a": [{"b": [long, 1]}], "c": {"d": {"e": [long]}} }), 0, 0, &mut text);
        assert_eq!(
            text,
            format!(
                "{{\n \"a\": [{{\"b\": [\n  \"{long}\", 1\n ]}}],\n \"c\": {{\"d\": {{\"e\": [\n  \"{long}\"\n ]}}}}\n}}"
            ),
        );
    }
}
