//! Response schemas: a field is required if it is always present, and nullable only if it can be `null`. Requests
//! have a generator of their own, that of `aide`: there, fields with a default are optional. A type that is both
//! received and sent has the schema for requests.

use std::cell::RefCell;

use aide::openapi::{Components, SchemaObject};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::problems::PROBLEMS;

thread_local! {
    static SENT: RefCell<SchemaGenerator> = RefCell::new(generator());
}

fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    })
}

fn generator() -> SchemaGenerator {
    SchemaGenerator::new(settings().for_serialize())
}

/// The schema of something that is sent.
pub(super) fn schema<T: JsonSchema>() -> Schema {
    SENT.with_borrow_mut(SchemaGenerator::subschema_for::<T>)
}

/// What a schema, or the one that it refers to, says of itself.
pub(super) fn description(schema: &Schema) -> Option<String> {
    let name = schema.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next());
    SENT.with_borrow(|sent| {
        let found = name.and_then(|name| sent.definitions().get(name)).unwrap_or(schema.as_value());
        found["description"].as_str().map(str::to_owned)
    })
}

/// Adds the schemas of what is sent to those of what is received, and spells `null` alike in all of them.
pub(super) fn complete(components: &mut Components) {
    let sent = SENT.replace(generator()).take_definitions(true);
    for (name, mut schema) in sent {
        if components.schemas.contains_key(&name) {
            continue;
        }
        as_sent(&mut schema);
        if let Ok(json_schema) = schema.try_into() {
            let schema = SchemaObject { json_schema, external_docs: None, example: None };
            components.schemas.insert(name, schema);
        }
    }
    for schema in components.schemas.values_mut() {
        let mut value = schema.json_schema.as_value().clone();
        spell_null(&mut value);
        schema.json_schema = value.try_into().unwrap_or_else(|_| schema.json_schema.clone());
    }
    if let Some(problem) = components.schemas.get_mut("Problem") {
        let kinds: Vec<&str> = PROBLEMS.iter().map(|kind| kind.slug).collect();
        if let Some(kind) = problem.json_schema.pointer_mut("/properties/type") {
            kind["enum"] = json!(kinds);
        }
    }
}

/// Answers have no defaults, and a field that is not always there is left out where it would be null.
fn as_sent(schema: &mut Value) {
    let required: Vec<String> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|name| Some(name.as_str()?.to_owned()))
        .collect();
    let Some(fields) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (name, field) in fields {
        // What to take for a field that is left out is said of requests.
        field.as_object_mut().and_then(|field| field.remove("default"));
        if required.contains(name) {
            continue;
        }
        if let Some(kinds) = field.get_mut("type").filter(|kinds| kinds.is_array()) {
            *kinds = without_null(kinds);
        }
        let Some(choices) = field.get("anyOf").and_then(Value::as_array) else { continue };
        let known: Vec<&Value> = choices.iter().filter(|choice| !is_null(choice)).collect();
        if let [Value::Object(only)] = known.as_slice() {
            let only: Map<String, Value> = only.clone();
            if let Some(field) = field.as_object_mut() {
                field.remove("anyOf");
                field.extend(only.into_iter().filter(|(key, _)| key != "description"));
            }
        }
    }
}

/// Many clients read one type of a field, and choices between schemas, but no list of types.
fn spell_null(schema: &mut Value) {
    match schema {
        Value::Array(schemas) => schemas.iter_mut().for_each(spell_null),
        Value::Object(fields) => {
            let kinds = fields
                .get("type")
                .filter(|kinds| kinds.as_array().is_some_and(|kinds| kinds.contains(&json!("null"))));
            if let Some(kind) = kinds.map(without_null) {
                let said = ["description", "default", "examples", "deprecated", "x-sunset", "x-migration"];
                let own: Vec<String> =
                    fields.keys().filter(|key| !said.contains(&key.as_str())).cloned().collect();
                let mut inner: Map<String, Value> =
                    own.into_iter().filter_map(|key| fields.remove_entry(&key)).collect();
                inner.insert("type".to_owned(), kind);
                fields.insert("anyOf".to_owned(), json!([inner, { "type": "null" }]));
            }
            let parts =
                fields.iter_mut().filter(|(key, _)| !["examples", "default", "enum"].contains(&key.as_str()));
            parts.for_each(|(_, part)| spell_null(part));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn without_null(kinds: &Value) -> Value {
    let known: Vec<&Value> = kinds.as_array().into_iter().flatten().filter(|kind| **kind != "null").collect();
    match known.as_slice() {
        [one] => (*one).clone(),
        several => json!(several),
    }
}

fn is_null(schema: &Value) -> bool {
    schema["type"] == "null"
}

#[cfg(test)]
mod tests {
    use super::{as_sent, spell_null};
    use serde_json::json;

    #[test]
    fn a_field_that_may_be_absent_is_never_null() {
        let mut schema = json!({
            "required": ["a"],
            "properties": {
                "a": {"type": ["string", "null"]},
                "b": {"type": ["string", "null"], "description": "B."},
                "c": {"anyOf": [{"$ref": "#/components/schemas/C"}, {"type": "null"}], "description": "C."},
            },
        });
        as_sent(&mut schema);
        spell_null(&mut schema);
        let fields = &schema["properties"];
        assert_eq!(fields["a"], json!({"anyOf": [{"type": "string"}, {"type": "null"}]}));
        assert_eq!(fields["b"], json!({"type": "string", "description": "B."}));
        assert_eq!(fields["c"], json!({"$ref": "#/components/schemas/C", "description": "C."}));
    }
}
