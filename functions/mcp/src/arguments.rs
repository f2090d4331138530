//! The arguments of a call: read, or what is wrong with them by name.

use rmcp::model::JsonObject;
use serde::de::DeserializeOwned;
use serde_json::Value;
use svc_domain::refusal::Refusal;
use svc_http::ApiResult;
use svc_http::problems::VALIDATION;

/// The arguments of a tool of this schema, every one of them known to it.
///
/// # Errors
/// What is wrong, by the name of the argument; for an unknown name, the nearest.
pub(crate) fn read<A: DeserializeOwned>(schema: &JsonObject, arguments: JsonObject) -> ApiResult<A> {
    let known = schema.get("properties").and_then(Value::as_object);
    let known: Vec<&str> = known.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    if let Some(unknown) = arguments.keys().find(|name| !known.contains(&name.as_str())) {
        let names = known.join(", ");
        let guess = nearest(unknown, known.iter().copied());
        let guess = guess.map(|name| format!(" Did you mean {name}?")).unwrap_or_default();
        return Err(Refusal::invalid(
            unknown,
            format!("There is no such argument.{guess} There are: {names}."),
        )
        .into());
    }
    serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
        let path = error.path().to_string();
        let said = error.inner().to_string();
        let missing = said.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
        let mut problem = VALIDATION.problem();
        match missing {
            Some(field) => problem.errors.insert(field.to_owned(), vec!["required".to_owned()]),
            None => problem.errors.insert(path, vec![said]),
        };
        problem.into()
    })
}

/// The name most like a word, where one is.
pub(crate) fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let near = |name: &&str| strsim::jaro_winkler(&word, &name.to_lowercase());
    names
        .map(|name| (near(&name), name))
        .filter(|(alike, _)| *alike > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}
