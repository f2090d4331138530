//! What the readers of several harnesses have in common: how much of a tool's input and output a log shows, and
//! what is remembered of stderr.

use serde_json::Value;

use super::{Exit, Line};

/// Lines of a tool's result that the log shows.
const RESULT_LINES: usize = 40;
/// Characters of a tool's input that the log shows.
const INPUT_CHARACTERS: usize = 2_000;
/// Lines of stderr that are remembered.
const STDERR_LINES: usize = 40;

/// The event that a line is; none where it is something else. Half an emoji, as a harness prints that cuts a text, is read as
/// one unknown character.
pub(super) fn event(line: &str) -> Option<Value> {
    let read = serde_json::from_str(line).or_else(|_| serde_json::from_str(&without_halves(line)));
    read.ok().filter(Value::is_object)
}

/// JSON without escapes that stand for half a character (unpaired surrogates).
fn without_halves(line: &str) -> String {
    let unit = |text: &str| u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok();
    let (mut whole, mut rest) = (String::with_capacity(line.len()), line);
    while let Some(at) = rest.find('\\') {
        whole.push_str(&rest[..at]);
        rest = &rest[at..];
        let (kept, length) = match (unit(rest), rest.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (&rest[..12], 12),
            (Some(0xD800..=0xDFFF), _) => ("\\ufffd", 6),
            _ => {
                let length = rest.chars().take(2).map(char::len_utf8).sum();
                (&rest[..length], length)
            }
        };
        whole.push_str(kept);
        rest = &rest[length..];
    }
    whole + rest
}

/// The text at a place of an event; empty where there is none.
pub(super) fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// More tokens than any session uses. An agent can write what is read here, and sums of it must not overflow.
const MOST: u64 = 1_000_000_000_000_000;

/// The number at a place of an event; 0 where there is none.
pub(super) fn number(value: &Value, pointer: &str) -> u64 {
    value.pointer(pointer).and_then(Value::as_u64).unwrap_or_default().min(MOST)
}

/// That a tool is used: a command as it is, other input as JSON.
pub(super) fn tool_use(name: &str, input: &Value) -> Line {
    let shown = match (input, text(input, "/command")) {
        (_, command) if !command.is_empty() => command.to_owned(),
        (Value::Null, _) => String::new(),
        (Value::String(text), _) => text.clone(),
        (Value::Object(fields), _) if fields.is_empty() => String::new(),
        _ => input.to_string(),
    };
    let mut line = format!("→ {name}: {}", shortened(&shown));
    line.truncate(line.trim_end_matches([' ', ':']).len());
    Line::agent(line)
}

/// What a tool answered; none when that was nothing.
pub(super) fn tool_result(content: &str, failed: bool) -> Option<Line> {
    let lines: Vec<&str> = content.lines().collect();
    let mark = if failed { "✗ " } else { "" };
    let mut shown: Vec<String> =
        lines.iter().take(RESULT_LINES).map(|line| format!("  {mark}{line}")).collect();
    if lines.len() > RESULT_LINES {
        shown.push(format!("  … {} more lines", lines.len() - RESULT_LINES));
    }
    (!shown.is_empty()).then(|| Line::agent(shown.join("\n")))
}

fn shortened(input: &str) -> String {
    match input.char_indices().nth(INPUT_CHARACTERS) {
        Some((end, _)) => format!("{}…", &input[..end]),
        None => input.to_owned(),
    }
}

/// A line that is no event: shown as it is, unless it is empty.
pub(super) fn plain(line: &str) -> Vec<Line> {
    if line.trim().is_empty() { Vec::new() } else { vec![Line::agent(line)] }
}

/// The last lines of stderr.
#[derive(Default)]
pub(super) struct Stderr(std::collections::VecDeque<String>);

impl Stderr {
    pub(super) fn push(&mut self, line: &str) {
        if self.0.len() == STDERR_LINES {
            self.0.pop_front();
        }
        self.0.push_back(line.to_owned());
    }

    /// Everything that is remembered.
    pub(super) fn all(&self) -> String {
        self.0.iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    /// What to say of a harness that ended without a result.
    pub(super) fn without_result(&self, exit: Exit) -> String {
        let how = match exit {
            Exit::Code(code) => format!("exit code {code}"),
            Exit::Signal(signal) => format!("signal {signal}"),
        };
        let last = self.0.iter().rev().find(|line| !line.trim().is_empty());
        let said = last.map_or_else(String::new, |line| format!(": {}", plain_text(line).trim()));
        format!("ended without a result ({how}){said}")
    }
}

/// A line without its colours.
fn plain_text(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let sequence =
            part.strip_prefix('[').map(|rest| rest.trim_start_matches(|c: char| !c.is_ascii_alphabetic()));
        text.push_str(sequence.and_then(|rest| rest.get(1..)).unwrap_or(part));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_an_emoji_costs_one_character_and_no_event() {
        for (line, text) in [
            (r#"{"a":"\ud83d"}"#, "\u{fffd}"),
            (r#"{"a":"x\ude00y\ud83d\ude00 \\ud83d"}"#, "x\u{fffd}y\u{1f600} \\ud83d"),
            (r#"{"a":"\ud83d\n\ud83d\ud83d\ude00"}"#, "\u{fffd}\n\u{fffd}\u{1f600}"),
        ] {
            assert_eq!(event(line).unwrap()["a"], text, "{line}");
        }
        for line in ["[1]", "{\"a\":\"\\ud83", "{\\é", "\\"] {
            assert_eq!(event(line), None, "{line}");
        }
        for known in crate::harness::KNOWN {
            let Some(adapter) = crate::harness::adapter(known.harness) else { continue };
            let job = crate::harness::testing::job(crate::harness::Session::Fresh("x".into()));
            let shown = adapter.reader(&job).stdout(r#"{"type":"unknown","text":"\ud83d"}"#);
            assert!(shown.is_empty(), "{} shows an event as text", known.name);
        }
    }

    #[test]
    fn colours_are_left_out_of_reasons() {
        let mut stderr = Stderr::default();
        stderr.push("\u{1b}[91m\u{1b}[1mError: \u{1b}[0mSession not found");
        let said = stderr.without_result(Exit::Code(1));
        assert_eq!(said, "ended without a result (exit code 1): Error: Session not found");
    }

    #[test]
    fn a_long_answer_of_a_tool_is_cut() {
        let line = tool_result(&"x\n".repeat(100), true).unwrap();
        assert!(line.text.starts_with("  ✗ x\n") && line.text.ends_with("… 60 more lines"));
        assert_eq!(tool_result("", false), None);
    }
}
