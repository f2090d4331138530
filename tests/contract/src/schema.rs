//! The comparison of schemas, as they are received (what was accepted must be) or sent (what was there must
//! be, and nothing that was not).

use std::collections::BTreeSet;

use serde_json::Value;

use crate::breaking::{list, object};

/// Which way a value travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// From the client.
    Received,
    /// To the client.
    Sent,
}

/// A comparison of two documents' schemas.
pub(crate) struct Comparison<'a> {
    old: &'a Value,
    new: &'a Value,
    direction: Direction,
    /// Named schemas that are being compared: types may contain themselves.
    open: Vec<(String, String)>,
    /// What breaks a client.
    pub(crate) found: Vec<String>,
}

impl<'a> Comparison<'a> {
    pub(crate) const fn new(old: &'a Value, new: &'a Value, direction: Direction) -> Self {
        Self { old, new, direction, open: Vec::new(), found: Vec::new() }
    }

    /// Compares what two schemas at a place of an operation, such as `the body`, accept or promise.
    pub(crate) fn compare(&mut self, place: &str, before: &Value, after: &Value) {
        self.at(place, "", before, after);
    }

    fn at(&mut self, place: &str, field: &str, before: &Value, after: &Value) {
        let names = (name_of(before), name_of(after));
        if let (Some(one), Some(other)) = names {
            let pair = (one.to_owned(), other.to_owned());
            if self.open.contains(&pair) {
                return;
            }
            self.open.push(pair);
            self.shapes(place, field, Shape::of(self.old, before), Shape::of(self.new, after));
            self.open.pop();
        } else {
            self.shapes(place, field, Shape::of(self.old, before), Shape::of(self.new, after));
        }
    }

    fn say(&mut self, place: &str, field: &str, what: &str) {
        let subject = if field.is_empty() { String::new() } else { format!("`{field}` ") };
        self.found.push(format!("{place}: {subject}{what}"));
    }

    fn shapes(&mut self, place: &str, field: &str, before: Shape<'_>, after: Shape<'_>) {
        let fits = match self.direction {
            Direction::Received => after.types.is_empty() || after.types.is_superset(&before.types),
            Direction::Sent => before.types.is_empty() || after.types.is_subset(&before.types),
        };
        if !fits || before.types.is_empty() != after.types.is_empty() {
            let said = format!("was {} and is {}.", types(&before.types), types(&after.types));
            return self.say(place, field, &said);
        }
        self.words(place, field, &before, &after);
        self.limits(place, field, before.schema, after.schema);
        self.fields(place, field, before.schema, after.schema);
        let (old, new) = (before.schema.get("items"), after.schema.get("items"));
        if let (Some(old), Some(new)) = (old, new) {
            self.at(place, &format!("{field}[]"), old, new);
        }
        let (old, new) =
            (before.schema.get("additionalProperties"), after.schema.get("additionalProperties"));
        if let (Some(old @ Value::Object(_)), Some(new @ Value::Object(_))) = (old, new) {
            self.at(place, &format!("{field}.*"), old, new);
        }
    }

    fn words(&mut self, place: &str, field: &str, before: &Shape<'_>, after: &Shape<'_>) {
        for word in before.words.difference(&after.words).filter(|_| !after.words.is_empty()) {
            match self.direction {
                Direction::Received => self.say(place, field, &format!("may no longer be {word}.")),
                Direction::Sent => self.say(place, field, &format!("is never {word} any more.")),
            }
        }
    }

    /// Limits of what is received may only be widened.
    fn limits(&mut self, place: &str, field: &str, before: &Value, after: &Value) {
        if before["format"] != after["format"] && before.get("format").is_some() {
            self.say(
                place,
                field,
                &format!("has the format {} where it had {}.", after["format"], before["format"]),
            );
        }
        if self.direction == Direction::Sent {
            return;
        }
        for (limit, lower) in [
            ("maxLength", false),
            ("maximum", false),
            ("maxItems", false),
            ("minLength", true),
            ("minimum", true),
            ("minItems", true),
        ] {
            let Some(new) = after[limit].as_f64() else { continue };
            let narrowed = before[limit].as_f64().is_none_or(|old| if lower { new > old } else { new < old });
            if narrowed {
                let said = format!("has {limit} {} where it had {}.", after[limit], before[limit]);
                self.say(place, field, &said);
            }
        }
    }

    fn fields(&mut self, place: &str, field: &str, before: &Value, after: &Value) {
        for (name, old) in object(&before["properties"]) {
            let inner = if field.is_empty() { name.clone() } else { format!("{field}.{name}") };
            let Some(new) = after["properties"].get(name) else {
                self.say(place, &inner, "is gone.");
                continue;
            };
            let (was, is) = (requires(before, name), requires(after, name));
            if self.direction == Direction::Received && is && !was {
                self.say(place, &inner, "is now required.");
            }
            if self.direction == Direction::Sent && was && !is {
                self.say(place, &inner, "may now be absent.");
            }
            self.at(place, &inner, old, new);
        }
        let added =
            object(&after["properties"]).filter(|(name, _)| before["properties"].get(*name).is_none());
        for (name, _) in added {
            if self.direction == Direction::Received && requires(after, name) {
                let inner = if field.is_empty() { name.clone() } else { format!("{field}.{name}") };
                self.say(place, &inner, "is new and required.");
            }
        }
    }
}

fn requires(schema: &Value, field: &str) -> bool {
    list(&schema["required"]).iter().any(|name| name == field)
}

fn name_of(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.rsplit('/').next()
}

fn types(types: &BTreeSet<String>) -> String {
    match types.len() {
        0 => "anything".to_owned(),
        _ => types.iter().cloned().collect::<Vec<_>>().join(" or "),
    }
}

/// What a schema says, with references and choices of constants resolved.
struct Shape<'a> {
    schema: &'a Value,
    /// Kinds of JSON value; empty for any.
    types: BTreeSet<String>,
    /// The only values, where they are listed.
    words: BTreeSet<String>,
}

impl<'a> Shape<'a> {
    fn of(document: &'a Value, schema: &'a Value) -> Self {
        if let Some(name) = name_of(schema) {
            return Self::of(document, &document["components"]["schemas"][name]);
        }
        let mut shape = Self { schema, types: BTreeSet::new(), words: BTreeSet::new() };
        match &schema["type"] {
            Value::String(one) => shape.types.extend([one.clone()]),
            several => shape.types.extend(list(several).iter().filter_map(Value::as_str).map(str::to_owned)),
        }
        let constants = list(&schema["enum"]).iter().chain(schema.get("const"));
        shape.words.extend(constants.map(Value::to_string));
        let choices = ["oneOf", "anyOf", "allOf"].iter().flat_map(|choice| list(&schema[*choice]));
        for choice in choices {
            let inner = Self::of(document, choice);
            shape.types.extend(inner.types);
            shape.words.extend(inner.words);
            // Of a choice between something and null, that is what has fields and limits.
            if inner.schema["type"] != "null" && schema.get("properties").is_none() {
                shape.schema = inner.schema;
            }
        }
        shape
    }
}
