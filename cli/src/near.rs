//! The known name that an unknown one may mean.

use svc_domain::filter::nearest;

/// A part of a name has at least so many letters to be taken for it.
const PART: usize = 3;

/// The name that looks most like `wanted`, in any case: one with a slip in it, else the only one that has it as a part.
pub(crate) fn near<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = wanted.to_lowercase();
    let names: Vec<(String, &str)> = names.into_iter().map(|name| (name.to_lowercase(), name)).collect();
    let written = |found: &str| names.iter().find(|(folded, _)| folded == found).map(|(_, name)| *name);
    if let Some(found) = nearest(&folded, names.iter().map(|(folded, _)| folded.as_str())) {
        return written(found);
    }
    let mut parts = names.iter().filter(|(name, _)| name.contains(&folded));
    match (parts.next(), parts.next()) {
        (Some((_, only)), None) if folded.chars().count() >= PART => Some(only),
        _ => None,
    }
}

/// The question for it, as a hint begins.
pub(crate) fn did_you_mean<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    near(wanted, names).map(|name| format!("did you mean {name:?}?"))
}

#[cfg(test)]
mod tests {
    use super::{did_you_mean, near};

    #[test]
    fn a_slip_or_a_part_is_understood() {
        let names = ["In progress", "In review", "Closed", "First beta", "ÜBERBLICK"];
        for (wanted, meant) in [
            ("in-progress", Some("In progress")),
            ("In reveiw", Some("In review")),
            ("beta", Some("First beta")),
            ("überblik", Some("ÜBERBLICK")),
            ("clsoed", Some("Closed")),
            ("In ", None),
            ("be", None),
            ("nothing", None),
            ("", None),
        ] {
            assert_eq!(near(wanted, names), meant, "{wanted}");
        }
        assert_eq!(did_you_mean("clsed", names).as_deref(), Some("did you mean \"Closed\"?"));
    }
}
