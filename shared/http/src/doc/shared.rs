//! Moves what operations share into the document's components: problems, responses, parameters and headers. Component
//! names describe their content, so that an operation can be read without looking them up.

use std::collections::{BTreeMap, BTreeSet};

use aide::openapi::{
    Components, OpenApi, Operation, Parameter, ParameterSchemaOrContent, ReferenceOr, Response, StatusCode,
};
use serde::Serialize;
use serde_json::Value;
use svc_api::problem::MEDIA_TYPE;

use super::operations;

/// Moves what more than one operation has, and every problem, among the components.
pub(crate) fn share(document: &mut OpenApi) {
    let mut components = document.components.take().unwrap_or_default();
    for (_, _, operation) in operations(document) {
        operation.parameters.iter_mut().for_each(say_once);
    }
    let counts = Counts::of(document);
    for (_, path, operation) in operations(document) {
        counts.share_parameters(path, operation, &mut components);
        let responses = operation.responses.iter_mut().flat_map(|responses| responses.responses.iter_mut());
        for (status, response) in responses {
            share_headers(response, &mut components);
            let name = response_name(status, response, &counts);
            move_to(&mut components.responses, name, response, "responses");
        }
        let default = operation.responses.as_mut().and_then(|responses| responses.default.as_mut());
        if let Some(default) = default {
            move_to(&mut components.responses, Some("AnyOtherProblem".to_owned()), default, "responses");
        }
    }
    components.responses.sort_keys();
    components.parameters.sort_keys();
    components.headers.sort_keys();
    document.components = Some(components);
}

/// A parameter's description is that of its schema: it is said once.
fn say_once(parameter: &mut ReferenceOr<Parameter>) {
    let ReferenceOr::Item(item) = parameter else { return };
    let (Parameter::Query { parameter_data: data, .. }
    | Parameter::Header { parameter_data: data, .. }
    | Parameter::Path { parameter_data: data, .. }
    | Parameter::Cookie { parameter_data: data, .. }) = item;
    let Some(said) = data.description.clone() else { return };
    let ParameterSchemaOrContent::Schema(schema) = &mut data.format else { return };
    if schema.json_schema.get("description").and_then(Value::as_str) == Some(said.as_str()) {
        schema.json_schema.remove("description");
    }
}

/// How often each parameter and answer is there.
struct Counts {
    found: BTreeMap<String, usize>,
    /// Parameters of queries and headers that are shared, by their names: what two of them mean differs.
    named: BTreeMap<String, BTreeSet<String>>,
}

impl Counts {
    fn of(document: &mut OpenApi) -> Self {
        let mut counts = Self { found: BTreeMap::new(), named: BTreeMap::new() };
        let mut parameters = Vec::new();
        for (_, _, operation) in operations(document) {
            for parameter in &operation.parameters {
                *counts.found.entry(text(parameter)).or_default() += 1;
                parameters.push(parameter.clone());
            }
            let responses = operation.responses.iter().flat_map(|responses| responses.responses.iter());
            for (status, response) in responses {
                *counts.found.entry(format!("{status} {}", text(response))).or_default() += 1;
            }
        }
        parameters.retain(|parameter| counts.repeats(&text(parameter)));
        for parameter in &parameters {
            if let ReferenceOr::Item(item) = parameter {
                let name = item.parameter_data_ref().name.clone();
                counts.named.entry(name).or_default().insert(text(parameter));
            }
        }
        counts
    }

    fn repeats(&self, text: &str) -> bool {
        self.found.get(text).is_some_and(|count| *count > 1)
    }

    fn share_parameters(&self, path: &str, operation: &mut Operation, components: &mut Components) {
        let tag = operation.tags.first().map(|tag| words(tag)).unwrap_or_default();
        for parameter in &mut operation.parameters {
            let name = self.repeats(&text(parameter)).then(|| self.parameter_name(path, &tag, parameter));
            move_to(&mut components.parameters, name.flatten(), parameter, "parameters");
        }
    }

    /// `OrgSlug`, `ItemKey`, `PageSize`; where parameters of one name mean different things, `ItemsAfter`.
    fn parameter_name(&self, path: &str, tag: &str, parameter: &ReferenceOr<Parameter>) -> Option<String> {
        let ReferenceOr::Item(item) = parameter else { return None };
        let name = &item.parameter_data_ref().name;
        let own = words(name);
        if matches!(item, Parameter::Path { .. }) && ["slug", "key"].contains(&name.as_str()) {
            let segment = format!("{{{name}}}");
            let parent = path.split('/').zip(path.split('/').skip(1)).find(|(_, part)| *part == segment)?.0;
            return Some(format!("{}{own}", words(parent.trim_end_matches('s'))));
        }
        let one_meaning = self.named.get(name).is_none_or(|meanings| meanings.len() == 1);
        Some(if one_meaning { own } else { format!("{tag}{own}") })
    }
}

/// Problems are named by their kinds, answers by what they hold.
fn response_name(status: &StatusCode, response: &ReferenceOr<Response>, counts: &Counts) -> Option<String> {
    let ReferenceOr::Item(item) = response else { return None };
    if let Some(problem) = item.content.get(MEDIA_TYPE) {
        return Some(problem.examples.keys().map(|kind| words(kind)).collect());
    }
    if !counts.repeats(&format!("{status} {}", text(response))) {
        return None;
    }
    if let Some(json) = item.content.get("application/json") {
        let schema = &json.schema.as_ref()?.json_schema;
        let name = schema.get("$ref").and_then(Value::as_str)?.rsplit('/').next()?;
        let created = *status == StatusCode::Code(201);
        return Some(if created { format!("Created{name}") } else { name.to_owned() });
    }
    let name = match status {
        StatusCode::Code(200) => "File",
        StatusCode::Code(204) => "Done",
        StatusCode::Code(206) => "PartOfFile",
        StatusCode::Code(302 | 303) => "Elsewhere",
        StatusCode::Code(304) => "NotModified",
        StatusCode::Code(_) | StatusCode::Range(_) => return None,
    };
    Some(name.to_owned())
}

fn share_headers(response: &mut ReferenceOr<Response>, components: &mut Components) {
    let ReferenceOr::Item(item) = response else { return };
    for (name, header) in &mut item.headers {
        move_to(&mut components.headers, Some(words(name)), header, "headers");
    }
}

/// Puts a part among the components of its kind and refers to it, unless another has the name.
fn move_to<T: Clone + Serialize>(
    components: &mut indexmap::IndexMap<String, ReferenceOr<T>>,
    name: Option<String>,
    part: &mut ReferenceOr<T>,
    kind: &str,
) {
    let Some(name) = name.filter(|_| matches!(part, ReferenceOr::Item(_))) else { return };
    let known = components.entry(name.clone()).or_insert_with(|| part.clone());
    if text(known) == text(part) {
        let reference = format!("#/components/{kind}/{name}");
        *part = ReferenceOr::Reference { reference, summary: None, description: None };
    }
}

fn text(part: &impl Serialize) -> String {
    serde_json::to_string(part).unwrap_or_default()
}

/// `missing-scope` as `MissingScope`.
fn words(text: &str) -> String {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric());
    parts
        .filter_map(|part| Some(format!("{}{}", part.chars().next()?.to_ascii_uppercase(), &part[1..])))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn names_are_made_of_words() {
        assert_eq!(words("missing-scope"), "MissingScope");
        assert_eq!(words("pageSize"), "PageSize");
        assert_eq!(words("Factory settings"), "FactorySettings");
    }
}
