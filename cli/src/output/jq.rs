//! What a jq filter makes of JSON, and where and why it fails.

use jaq_core::load::{self, Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Vars, data, unwrap_valr};
use jaq_json::{Val, read};
use serde_json::{Deserializer, Value};

use crate::failure::Failure;

/// Longest value, in bytes, that an error repeats; of a longer one it says only what it is.
const SHOWN: usize = 60;

/// Formats of jq that the crate leaves out.
const FORMATS: &str = r#"
def _rows(f): if isarray then map(f) else error("@csv and @tsv take an array, such as [.key, .title]") end;
def @csv: _rows(
    if isstring then "\"" + (split("\"") | join("\"\"")) + "\""
    elif . == null then ""
    elif isarray or isobject then error("@csv and @tsv take texts, numbers, true, false and null in their array")
    else tojson end) | join(",");
def @tsv: _rows(
    if isstring then split("\\") | join("\\\\") | split("\t") | join("\\t") | split("\n") | join("\\n") | split("\r") | join("\\r")
    elif . == null then ""
    elif isarray or isobject then error("@csv and @tsv take texts, numbers, true, false and null in their array")
    else tojson end) | join("\t");
"#;

type Filter = jaq_core::Filter<data::JustLut<Val>>;

/// Whether the code is a filter.
///
/// # Errors
/// It is not one (exit code 2).
pub(super) fn check(code: &str) -> Result<(), Failure> {
    with_filter(code, |_| ())
}

/// The results of the filter, one a line; texts without their quotes.
///
/// # Errors
/// The filter does not fit the value (exit code 2).
pub(super) fn apply(code: &str, value: &Value) -> Result<String, Failure> {
    with_filter(code, |filter| results(filter, code, value))?
}

fn with_filter<T>(code: &str, work: impl FnOnce(&Filter) -> T) -> Result<T, Failure> {
    let formats = load::parse(FORMATS, |parser| parser.defs()).unwrap_or_default();
    let definitions = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs()).chain(formats);
    let functions = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
    let arena = Arena::default();
    let loaded = Loader::new(definitions).load(&arena, File { code, path: () });
    let modules = loaded.map_err(|errors| wrong(code, unread(code, &errors)))?;
    let compiled = Compiler::default().with_funs(functions).compile(modules);
    let filter = compiled.map_err(|errors| {
        let first = errors.iter().flat_map(|(_, errors)| errors).next();
        wrong(
            code,
            first.map(|(name, what)| format!("there is no {} {name}{}", what.as_str(), at(code, name))),
        )
    })?;
    Ok(work(&filter))
}

/// What could not be read of the code.
fn unread(code: &str, errors: &load::Errors<&str, ()>) -> Option<String> {
    let (what, found) = match &errors.first()?.1 {
        load::Error::Lex(errors) => errors.first().map(|(what, found)| (what.as_str(), *found))?,
        load::Error::Parse(errors) => errors.first().map(|(what, found)| (what.as_str(), *found))?,
        load::Error::Io(errors) => return errors.first().map(|(_, why)| why.clone()),
    };
    Some(if what == "token" {
        format!("jq does not know this{}", at(code, found))
    } else if found.is_empty() {
        format!("it ends where {} is missing", named(what))
    } else {
        format!("{} is missing{}", named(what), at(code, found))
    })
}

/// What the reader of the code expected, in words.
fn named(expected: &str) -> String {
    match expected {
        "term" => "a value".to_owned(),
        "nothing" => "an operator such as |".to_owned(),
        word if word.chars().all(|c| c.is_ascii_alphabetic() || c == ' ') => format!("a {word}"),
        sign => format!("{sign:?}"),
    }
}

/// Where a part of the code begins, and what stands there.
fn at(code: &str, part: &str) -> String {
    let start = load::span(code, part).start;
    match code.get(..start) {
        Some(before) => format!(", at character {}: {:?}", before.chars().count() + 1, &code[start..]),
        None => String::new(),
    }
}

fn wrong(code: &str, why: Option<String>) -> Failure {
    let failure = Failure::rejected(format!("--jq: {code:?} is not a jq filter"))
        .hint("write one such as '.[].key', or '.[] | select(.blocked) | .title'");
    match why {
        Some(why) => failure.detail(why),
        None => failure,
    }
}

