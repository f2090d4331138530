//! JSON of other trackers, read value by value: arrays, several of them one after the other, and lines.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::io::{BufRead as _, BufReader, Read};
use std::rc::Rc;

use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde_json::{Map, Value};

use super::portions::{MOST, Portions};
use crate::failure::Failure;

/// Calls `take` with every value of a file: with each element of an array at the top or in one of the `lists` of an
/// object at the top, whose name comes along, and with what else such an object has. Only one value is held at a time.
///
/// # Errors
/// The file is not JSON; what `take` answers.
pub(crate) fn each(
    bytes: impl Read,
    file: &str,
    lists: &[&str],
    take: impl FnMut(&str, Value) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (bytes, portion) = Portions::new(bytes);
    let mut bytes = BufReader::with_capacity(64 * 1024, bytes);
    let taking = Taking { take: RefCell::new(Box::new(take)), failure: RefCell::new(None), lists, portion };
    skip_mark(&mut bytes).map_err(|error| Failure::rejected(format!("cannot read {file}: {error}")))?;
    let mut json = serde_json::Deserializer::from_reader(bytes);
    while json.end().is_err() {
        if let Err(error) = Values(&taking, None).deserialize(&mut json) {
            let failure = taking.failure.borrow_mut().take();
            return Err(failure.unwrap_or_else(|| Failure::rejected(format!("{file} is not JSON: {error}"))));
        }
    }
    Ok(())
}

/// Calls `take` with every line of a file that is not empty, and its number from 1.
///
/// # Errors
/// The file cannot be read, or has a line that is too long; what `take` answers.
pub(crate) fn each_line(
    bytes: impl Read,
    file: &str,
    mut take: impl FnMut(&[u8], u64) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (mut bytes, mut line) = (BufReader::new(bytes), Vec::new());
    for number in 1.. {
        line.clear();
        let read = bytes.by_ref().take(MOST).read_until(b'\n', &mut line);
        match read.map_err(|error| Failure::rejected(format!("cannot read {file}: {error}")))? as u64 {
            0 => break,
            MOST => return Err(Failure::rejected(format!("line {number} of {file} has more than 4 MB"))),
            _ => {}
        }
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line);
        if !line.iter().all(u8::is_ascii_whitespace) {
            take(line, number)?;
        }
    }
    Ok(())
}

/// Passes over a byte order mark.
fn skip_mark(bytes: &mut BufReader<impl Read>) -> std::io::Result<()> {
    if bytes.fill_buf()?.starts_with(&[0xef, 0xbb, 0xbf]) {
        bytes.consume(3);
    }
    Ok(())
}

type Take<'a> = Box<dyn FnMut(&str, Value) -> Result<(), Failure> + 'a>;

struct Taking<'a> {
    take: RefCell<Take<'a>>,
    failure: RefCell<Option<Failure>>,
    lists: &'a [&'a str],
    portion: Rc<Cell<u64>>,
}

impl Taking<'_> {
    fn take<E: serde::de::Error>(&self, list: &str, value: Value) -> Result<(), E> {
        self.portion.set(0);
        (self.take.borrow_mut())(list, value).map_err(|failure| {
            *self.failure.borrow_mut() = Some(failure);
            E::custom("stopped")
        })
    }
}

/// A value at the top, or the list of this name, whose elements are taken one by one.
struct Values<'t, 'a>(&'t Taking<'a>, Option<&'t str>);

impl<'de> DeserializeSeed<'de> for Values<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Values<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.1.is_some() { "an array" } else { "an array or an object" })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(value) = seq.next_element::<Value>()? {
            self.0.take(self.1.unwrap_or_default(), value)?;
        }
        Ok(())
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        self.1.map(drop).ok_or_else(|| E::invalid_type(Unexpected::Unit, &self))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        if self.1.is_some() {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Err(A::Error::custom("an object where an array belongs"));
        }
        let mut rest = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            match self.0.lists.iter().find(|list| **list == name) {
                Some(list) => map.next_value_seed(Values(self.0, Some(list)))?,
                None => {
                    rest.insert(name, map.next_value()?);
                }
            }
        }
        if rest.is_empty() { Ok(()) } else { self.0.take("", Value::Object(rest)) }
    }
}

/// The value at a path such as `fields.status.name`; of several paths, the first that has one.
pub fn at<'v>(value: &'v Value, paths: &[&str]) -> Option<&'v Value> {
    let found = |path: &&str| path.split('.').try_fold(value, |value, name| value.get(name));
    paths.iter().filter_map(found).find(|value| !value.is_null())
}

/// The text at a path, or a number as text; nothing where it is empty.
pub fn text(value: &Value, paths: &[&str]) -> Option<String> {
    let text = |path: &&str| match at(value, &[path])? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    paths.iter().filter_map(text).find(|text| !text.is_empty())
}

/// The elements of the array at a path.
pub(crate) fn list<'v>(value: &'v Value, paths: &[&str]) -> &'v [Value] {
    let arrays = paths.iter().filter_map(|path| at(value, &[path])?.as_array());
    arrays.map(Vec::as_slice).next().unwrap_or_default()
}

/// Whether there is `true` at a path.
pub(crate) fn is(value: &Value, paths: &[&str]) -> bool {
    at(value, paths).and_then(Value::as_bool).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{at, each, is, list, text};
    use crate::failure::Failure;

    fn values(text: &str) -> Result<Vec<String>, Failure> {
        let mut values = Vec::new();
        each(text.as_bytes(), "x.json", &["issues"], |list, value| {
            values.push(format!("{list}{value}"));
            if value == 13 { Err(Failure::rejected("unlucky")) } else { Ok(()) }
        })?;
        Ok(values)
    }

    #[test]
    fn arrays_objects_and_lines_are_read_value_by_value() {
        assert_eq!(values("\u{feff}[1, 2][3]\n").unwrap(), ["1", "2", "3"]);
        assert_eq!(values("{\"a\":1}\n{\"a\":2}\n").unwrap(), ["{\"a\":1}", "{\"a\":2}"]);
        let page = values(r#"{"issues": [4, 5], "total": 2, "x": null}"#).unwrap();
        assert_eq!(page, ["issues4", "issues5", r#"{"total":2,"x":null}"#]);
        assert_eq!(values("").unwrap(), [""; 0]);
        assert_eq!(values(r#"{"issues": null}"#).unwrap(), [""; 0]);
    }

    #[test]
    fn what_is_broken_or_refused_is_told() {
        assert!(values("[1, 2").unwrap_err().title.starts_with("x.json is not JSON"));
        assert!(values("Title,Body").unwrap_err().title.starts_with("x.json is not JSON"));
        assert_eq!(values("[12, 13, 14]").unwrap_err().title, "unlucky");
    }

    #[test]
    fn values_are_found_by_path() {
        let value = json!({ "a": { "b": "text", "n": 7, "null": null, "l": [1], "yes": true, "none": "" } });
        assert_eq!(text(&value, &["a.none", "a.x", "a.b"]).as_deref(), Some("text"));
        assert_eq!(text(&value, &["a.n"]).as_deref(), Some("7"));
        assert_eq!(
            (at(&value, &["a.null"]), list(&value, &["a.l"]).len(), is(&value, &["a.yes"])),
            (None, 1, true)
        );
    }
}
