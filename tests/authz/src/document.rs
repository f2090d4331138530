//! The OpenAPI document as tests read it: what an operation shares with others in place of its name.

use serde_json::Value;

/// The parameters of an operation, where they stand in it or among the document's components.
pub fn parameters(document: &Value, operation: &Value) -> Vec<Value> {
    let listed = operation["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
    listed.iter().map(|parameter| resolved(document, parameter).clone()).collect()
}

fn resolved<'a>(document: &'a Value, part: &'a Value) -> &'a Value {
    let named = part["$ref"].as_str().and_then(|name| name.strip_prefix('#'));
    named.map_or(part, |name| document.pointer(name).expect("a reference names a component"))
}