fn results(filter: &Filter, code: &str, value: &Value) -> Result<String, Failure> {
    let failed = |why: &str| {
        let failure =
            Failure::rejected(format!("--jq: {}", shortened(why))).detail(format!("the filter was {code}"));
        match value {
            Value::Array(_) if !code.contains("[]") && !code.contains("map") => {
                failure.hint("the JSON is a list: begin with .[] for each entry of it")
            }
            _ => failure.hint("see what there is with --json"),
        }
    };
    let input =
        read::parse_single(value.to_string().as_bytes()).map_err(|error| failed(&error.to_string()))?;
    let context = Ctx::<data::JustLut<Val>>::new(&filter.lut, Vars::new([]));
    let mut text = String::new();
    for result in filter.id.run((context, input)).map(unwrap_valr) {
        let result = result.map_err(|error| failed(&error.to_string()))?.to_string();
        match serde_json::from_str::<Value>(&result) {
            Ok(Value::String(raw)) => text.push_str(&raw),
            _ => text.push_str(&result),
        }
        text.push('\n');
    }
    Ok(text)
}

/// The message, with long values told by what they are: an error is not the place to print all data.
fn shortened(message: &str) -> String {
    let (mut text, mut rest) = (String::new(), message);
    while let Some(start) = rest.find(['[', '{', '"']) {
        text.push_str(&rest[..start]);
        rest = &rest[start..];
        let mut values = Deserializer::from_str(rest).into_iter::<Value>();
        let length = match values.next() {
            Some(Ok(value)) => {
                let length = values.byte_offset();
                text.push_str(&told(&value, &rest[..length]));
                length
            }
            _ => {
                text.push_str(&rest[..1]);
                1
            }
        };
        rest = &rest[length..];
    }
    text + rest
}

fn told(value: &Value, json: &str) -> String {
    match value {
        _ if json.len() <= SHOWN => json.to_owned(),
        Value::Array(entries) => format!("an array of {}", entries.len()),
        Value::Object(fields) => {
            let names: Vec<_> = fields.keys().map(String::as_str).collect();
            format!("an object with {}", names.join(", "))
        }
        _ => format!("{}…", json.chars().take(SHOWN).collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{apply, check, shortened};

    #[test]
    fn a_filter_prints_its_results_and_texts_without_quotes() {
        let value = json!([{ "key": "PRJ-1", "n": 1 }, { "key": "PRJ-2", "n": 2.5 }]);
        assert_eq!(apply(".[].key", &value).unwrap(), "PRJ-1\nPRJ-2\n");
        assert_eq!(apply("map(.n) | add, length", &value).unwrap(), "3.5\n2\n");
        assert!(apply(".[] | error", &value).is_err());
    }

    #[test]
    fn rows_of_spreadsheets_are_made() {
        let value =
            json!([{ "key": "PRJ-1", "title": "a \"b\"\tc,\\d\ne", "n": 2.5, "none": null, "is": true }]);
        let row = ".[] | [.key, .title, .n, .none, .is]";
        let csv = apply(&format!("{row} | @csv"), &value).unwrap();
        assert_eq!(csv, "\"PRJ-1\",\"a \"\"b\"\"\tc,\\d\ne\",2.5,,true\n");
        assert_eq!(
            apply(&format!("{row} | @tsv"), &value).unwrap(),
            "PRJ-1\ta \"b\"\\tc,\\\\d\\ne\t2.5\t\ttrue\n"
        );
        assert!(apply(".[] | @csv", &value).unwrap_err().title.contains("take an array"));
        assert!(apply("[.] | @tsv", &value).unwrap_err().title.contains("take texts"));
    }

    #[test]
    fn a_wrong_filter_is_told_where_it_is_wrong() {
        for (code, why) in [
            (".[", "it ends where a closing bracket is missing"),
            (".[] | .key | nonsense", "there is no filter nonsense, at character 14: \"nonsense\""),
            (".ä", "jq does not know this, at character 2: \"ä\""),
            ("\"ä\" | $x", "there is no variable $x, at character 7: \"$x\""),
            (".[] |", "it ends where a value is missing"),
            ("if . then", "it ends where a value is missing"),
        ] {
            assert_eq!(check(code).unwrap_err().detail.as_deref(), Some(why), "{code}");
        }
    }

    #[test]
    fn an_error_does_not_repeat_all_data() {
        let many = json!((0..100).map(|n| json!({ "key": n, "title": "x" })).collect::<Vec<_>>());
        let failure = apply(".key", &many).unwrap_err();
        assert_eq!(failure.title, "--jq: cannot index an array of 100 with \"key\"");
        assert!(failure.hint.unwrap().contains(".[]"));
        let one = apply(".key", &json!("short")).unwrap_err();
        assert_eq!(one.title, "--jq: cannot index \"short\" with \"key\"");
        let object = format!("cannot use {} as number", json!({ "key": "k".repeat(80), "id": 1 }));
        assert_eq!(shortened(&object), "cannot use an object with id, key as number");
        assert_eq!(shortened("a [ b \" c { ä"), "a [ b \" c { ä");
    }
}
