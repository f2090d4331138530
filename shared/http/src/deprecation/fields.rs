//! Deprecated fields of request bodies: finds those of an operation, and those that a body uses. Reads no request.

use std::collections::BTreeMap;

use aide::openapi::{Components, Operation, ReferenceOr};
use serde_json::Value;

use super::notice::Notice;

/// Such fields of a value, and of what is below its fields. The elements of a list are as one.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields {
    ended: BTreeMap<String, Notice>,
    below: BTreeMap<String, Fields>,
}

impl Fields {
    /// Those of the bodies that an operation takes.
    pub(super) fn of(operation: &Operation, components: Option<&Components>) -> Self {
        let mut fields = Self::default();
        let Some(ReferenceOr::Item(body)) = &operation.request_body else { return fields };
        let mut reader = Reader { components, open: Vec::new() };
        for schema in body.content.values().filter_map(|media| media.schema.as_ref()) {
            fields.merge(reader.read(schema.json_schema.as_value()));
        }
        fields
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ended.is_empty() && self.below.is_empty()
    }

    /// What is said of those that a body sends.
    pub(super) fn sent(&self, body: &Value, notices: &mut Vec<Notice>) {
        match body {
            Value::Array(elements) => elements.iter().for_each(|element| self.sent(element, notices)),
            Value::Object(fields) => {
                for (name, value) in fields {
                    notices.extend(self.ended.get(name).cloned());
                    if let Some(below) = self.below.get(name) {
                        below.sent(value, notices);
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn merge(&mut self, other: Self) {
        self.ended.extend(other.ended);
        for (name, below) in other.below {
            self.below.entry(name).or_default().merge(below);
        }
    }
}

/// Reads schemas with those that they refer to.
struct Reader<'a> {
    components: Option<&'a Components>,
    /// Names of those that are being read. In one that refers to itself, its fields count where it begins.
    open: Vec<&'a str>,
}

impl<'a> Reader<'a> {
    fn read(&mut self, schema: &'a Value) -> Fields {
        let mut fields = self.referred(schema);
        let parts = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|part| schema[part].as_array());
        for part in parts.flatten().chain(schema.get("items")) {
            fields.merge(self.read(part));
        }
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            if property["deprecated"] == true {
                fields.ended.insert(name.clone(), Notice::read(|part| property.get(part).cloned()));
            }
            let below = self.read(property);
            if !below.is_empty() {
                fields.below.entry(name.clone()).or_default().merge(below);
            }
        }
        fields
    }

    fn referred(&mut self, schema: &'a Value) -> Fields {
        let name = schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/components/schemas/"));
        let Some(name) = name.filter(|name| !self.open.contains(name)) else { return Fields::default() };
        let known = self.components.and_then(|components| components.schemas.get(name));
        self.open.push(name);
        let fields = known.map(|known| self.read(known.json_schema.as_value())).unwrap_or_default();
        self.open.pop();
        fields
    }
}
