//! The terms of a filter that are used most, as options: `--state active` is `--filter state:active`. An option that is
//! given several times takes any of its values, as a list does.

use crate::failure::Failure;

/// Options that narrow a list of items.
#[derive(clap::Args)]
pub(super) struct Terms {
    /// States or groups of states, separated by commas
    #[arg(short, long, value_name = "LIST")]
    state: Option<Vec<String>>,
    /// Assigned to any of these: addresses or names of members, @me, or none
    #[arg(short, long, value_name = "USER")]
    assignee: Option<Vec<String>>,
    /// Labels, separated by commas; items with any of them
    #[arg(short, long, value_name = "LABEL")]
    label: Option<Vec<String>>,
    /// Types, separated by commas
    #[arg(long = "type", value_name = "LIST")]
    item_type: Option<Vec<String>>,
    /// Name of a sprint, current, or none
    #[arg(long, value_name = "SPRINT")]
    sprint: Option<Vec<String>>,
    /// Name of a milestone, any, or none
    #[arg(long, value_name = "MILESTONE")]
    milestone: Option<Vec<String>>,
    /// Priorities separated by commas, or a comparison such as '>=high'
    #[arg(long, value_name = "LIST")]
    priority: Option<Vec<String>>,
    /// Due day, a comparison such as '<=friday', or none
    #[arg(long, value_name = "DAY", allow_hyphen_values = true)]
    due: Option<Vec<String>>,
}

impl Terms {
    /// The filter that was given, with the terms of these options.
    ///
    /// # Errors
    /// A value with a quotation mark, which a filter cannot hold.
    pub(super) fn added_to(self, filter: Option<String>) -> Result<Option<String>, Failure> {
        let Self { state, assignee, label, item_type, sprint, milestone, priority, due } = self;
        let named = [
            ("state", state),
            ("assignee", assignee),
            ("label", label),
            ("type", item_type),
            ("sprint", sprint),
            ("milestone", milestone),
            ("priority", priority),
            ("due", due),
        ];
        let mut terms: Vec<String> = filter.into_iter().collect();
        for (field, values) in named {
            let Some(values) = values.map(|values| values.join(",")) else { continue };
            if values.contains('"') {
                let wrong = format!("--{field} cannot hold quotation marks");
                return Err(Failure::rejected(wrong).hint("separate several values with commas"));
            }
            terms.push(term(field, &values));
        }
        Ok(Some(terms.join(" ")).filter(|filter| !filter.is_empty()))
    }
}

/// A term whose values are read as they are: `+` joins labels in a filter, but is a part of one here.
fn term(field: &str, values: &str) -> String {
    let is_special = |c: char| c.is_whitespace() || "()\\".contains(c) || (c == '+' && field == "label");
    let quoted = |value: &str| match value.contains(is_special) {
        true => format!("\"{}\"", value.replace('\\', r"\\")),
        false => value.to_owned(),
    };
    let values: Vec<_> = values.split(',').map(|value| quoted(value.trim())).collect();
    format!("{field}:{}", values.join(","))
}

#[cfg(test)]
mod tests {
    use super::{Terms, term};

    #[test]
    fn options_are_terms() {
        assert_eq!(term("state", "In progress, done"), "state:\"In progress\",done");
        assert_eq!(term("label", "c++,gtk+,needs review"), "label:\"c++\",\"gtk+\",\"needs review\"");
        assert_eq!(term("due", "<=+7d"), "due:<=+7d");
        let terms = |state: &str| Terms {
            state: Some(vec![state.into(), "closed".into()]),
            assignee: Some(vec!["@me".into()]),
            label: None,
            item_type: None,
            sprint: None,
            milestone: Some(vec!["First beta".into()]),
            priority: None,
            due: Some(vec!["<=friday".into()]),
        };
        let filter = terms("active").added_to(Some("blocked:true".into()));
        assert_eq!(
            filter.unwrap().as_deref(),
            Some("blocked:true state:active,closed assignee:@me milestone:\"First beta\" due:<=friday")
        );
        assert!(terms("a\" OR \"b").added_to(None).is_err());
    }
}
