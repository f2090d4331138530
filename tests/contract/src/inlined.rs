//! A document with each answer, parameter and header where it is used.

use serde_json::Value;

/// The document with references to shared answers, parameters and headers replaced by what they refer to. Schemas
/// stay references.
pub fn inlined(mut document: Value) -> Value {
    let components = document["components"].take();
    if let Some(paths) = document.get_mut("paths") {
        inline(paths, &components);
    }
    document["components"] = components;
    document
}

fn inline(value: &mut Value, components: &Value) {
    let place = value.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix("#/components"));
    let shared = |place: &&str| {
        ["/responses/", "/parameters/", "/headers/"].iter().any(|kind| place.starts_with(kind))
    };
    if let Some(found) = place.filter(shared).and_then(|place| components.pointer(place)) {
        *value = found.clone();
    }
    match value {
        Value::Array(parts) => parts.iter_mut().for_each(|part| inline(part, components)),
        Value::Object(parts) => parts.values_mut().for_each(|part| inline(part, components)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
