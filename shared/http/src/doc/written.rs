//! The document as text that people review: what fits a line is on one line, and keys are sorted.

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
        Value::Object(fields) if !fits => {
            let fields = fields.iter().map(|(name, field)| (Some(name.as_str()), field));
            on_lines(['{', '}'], fields, indent, text);
        }
        Value::Array(entries) if !fits && entries.iter().all(|entry| !is_composed(entry)) => {
            on_full_lines(entries, indent, text);
        }
        Value::Array(entries) if !fits => {
            on_lines(['[', ']'], entries.iter().map(|entry| (None, entry)), indent, text);
        }
        _ => text.push_str(&line),
    }
}

fn on_lines<'a>(
    [open, close]: [char; 2],
    parts: impl Iterator<Item = (Option<&'a str>, &'a Value)>,
    indent: usize,
    text: &mut String,
) {
    let inner = indent + 1;
    text.push(open);
    for (place, (name, part)) in parts.enumerate() {
        let comma = if place == 0 { "" } else { "," };
        let name = name.map(|name| format!("{}: ", Value::from(name))).unwrap_or_default();
        let _ = write!(text, "{comma}\n{:inner$}{name}", "");
        write(part, inner, name.chars().count() + 1, text);
    }
    let _ = write!(text, "\n{:indent$}{close}", "");
}

fn is_composed(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

/// Writes words and numbers, as many on a line as fit.
fn on_full_lines(entries: &[Value], indent: usize, text: &mut String) {
    let inner = indent + 1;
    let mut used = WIDTH;
    text.push('[');
    for (place, entry) in entries.iter().enumerate() {
        let last = place + 1 == entries.len();
        let word = format!("{entry}{}", if last { "" } else { "," });
        let length = word.chars().count();
        if used + 1 + length > WIDTH {
            let _ = write!(text, "\n{:inner$}{word}", "");
            used = inner + length;
        } else {
            let _ = write!(text, " {word}");
            used += 1 + length;
        }
    }
    let _ = write!(text, "\n{:indent$}]", "");
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
}
