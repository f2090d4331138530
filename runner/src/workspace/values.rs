//! Which texts of a copied file are secret. Pure.
//!
//! | text                                                                       | is taken out of log and changes |
//! |----------------------------------------------------------------------------|---------------------------------|
//! | a value whose name says so (`API_TOKEN`), a password in an address          | in every form                   |
//! | a random-looking value                                                      | in every form                   |
//! | any other value of 6 or more characters, whatever its name                  | as it is, and encoded once      |
//! | digits (`5432`, `2026-01-31`, `10.0.0.1`), a word of up to 12 letters in one case (`production`), a path or an address of this machine of such parts (`/var/lib`, `http://localhost:3000`) | stays |
//!
//! JSON is read as such. Of everything else each line is read by itself: `NAME=value`, `name: value`, quoted texts,
//! the lines of a long value, and the words of a line that is no pair. A comment counts where it holds a pair.

use std::collections::BTreeSet;
use std::ffi::OsString;

use serde_json::Value;

use crate::environment::inherited_secrets;

/// Shortest value that is taken out.
const SHORTEST: usize = 6;
/// Letters of a word that stays.
const LONGEST_WORD: usize = 12;
/// Length of values that look random.
const RANDOM: std::ops::RangeInclusive<usize> = 16..=256;
/// Most random-looking values that are looked for in every form, which takes some memory for each.
const MOST_RANDOM: usize = 64;
/// What precedes the comment of a line.
const COMMENT: [&str; 2] = [" #", "\t#"];

/// The secret texts of files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values {
    /// Looked for in every form.
    pub secrets: BTreeSet<String>,
    /// Looked for as they are, and encoded once.
    pub plain: BTreeSet<String>,
}

impl Values {
    /// Adds those of a file.
    pub fn read(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        match serde_json::from_str(&text) {
            Ok(json) => self.json("", &json),
            Err(_) => text.lines().for_each(|line| self.line(line.trim())),
        }
    }

