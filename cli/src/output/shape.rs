//! What `--jq` and `--format` make of the JSON that a command prints.

use minijinja::Environment;
use serde_json::Value;

use super::jq;
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
            Self::Jq(filter) => jq::check(filter)?,
            Self::Template(template) => environment(template).map(drop)?,
        }
        Ok(self)
    }

    /// The value as it is to be shown, with its newline.
    pub(crate) fn apply(&self, value: &Value) -> Result<String, Failure> {
        match self {
            Self::Jq(filter) => jq::apply(filter, value),
            Self::Template(template) => filled(template, value),
        }
    }
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
    fn a_template_is_filled_for_each_entry() {
        let value = json!([{ "key": "PRJ-1", "labels": ["a", "b"] }, { "key": "PRJ-2", "labels": [] }]);
        let template = |text: &str| Shape::Template(text.into()).checked().unwrap().apply(&value);
        assert_eq!(template("{{ key }}: {{ labels|join('+') }}").unwrap(), "PRJ-1: a+b\nPRJ-2: \n");
        assert!(Shape::Template("{{ key".into()).checked().is_err());
    }
}
