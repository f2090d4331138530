//! What `--jq` and `--format` make of the JSON that a command prints.

use jaq_core::load::{Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Vars, data, unwrap_valr};
use jaq_json::{Val, read};
use minijinja::Environment;
use serde_json::Value;

use crate::failure::Failure;

/// How JSON is to be shown.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// The results of a jq filter, one a line; texts without their quotes.
    Jq(String),
    /// A template, filled for each entry of a list, or once.
    Template(String),
}

impl Shape {
    /// A shape that can be applied.
    ///
    /// # Errors
    /// The filter or template is not one (exit code 2).
    pub(crate) fn checked(self) -> Result<Self, Failure> {
        match &self {
            Self::Jq(filter) => with_filter(filter, |_| ())?,
            Self::Template(template) => environment(template).map(drop)?,
        }
        Ok(self)
    }

    /// The value as it is to be shown, with its newline.
    pub(crate) fn apply(&self, value: &Value) -> Result<String, Failure> {
        match self {
            Self::Jq(filter) => with_filter(filter, |filter| results(filter, value))?,
            Self::Template(template) => filled(template, value),
        }
    }
}

type Filter = jaq_core::Filter<data::JustLut<Val>>;

fn with_filter<T>(code: &str, work: impl FnOnce(&Filter) -> T) -> Result<T, Failure> {
    let wrong = || {
        Failure::rejected(format!("--jq: {code:?} is not a jq filter"))
            .hint("write one such as '.[].key', or '.items[] | select(.blocked) | .title'")
    };
    let definitions = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs());
    let functions = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
    let arena = Arena::default();
    let modules = Loader::new(definitions).load(&arena, File { code, path: () }).map_err(|_| wrong())?;
    let filter = Compiler::default().with_funs(functions).compile(modules).map_err(|_| wrong())?;
    Ok(work(&filter))
}

fn results(filter: &Filter, value: &Value) -> Result<String, Failure> {
    let failed = |why: String| Failure::rejected(format!("--jq: {why}"));
    let input =
        read::parse_single(value.to_string().as_bytes()).map_err(|error| failed(error.to_string()))?;
    let context = Ctx::<data::JustLut<Val>>::new(&filter.lut, Vars::new([]));
    let mut text = String::new();
    for result in filter.id.run((context, input)).map(unwrap_valr) {
        let result = result.map_err(|error| failed(error.to_string()))?.to_string();
        match serde_json::from_str::<Value>(&result) {
            Ok(Value::String(raw)) => text.push_str(&raw),
            _ => text.push_str(&result),
        }
        text.push('\n');
    }
    Ok(text)
}

fn environment(template: &str) -> Result<Environment<'_>, Failure> {
    let mut environment = Environment::new();
    environment.add_template("format", template).map_err(|error| wrong(&error))?;
    Ok(environment)
}

fn wrong(error: &minijinja::Error) -> Failure {
    Failure::rejected(format!("--format: {error}"))
        .hint("write a template such as '{{ key }} {{ title }}'; it is filled for each entry of a list")
}

fn filled(template: &str, value: &Value) -> Result<String, Failure> {
    let environment = environment(template)?;
    let template = environment.get_template("format").map_err(|error| wrong(&error))?;
    let entries = value.as_array().map_or_else(|| std::slice::from_ref(value), Vec::as_slice);
    let mut text = String::new();
    for entry in entries {
        text.push_str(&template.render(minijinja::value::Serde(entry)).map_err(|error| wrong(&error))?);
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Shape;

    #[test]
    fn a_filter_prints_its_results_and_texts_without_quotes() {
        let value = json!([{ "key": "PRJ-1", "n": 1 }, { "key": "PRJ-2", "n": 2.5 }]);
        let jq = |filter: &str| Shape::Jq(filter.into()).checked().unwrap().apply(&value);
        assert_eq!(jq(".[].key").unwrap(), "PRJ-1\nPRJ-2\n");
        assert_eq!(jq("map(.n) | add, length").unwrap(), "3.5\n2\n");
        assert!(jq(".[] | error").is_err());
        assert!(Shape::Jq(".[".into()).checked().is_err());
        assert!(Shape::Jq("nonsense".into()).checked().is_err());
    }

    #[test]
    fn a_template_is_filled_for_each_entry() {
        let value = json!([{ "key": "PRJ-1", "labels": ["a", "b"] }, { "key": "PRJ-2", "labels": [] }]);
        let template = |text: &str| Shape::Template(text.into()).checked().unwrap().apply(&value);
        assert_eq!(template("{{ key }}: {{ labels|join('+') }}").unwrap(), "PRJ-1: a+b\nPRJ-2: \n");
        assert!(Shape::Template("{{ key".into()).checked().is_err());
    }
}
