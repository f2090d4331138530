//! Schemas of arguments and results, from the types that read and write them, in few words: models read them with
//! every conversation.
//!
//! Takes away what says nothing to a model (`$schema`, `title`, `format`, bounds of number types, `null` beside an
//! optional field's type) and writes definitions where they are used.

use rmcp::model::JsonObject;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::Value;

/// Keywords that say nothing to a model.
const SILENT: [&str; 5] = ["$schema", "title", "format", "minimum", "default"];

/// The schema of a type.
pub(crate) fn of<T: JsonSchema>() -> JsonObject {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = SchemaGenerator::new(settings).into_root_schema_for::<T>();
    let mut schema = schema.to_value();
    shorten(&mut schema);
    let Value::Object(mut object) = schema else { return JsonObject::new() };
    object.remove("description");
    object
}

fn shorten(schema: &mut Value) {
    let Value::Object(object) = schema else { return };
    for keyword in SILENT {
        object.remove(keyword);
    }
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(choices)) = object.get_mut("enum") {
        choices.retain(|choice| !choice.is_null());
    }
    join(object);
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.values_mut().for_each(shorten);
    }
    if let Some(items) = object.get_mut("items") {
        shorten(items);
    }
}

/// Writes `anyOf` a type and `null` as the type, and `oneOf` several words as one list of words.
fn join(object: &mut JsonObject) {
    if let Some(Value::Array(mut choices)) = object.remove("anyOf") {
        choices.retain(|choice| choice["type"] != "null");
        match choices.pop() {
            Some(Value::Object(only)) if choices.is_empty() => {
                for (keyword, value) in only {
                    object.entry(keyword).or_insert(value);
                }
            }
            last => {
                choices.extend(last);
                object.insert("anyOf".into(), choices.into());
            }
        }
    }
    let words = |choices: &Value| -> Option<Vec<Value>> {
        choices.as_array()?.iter().map(|choice| choice.get("const").cloned()).collect()
    };
    if let Some(words) = object.get("oneOf").and_then(words) {
        object.remove("oneOf");
        object.insert("type".into(), "string".into());
        object.insert("enum".into(), words.into());
    }
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde_json::{Value, json};

    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    #[expect(dead_code, reason = "only described")]
    struct Example {
        /// A key.
        key: String,
        /// How many.
        limit: Option<u32>,
        priority: Option<svc_api::tracker::Priority>,
        #[serde(default)]
        labels: Vec<String>,
    }

    #[test]
    fn a_schema_says_what_a_model_needs_and_no_more() {
        assert_eq!(
            Value::Object(super::of::<Example>()),
            json!({
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "key": {"type": "string", "description": "A key."},
                    "limit": {"type": "integer", "description": "How many."},
                    "priority": {
                        "type": "string",
                        "description": "Priority of an item, in rising order.",
                        "enum": ["lowest", "low", "medium", "high", "highest"],
                    },
                    "labels": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["key"],
            })
        );
    }
}
