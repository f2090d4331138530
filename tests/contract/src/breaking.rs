//! The comparison of operations: parameters, bodies, answers, scopes. Additions pass.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::inlined::inlined;
use crate::schema::{Comparison, Direction};

const METHODS: [&str; 5] = ["get", "put", "post", "patch", "delete"];

/// Each change from `old` to `new` that breaks a client of `old`, as a sentence.
pub fn breaking_changes(old: &Value, new: &Value) -> Vec<String> {
    let (old, new) = (&inlined(old.clone()), &inlined(new.clone()));
    let mut found = Vec::new();
    for (path, methods) in object(&old["paths"]) {
        for method in METHODS {
            let Some(before) = methods.get(method) else { continue };
            let name = format!("{} {path}", method.to_uppercase());
            match new["paths"][path].get(method) {
                None => found.push(format!("{name} is gone.")),
                Some(after) => Operation { name, old, new }.compare(before, after, &mut found),
            }
        }
    }
    found
}

struct Operation<'a> {
    name: String,
    old: &'a Value,
    new: &'a Value,
}

impl Operation<'_> {
    fn compare(&self, before: &Value, after: &Value, found: &mut Vec<String>) {
        self.parameters(before, after, found);
        self.body(&before["requestBody"], &after["requestBody"], found);
        self.answers(&before["responses"], &after["responses"], found);
        self.scopes(&before["security"], &after["security"], found);
    }

    fn schemas(&self, place: &str, direction: Direction, before: &Value, after: &Value) -> Vec<String> {
        let mut comparison = Comparison::new(self.old, self.new, direction);
        comparison.compare(place, before, after);
        comparison.found.into_iter().map(|change| format!("{}: {change}", self.name)).collect()
    }

    fn parameters(&self, before: &Value, after: &Value, found: &mut Vec<String>) {
        let (before, after) = (list(&before["parameters"]), list(&after["parameters"]));
        for old in before {
            let place = format!("the parameter `{}` ({})", text(&old["name"]), text(&old["in"]));
            let Some(new) = after.iter().find(|new| same_parameter(old, new)) else {
                found.push(format!("{}: {place} is gone.", self.name));
                continue;
            };
            if new["required"] == true && old["required"] != true {
                found.push(format!("{}: {place} is now required.", self.name));
            }
            found.extend(self.schemas(&place, Direction::Received, &old["schema"], &new["schema"]));
        }
        for new in after.iter().filter(|new| new["required"] == true) {
            if !before.iter().any(|old| same_parameter(old, new)) {
                let name = text(&new["name"]);
                found.push(format!("{}: the new parameter `{name}` is required.", self.name));
            }
        }
    }

    fn body(&self, before: &Value, after: &Value, found: &mut Vec<String>) {
        if after["required"] == true && before["required"] != true {
            found.push(format!("{}: a body is now required.", self.name));
        }
        for (media_type, old) in object(&before["content"]) {
            match after["content"].get(media_type) {
                None => found.push(format!("{}: {media_type} is no longer accepted.", self.name)),
                Some(new) => {
                    let (old, new) = (&old["schema"], &new["schema"]);
                    found.extend(self.schemas("the body", Direction::Received, old, new));
                }
            }
        }
    }

    fn answers(&self, before: &Value, after: &Value, found: &mut Vec<String>) {
        for (status, old) in object(before) {
            let Some(new) = after.get(status) else {
                found.push(format!("{}: the answer {status} is gone.", self.name));
                continue;
            };
            for (media_type, old) in object(&old["content"]) {
                let Some(new) = new["content"].get(media_type) else {
                    found.push(format!("{}: the answer {status} is no longer {media_type}.", self.name));
                    continue;
                };
                let place = format!("the answer {status}");
                found.extend(self.schemas(&place, Direction::Sent, &old["schema"], &new["schema"]));
                let kinds = object(&old["examples"]).map(|(kind, _)| kind);
                for kind in
                    kinds.filter(|kind| status.starts_with('4') && new["examples"].get(kind).is_none())
                {
                    found.push(format!("{}: the answer {status} is no longer {kind:?}.", self.name));
                }
            }
        }
        let succeeds = |answers: &Value| -> BTreeSet<String> {
            object(answers)
                .map(|(status, _)| status.clone())
                .filter(|status| status.starts_with('2'))
                .collect()
        };
        for status in succeeds(after).difference(&succeeds(before)) {
            found.push(format!("{}: success may now be {status}.", self.name));
        }
    }

    /// Who was let in before is let in with the same credential.
    fn scopes(&self, before: &Value, after: &Value, found: &mut Vec<String>) {
        for old in list(before) {
            let enough = |new: &Value| {
                object(new).all(|(scheme, scopes)| {
                    let had = list(&old[scheme]);
                    old.get(scheme).is_some() && list(scopes).iter().all(|scope| had.contains(scope))
                })
            };
            if !list(after).is_empty() && !list(after).iter().any(enough) {
                found.push(format!("{}: {old} is no longer enough to be let in.", self.name));
            }
        }
        if list(before).is_empty() && !list(after).is_empty() {
            found.push(format!("{}: a credential is now needed.", self.name));
        }
    }
}

fn same_parameter(one: &Value, other: &Value) -> bool {
    one["name"] == other["name"] && one["in"] == other["in"]
}

