//! Names of people and sprints in a filter, which the instance knows by their ids: `assignee:ada@example.org` and
//! `sprint:"Sprint 12"` become what it understands.

use svc_domain::ids::ProjectKey;
use uuid::Uuid;

use crate::commands::{people, sprint};
use crate::failure::Failure;
use crate::session::Session;

/// Words of the filter language that are no names.
const WORDS: [&str; 5] = ["@me", "@agent", "none", "any", "current"];

/// What a term of a filter names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Person,
    Sprint,
}

/// A part of a filter: text that stays, or a name.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Name(Kind, String),
}

/// The filter with the ids of the people that it names, and of the sprints of the project, where it is one.
///
/// # Errors
/// No person, or no sprint, has the name.
pub(in crate::commands) async fn with_ids(
    filter: &str,
    project: Option<&ProjectKey>,
    org: &str,
    session: &Session<'_>,
) -> Result<String, Failure> {
    let mut text = String::with_capacity(filter.len());
    for part in parts(filter) {
        match part {
            Part::Text(same) => text.push_str(&same),
            Part::Name(Kind::Person, name) => text.push_str(&people::account(&name, org, session).await?),
            Part::Name(Kind::Sprint, name) => match project {
                Some(project) => text.push_str(&sprint::find(&name, project, org, session).await?),
                None => {
                    return Err(Failure::rejected(format!(
                        "sprints called {name:?} may be in several projects"
                    ))
                    .hint("name the project with -p, or give the id of the sprint"));
                }
            },
        }
    }
    Ok(text)
}

fn parts(filter: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut depth = 0;
    for (index, term) in split(filter, ' ').into_iter().enumerate() {
        if index > 0 {
            parts.push(Part::Text(" ".to_owned()));
        }
        let begun = &term[..term.len() - term.trim_start_matches(['-', '(']).len()];
        depth += begun.matches('(').count();
        // In a group, parentheses at the end of a term close it.
        let (term, end) = match depth {
            0 => (term, ""),
            _ => term.split_at(term.trim_end_matches(')').len()),
        };
        depth = depth.saturating_sub(end.len());
        let field = term.trim_start_matches(['-', '(']).split(':').next().unwrap_or_default();
        let kind = match field {
            "assignee" | "claimed" | "creator" | "commented" => Kind::Person,
            "sprint" => Kind::Sprint,
            _ => {
                parts.push(Part::Text(format!("{term}{end}")));
                continue;
            }
        };
        let Some((before, values)) = term.split_once(':') else {
            parts.push(Part::Text(format!("{term}{end}")));
            continue;
        };
        parts.push(Part::Text(format!("{before}:")));
        for (index, value) in split(values, ',').into_iter().enumerate() {
            if index > 0 {
                parts.push(Part::Text(",".to_owned()));
            }
            parts.push(named(kind, value));
        }
        parts.push(Part::Text(end.to_owned()));
    }
    parts
}

/// A value of a term, which is a name if it is neither a word of the language nor an id.
fn named(kind: Kind, value: &str) -> Part {
    let name = value.trim_matches('"');
    let word = WORDS.iter().any(|word| word.eq_ignore_ascii_case(name));
    if name.is_empty() || word || Uuid::try_parse(name).is_ok() {
        return Part::Text(value.to_owned());
    }
    Part::Name(kind, name.to_owned())
}

/// The text between separators that stand outside of quotes.
fn split(text: &str, separator: char) -> Vec<&str> {
    let mut quoted = false;
    let outside = move |c: char| {
        quoted ^= c == '"';
        c == separator && !quoted
    };
    text.split(outside).collect()
}

#[cfg(test)]
mod tests {
    use super::{Kind, Part, parts};

    fn names(filter: &str) -> Vec<(Kind, String)> {
        let name = |part| match part {
            Part::Name(kind, name) => Some((kind, name)),
            Part::Text(_) => None,
        };
        parts(filter).into_iter().filter_map(name).collect()
    }

    #[test]
    fn names_are_found_where_people_and_sprints_stand() {
        let found =
            names("state:active -assignee:\"Ada Lovelace\",@me,ben@example.org sprint:S2 label:sprint");
        let expected =
            [(Kind::Person, "Ada Lovelace"), (Kind::Person, "ben@example.org"), (Kind::Sprint, "S2")];
        assert_eq!(found, expected.map(|(kind, name)| (kind, name.to_owned())));
    }

    #[test]
    fn what_names_nothing_stays_as_it_is() {
        for filter in [
            "",
            "  state:\"In progress\"  label:a,b ",
            "assignee:none,@me claimed:@agent,any sprint:current",
            "assignee:0193a6e5-0000-7000-8000-000000000000",
            "assignee:",
        ] {
            let text: String = parts(filter)
                .into_iter()
                .map(|part| match part {
                    Part::Text(text) => text,
                    Part::Name(..) => "name".to_owned(),
                })
                .collect();
            assert_eq!(text, filter);
        }
    }
}
