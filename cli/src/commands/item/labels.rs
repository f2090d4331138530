//! The `--labels` list: a plain list replaces, `none` takes all away, `+name` and `-name` add and remove, both at once are refused
//! (specification section 4.2).

use std::str::FromStr;

use super::unmatched::unknown;
use crate::failure::Failure;
use crate::near::did_you_mean;
use crate::session::Session;
use crate::values::is_none;

/// Why signs and plain names do not go together.
const MIXED: &str = "a list either replaces all labels (bug,ui) or changes them (+bug,-ui), not both";

/// What a `--labels` list asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Labels {
    /// These labels and no others.
    Replace(Vec<String>),
    /// The labels that there are, with and without these.
    Change { add: Vec<String>, remove: Vec<String> },
}

impl Labels {
    /// What several lists ask for together, as if they were one.
    ///
    /// # Errors
    /// Some replace all labels and some change them.
    pub(super) fn joined(given: Vec<Self>) -> Result<Option<Self>, Failure> {
        let mut lists = given.into_iter();
        let Some(first) = lists.next() else { return Ok(None) };
        lists.try_fold(first, Self::and).map(Some)
    }

    fn and(self, more: Self) -> Result<Self, Failure> {
        let joined = |mut all: Vec<String>, more: Vec<String>| {
            all.extend(more);
            all
        };
        match (self, more) {
            (Self::Replace(all), Self::Replace(more)) => Ok(Self::Replace(joined(all, more))),
            (Self::Change { add, remove }, Self::Change { add: also, remove: too }) => {
                Ok(Self::Change { add: joined(add, also), remove: joined(remove, too) })
            }
            _ => Err(Failure::rejected(format!("--labels: {MIXED}"))),
        }
    }
}

/// Warns of labels of an item that the project does not define: they may be slips.
pub(super) async fn warn_of_undefined(given: &[String], project: &str, org: &str, session: &Session<'_>) {
    if given.is_empty() {
        return;
    }
    // The item has them already: where this cannot be found out, nothing is wrong.
    let Ok(labels) = session.org(org).labels(project).await else { return };
    let defined = labels.iter().filter(|label| label.version > 0).map(|label| label.name.as_str());
    let (defined, given): (Vec<_>, Vec<_>) = (defined.collect(), given.iter().collect());
    for name in unknown(&given, &defined) {
        let meant =
            did_you_mean(name, defined.iter().copied()).map(|meant| format!(" {meant}")).unwrap_or_default();
        session.output.warn(&format!(
            "the label {name} is not defined;{meant} to define it, use `svc label create {name} -p {project}`"
        ));
    }
}

impl FromStr for Labels {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (mut plain, mut add, mut remove) = (Vec::new(), Vec::new(), Vec::new());
        for entry in text.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            let (list, name) = match entry.split_at_checked(1) {
                Some(("+", name)) => (&mut add, name),
                Some(("-", name)) => (&mut remove, name),
                _ => (&mut plain, entry),
            };
            if name.is_empty() {
                return Err(format!("{entry:?} is not a label"));
            }
            list.push(name.to_owned());
        }
        if plain.len() == 1 && is_none(&plain[0]) {
            plain.clear();
        }
        let changes = !add.is_empty() || !remove.is_empty();
        match (plain.is_empty(), changes) {
            (false, true) => Err(MIXED.to_owned()),
            (_, true) => Ok(Self::Change { add, remove }),
            (_, false) => Ok(Self::Replace(plain)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Labels;

    #[test]
    fn a_plain_list_replaces() {
        assert_eq!("bug, ui".parse(), Ok(Labels::Replace(vec!["bug".into(), "ui".into()])));
        assert_eq!("a-b,c+d".parse(), Ok(Labels::Replace(vec!["a-b".into(), "c+d".into()])));
        for nothing in ["", "none", "None"] {
            assert_eq!(nothing.parse(), Ok(Labels::Replace(vec![])), "{nothing}");
        }
        assert_eq!("none,bug".parse(), Ok(Labels::Replace(vec!["none".into(), "bug".into()])));
    }

    #[test]
    fn signs_add_and_remove() {
        let expected = Labels::Change { add: vec!["bug".into(), "é".into()], remove: vec!["ui".into()] };
        assert_eq!("+bug,-ui,+é".parse(), Ok(expected));
    }

    #[test]
    fn several_lists_are_one() {
        let joined =
            |lists: &[&str]| Labels::joined(lists.iter().map(|list| list.parse().unwrap()).collect());
        assert_eq!(joined(&[]).unwrap(), None);
        assert_eq!(joined(&["a,b", "c"]).unwrap(), "a,b,c".parse().ok());
        assert_eq!(joined(&["+a", "-b,+c"]).unwrap(), "+a,-b,+c".parse().ok());
        assert!(joined(&["+a", "b"]).unwrap_err().title.contains("not both"));
    }

    #[test]
    fn mixing_is_refused_and_so_is_a_sign_alone() {
        for text in ["bug,+ui", "-ui,bug", "+", "bug,-"] {
            assert!(text.parse::<Labels>().is_err(), "{text:?}");
        }
    }
}