    fn json(&mut self, name: &str, value: &Value) {
        match value {
            Value::String(text) => self.value(name, text),
            Value::Number(number) => self.value(name, &number.to_string()),
            Value::Array(values) => values.iter().for_each(|value| self.json(name, value)),
            Value::Object(values) => values.iter().for_each(|(name, value)| self.json(name, value)),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn line(&mut self, line: &str) {
        let code = line.trim_start_matches(['#', ';']).trim_start();
        let comment = code.len() < line.len();
        let code = code.strip_prefix("- ").unwrap_or(code);
        let code = code.strip_prefix("export ").unwrap_or(code);
        let pair = pair(code);
        let section = code.starts_with('[') && code.ends_with(']');
        if code.starts_with("-----") || (pair.is_none() && (comment || section)) {
            return;
        }
        quoted(code).for_each(|text| self.value("", text));
        let Some((name, value)) = pair else {
            self.value("", code);
            let parts = code.split(|c: char| c.is_whitespace() || matches!(c, ':' | '<' | '>'));
            parts.for_each(|part| self.value("", part));
            return;
        };
        self.value(name, value);
        // Some programs take a comment for a part of the value.
        let end = COMMENT.iter().filter_map(|mark| value.find(mark)).min();
        self.value(name, end.map_or(value, |end| &value[..end]));
    }

    fn value(&mut self, name: &str, value: &str) {
        let value = unquoted(value);
        if value.starts_with(['{', '['])
            && let Ok(json) = serde_json::from_str(value)
        {
            self.json(name, &json);
        }
        let plain = value.replace("\\\"", "\"").replace("\\\\", "\\");
        let lines = value.split(['\n', '\r']).chain(value.split("\\n")).chain(plain.lines());
        for line in lines.map(str::trim).filter(|line| !line.starts_with("-----")) {
            self.secrets.extend(inherited_secrets([(OsString::from(name), OsString::from(line))]));
            if line.chars().count() < SHORTEST || is_ordinary(line) {
                continue;
            }
            if looks_random(line) && self.secrets.len() < MOST_RANDOM {
                self.secrets.insert(line.to_owned());
            } else {
                self.plain.insert(line.to_owned());
            }
        }
    }
}

/// Name and value of a line such as `NAME=value` or `name: value`. Padding at the end of base64 is no value.
fn pair(line: &str) -> Option<(&str, &str)> {
    let at = line.find('=').into_iter().chain(line.find(": ")).min()?;
    let (name, value) = (line[..at].trim().trim_matches(['"', '\'']), line[at + 1..].trim());
    (!name.is_empty() && !value.trim_matches('=').is_empty()).then_some((name, value))
}

/// The texts in quotes of a line.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    ['"', '\''].into_iter().flat_map(move |quote| line.split(quote).skip(1).step_by(2))
}

fn unquoted(value: &str) -> &str {
    value.trim().trim_end_matches([',', ';']).trim_matches(['"', '\'', '`'])
}

/// Whether a text is found in any log, and tells nothing.
fn is_ordinary(text: &str) -> bool {
    let local = text.split_once("://").map_or(text, |(_, rest)| rest);
    let here = ["localhost", "127.0.0.1", "0.0.0.0", "[::1]"].iter().any(|host| local.starts_with(host));
    let place = here || text.starts_with(['/', '.', '~']);
    let digits = text.chars().all(|c| c.is_ascii_digit() || ".,:-_/+% ".contains(c));
    let parts = || text.split(|c: char| !c.is_alphanumeric());
    digits || is_word(text) || (place && parts().all(|part| is_word(part) || is_number(part)))
}

fn is_word(text: &str) -> bool {
    let mut rest = text.chars();
    let first = rest.next().is_none_or(char::is_alphabetic);
    let (lower, upper) = (rest.all(char::is_lowercase), text.chars().all(char::is_uppercase));
    first && (lower || upper) && text.chars().count() <= LONGEST_WORD
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn looks_random(text: &str) -> bool {
    RANDOM.contains(&text.len())
        && !text.contains(char::is_whitespace)
        && text.contains(|c: char| c.is_ascii_digit())
        && text.contains(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::Values;

    fn hides(file: &str, text: &str) -> bool {
        let mut values = Values::default();
        values.read(file.as_bytes());
        values.secrets.contains(text) || values.plain.contains(text)
    }

    #[test]
    fn every_value_of_a_copied_file_is_secret_whatever_its_name() {
        for (file, secret) in [
            ("DB_PASSWORD=hunter2", "hunter2"),
            ("STRIPE=sk_live_51Habcdefghijkl", "sk_live_51Habcdefghijkl"),
            ("MY_SECRET=abcdef-0123456789 # of the staging system", "abcdef-0123456789"),
            ("MY_SECRET=\"abcdef # 0123456789\" # comment", "abcdef # 0123456789"),
            ("# OLD_KEY=abcdef-0123456789", "abcdef-0123456789"),
            ("export WORDS='correct horse battery'", "correct horse battery"),
            ("stripe: sk_live_51Habcdefghijkl", "sk_live_51Habcdefghijkl"),
            ("list:\n  - sk_live_51Habcdefghijkl\n", "sk_live_51Habcdefghijkl"),
            ("options = { user: \"app-user\", pass: 'hunter2x' }", "hunter2x"),
            (r#"{"db": {"hosts": ["db.internal"], "pin": "hunter2"}}"#, "hunter2"),
            (r#"{"db": {"hosts": ["db.internal"]}}"#, "db.internal"),
            (r#"{"password": 12345678}"#, "12345678"),
            (r#"JSON='{"pin": "hunter2"}'"#, "hunter2"),
            ("URL=postgres://app:hunter2x@db:5432/app", "hunter2x"),
            ("machine host.example login me password hunter2x", "hunter2x"),
            ("db.example:5432:app:me:hunter2x", "hunter2x"),
            ("<password>hunter2x</password>", "hunter2x"),
            ("c2VjcmV0LXNlY3JldA==", "c2VjcmV0LXNlY3JldA=="),
            ("SYMBOLS=!@#$%^&*()", "!@#$%^&*()"),
            (r#"QUOTED="a\"b-cdef""#, "a\"b-cdef"),
        ] {
            assert!(hides(file, secret), "{file}");
        }
    }

    #[test]
    fn every_line_of_a_long_value_is_secret() {
        let key = ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj", "AbCdEf"];
        let (begin, end) = ("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----");
        let files = [
            format!("PRIVATE_KEY=\"{begin}\n{}\n{end}\"\nMODE=fast", key.join("\n")),
            format!("PRIVATE_KEY=\"{begin}\\n{}\\n{end}\"", key.join("\\n")),
            format!("key: |\n  {begin}\n  {}\n  {end}", key.join("\n  ")),
            serde_json::json!({ "key": format!("{begin}\n{}\n{end}\n", key.join("\n")) }).to_string(),
        ];
        for file in files {
            assert!(key.iter().all(|line| hides(&file, line)), "{file}");
            assert!(!hides(&file, begin), "{file}");
        }
    }

    #[test]
    fn words_and_numbers_that_logs_are_full_of_stay() {
        let words = [
            "true",
            "localhost",
            "development",
            "PRODUCTION",
            "5432000",
            "2026-01-31",
            "10.0.0.1:8080",
            "http://localhost:3000/api",
            "/var/lib/app",
            "./config/local.json",
        ];
        for word in words {
            for file in [format!("NAME={word}"), format!("name: {word}"), format!("{{\"a\":\"{word}\"}}")] {
                let mut values = Values::default();
                values.read(file.as_bytes());
                assert_eq!(values, Values::default(), "{file}");
            }
        }
        assert!(!hides("# a comment without any value\n[section]\n", "comment"));
    }
}