pub(crate) fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::breaking_changes;
    use serde_json::{Value, json};

    fn document() -> Value {
        json!({
            "paths": {"/things": {
                "get": {
                    "security": [{"token": ["read"]}, {"session": []}],
                    "parameters": [{"in": "query", "name": "q", "schema": {"type": ["string", "null"]}}],
                    "responses": {
                        "200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}},
                        "404": {"content": {"application/problem+json": {"examples": {"not-found": {}}}}},
                    },
                },
                "post": {
                    "security": [{"token": ["write"]}],
                    "requestBody": {"required": true, "content": {"application/json": {"schema":
                        {"$ref": "#/components/schemas/NewThing"}}}},
                    "responses": {"201": {}},
                },
            }},
            "components": {"schemas": {
                "Thing": {
                    "type": "object",
                    "required": ["id"],
                    "properties": {
                        "id": {"type": "string"},
                        "state": {"$ref": "#/components/schemas/State"},
                        "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}},
                        "owner": {"anyOf": [{"$ref": "#/components/schemas/Owner"}, {"type": "null"}]},
                    },
                },
                "NewThing": {
                    "type": "object",
                    "required": ["name"],
                    "properties": {"name": {"type": "string", "maxLength": 80}, "size": {"type": "integer"}},
                },
                "State": {"oneOf": [{"const": "open"}, {"const": "closed"}]},
                "Owner": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
            }},
        })
    }

    /// A place of the document, what is put there (null: it is removed), and the change that it is.
    fn cases() -> Vec<(&'static str, Value, &'static str)> {
        let schemas = [
            (
                "/components/schemas/Thing/properties/id",
                Value::Null,
                "GET /things: the answer 200: `id` is gone.",
            ),
            (
                "/components/schemas/Thing/properties/id/type",
                json!("integer"),
                "GET /things: the answer 200: `id` was string and is integer.",
            ),
            (
                "/components/schemas/Thing/properties/id/type",
                json!(["string", "null"]),
                "GET /things: the answer 200: `id` was string and is null or string.",
            ),
            (
                "/components/schemas/Thing/required",
                json!([]),
                "GET /things: the answer 200: `id` may now be absent.",
            ),
            (
                "/components/schemas/Owner/properties/name",
                Value::Null,
                "GET /things: the answer 200: `owner.name` is gone.",
            ),
            (
                "/components/schemas/State/oneOf",
                json!([{"const": "open"}]),
                "GET /things: the answer 200: `state` is never \"closed\" any more.",
            ),
            (
                "/components/schemas/NewThing/required",
                json!(["name", "size"]),
                "POST /things: the body: `size` is now required.",
            ),
            (
                "/components/schemas/NewThing/properties/size",
                Value::Null,
                "POST /things: the body: `size` is gone.",
            ),
            (
                "/components/schemas/NewThing/properties/name/maxLength",
                json!(40),
                "POST /things: the body: `name` has maxLength 40 where it had 80.",
            ),
        ];
        let operations = [
            ("/paths/~1things/post", Value::Null, "POST /things is gone."),
            (
                "/paths/~1things/get/parameters/0/required",
                json!(true),
                "GET /things: the parameter `q` (query) is now required.",
            ),
            ("/paths/~1things/get/parameters", json!([]), "GET /things: the parameter `q` (query) is gone."),
            ("/paths/~1things/get/responses/404", Value::Null, "GET /things: the answer 404 is gone."),
            (
                "/paths/~1things/get/responses/404/content/application~1problem+json/examples",
                json!({"gone": {}}),
                "GET /things: the answer 404 is no longer \"not-found\".",
            ),
            ("/paths/~1things/get/responses/202", json!({}), "GET /things: success may now be 202."),
            (
                "/paths/~1things/post/security",
                json!([{"token": ["admin"]}]),
                "POST /things: {\"token\":[\"write\"]} is no longer enough to be let in.",
            ),
        ];
        schemas.into_iter().chain(operations).collect()
    }

    fn changed(place: &str, value: Value) -> Value {
        let mut document = document();
        let (parent, name) = place.rsplit_once('/').unwrap();
        let name = name.replace("~1", "/");
        let parent = document.pointer_mut(parent).unwrap();
        if value.is_null() {
            parent.as_object_mut().unwrap().remove(&name).unwrap();
        } else {
            parent[name.as_str()] = value;
        }
        document
    }

    #[test]
    fn what_breaks_a_client_is_named() {
        for (place, value, expected) in cases() {
            let found = breaking_changes(&document(), &changed(place, value));
            assert!(found.contains(&expected.to_owned()), "{place}: {found:#?}");
        }
    }

    #[test]
    fn additions_pass() {
        let additions = [
            ("/paths/~1others", json!({"get": {"responses": {"200": {}}}})),
            ("/components/schemas/Thing/properties/extra", json!({"type": "string"})),
            ("/components/schemas/Thing/required", json!(["id", "state"])),
            ("/components/schemas/NewThing/properties/extra", json!({"type": "string"})),
            ("/components/schemas/NewThing/properties/size/type", json!(["integer", "null"])),
            ("/components/schemas/NewThing/required", json!([])),
            (
                "/components/schemas/State/oneOf",
                json!([{"const": "open"}, {"const": "closed"}, {"const": "new"}]),
            ),
            ("/paths/~1things/get/responses/409", json!({})),
            ("/paths/~1things/get/deprecated", json!(true)),
        ];
        for (place, value) in additions {
            assert_eq!(breaking_changes(&document(), &changed(place, value)), [""; 0], "{place}");
        }
        assert_eq!(breaking_changes(&document(), &document()), [""; 0]);
    }
}
