//! What `--jq` and `--format` make of the JSON that a command prints.

use minijinja::{Environment, Template, escape_formatter};
use serde_json::Value;

use super::{fields, jq};
use crate::failure::Failure;
use crate::near::did_you_mean;

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
        let this = match self {
            Self::Template(template) => Self::Template(unescaped(&template)),
            jq @ Self::Jq(_) => jq,
        };
        match &this {
            Self::Jq(filter) => jq::check(filter)?,
            Self::Template(template) => environment(template).map(drop)?,
        }
        Ok(this)
    }

    /// The value as it is to be shown, with its newline.
    pub(crate) fn apply(&self, value: &Value) -> Result<String, Failure> {
        match self {
            Self::Jq(filter) => jq::apply(filter, value),
            Self::Template(template) => filled(template, value),
        }
    }
}

/// A template with its tabs and line ends: a shell leaves `\t` and `\n` as they are typed.
fn unescaped(template: &str) -> String {
    let (mut text, mut chars) = (String::with_capacity(template.len()), template.chars());
    while let Some(c) = chars.next() {
        match (c, chars.as_str().chars().next()) {
            ('\\', Some('t')) => text.push('\t'),
            ('\\', Some('n')) => text.push('\n'),
            ('\\', Some(other)) => text.extend([c, other]),
            _ => {
                text.push(c);
                continue;
            }
        }
        chars.next();
    }
    text
}

fn environment(template: &str) -> Result<Environment<'_>, Failure> {
    let mut environment = Environment::new();
    // A field without a value is null or left out: neither prints anything.
    environment.set_formatter(|out, state, value| match value.is_none() {
        true => Ok(()),
        false => escape_formatter(out, state, value),
    });
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
    check_fields(&template, &environment, entries)?;
    let mut text = String::new();
    for entry in entries {
        text.push_str(&template.render(minijinja::value::Serde(entry)).map_err(|error| wrong(&error))?);
        text.push('\n');
    }
    Ok(text)
}

/// Checks that the entries may have every field that the template names: a name that is misspelled would be blank.
fn check_fields(
    template: &Template<'_, '_>,
    environment: &Environment<'_>,
    entries: &[Value],
) -> Result<(), Failure> {
    if entries.is_empty() || !entries.iter().all(Value::is_object) {
        return Ok(());
    }
    let known = fields::of(entries);
    let is_known =
        |name: &str| known.contains(name) || environment.globals().any(|(global, _)| global == name);
    let mut unknown: Vec<_> =
        template.undeclared_variables(false).into_iter().filter(|name| !is_known(name)).collect();
    unknown.sort();
    let Some(name) = unknown.first() else { return Ok(()) };
    let names = || known.iter().map(String::as_str);
    let meant = did_you_mean(name, names()).map(|meant| format!("{meant} ")).unwrap_or_default();
    let list = names().collect::<Vec<_>>().join(", ");
    Err(Failure::rejected(format!("--format: there is no field {name:?}"))
        .hint(format!("{meant}the fields are {list}")))
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
        let null = Shape::Template("<{{ due }}{{ n }}>".into()).apply(&json!({ "due": null, "n": 1 }));
        assert_eq!(null.unwrap(), "<1>\n", "what has no value prints nothing");
        assert_eq!(template(r"{{ key }}\t{{ labels|join('\n') }}").unwrap(), "PRJ-1\ta\nb\nPRJ-2\t\n");
        assert!(Shape::Template("{{ key".into()).checked().is_err());
    }

    #[test]
    fn a_field_that_there_is_not_is_no_blank() {
        let value = json!([{ "key": "PRJ-1", "title": "T", "stateGroup": "active" }]);
        let template = |text: &str| Shape::Template(text.into()).apply(&value);
        let wrong = template("{{ key }} {{ titel }}").unwrap_err();
        assert_eq!(wrong.title, "--format: there is no field \"titel\"");
        assert!(wrong.hint.unwrap().starts_with("did you mean \"title\"? the fields are "));
        let left_out = template("{{ key }}{{ milestone }}{% for n in range(2) %}.{% endfor %}").unwrap();
        assert_eq!(left_out, "PRJ-1..\n", "an item without a milestone");
    }
}
