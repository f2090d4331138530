//! Which state, type, priority and person of the target stands for which of the source: proposed by name and group,
//! and edited by people.

use std::collections::BTreeMap;

use crate::exports::{ImportMapping, MappedBy, MappedWord};
use serde::{Deserialize, Serialize};
use svc_api::tracker::{ItemType, Priority, StateGroup, WorkflowState};

use super::gathered::{Gathered, Word};
use crate::failure::{About, Failure};
use crate::wire;

/// What stands for every word of the source.
#[derive(Debug, Default)]
pub struct Proposed {
    /// What stands for each state.
    pub states: Vec<MappedWord>,
    /// What stands for each type.
    pub types: Vec<MappedWord>,
    /// What stands for each priority.
    pub priorities: Vec<MappedWord>,
}

/// Proposes what stands for each word that was found, and gives people the addresses that the file has.
///
/// # Errors
/// The file names a state, type or priority that is none.
pub fn propose(
    gathered: &mut Gathered,
    states: &[WorkflowState],
    given: &ImportMapping,
) -> Result<Proposed, Failure> {
    let names: Vec<&str> = states.iter().map(|state| state.name.as_str()).collect();
    const TYPES: [&str; 5] = ["story", "bug", "task", "epic", "subtask"];
    const PRIORITIES: [&str; 6] = ["lowest", "low", "medium", "high", "highest", ""];
    let is_state = |target: &str| names.iter().any(|name| same(name, target));
    check("state", &given.states, &names, is_state)?;
    check("type", &given.types, &TYPES, |target| TYPES.contains(&target))?;
    check("priority", &given.priorities, &PRIORITIES[..5], |target| PRIORITIES.contains(&target))?;
    for person in gathered.people.values_mut() {
        let given = given.people.get(&person.id).or_else(|| given.people.get(&person.name));
        if let Some(address) = given {
            person.address = Some(address.clone()).filter(|address| !address.is_empty());
        }
    }
    let pair = |(word, found): (&String, &Word), (target, by): (String, MappedBy)| MappedWord {
        source: word.clone(),
        count: found.count,
        target,
        by,
    };
    let of_file =
        |given: &BTreeMap<String, String>, word: &str| Some((given.get(word)?.clone(), MappedBy::Given));
    let state = |(word, found): (&String, &Word)| {
        let of_file = of_file(&given.states, word).map(|(target, why)| {
            let name = names.iter().find(|name| same(name, &target));
            (name.map_or(target.clone(), |name| (*name).to_owned()), why)
        });
        let target = of_file.unwrap_or_else(|| state_for(word, found, states));
        pair((word, found), target)
    };
    let kind = |(word, found): (&String, &Word)| {
        pair((word, found), of_file(&given.types, word).unwrap_or_else(|| named(type_for(word), "task")))
    };
    let priority = |(word, found): (&String, &Word)| {
        pair((word, found), of_file(&given.priorities, word).unwrap_or_else(|| named(priority_for(word), "")))
    };
    Ok(Proposed {
        states: gathered.states.iter().map(state).collect(),
        types: gathered.types.iter().map(kind).collect(),
        priorities: gathered.priorities.iter().map(priority).collect(),
    })
}

/// Refuses a mapping to a word that the project does not have.
fn check(
    what: &str,
    given: &BTreeMap<String, String>,
    known: &[&str],
    is_known: impl Fn(&str) -> bool,
) -> Result<(), Failure> {
    let Some(name) = given.values().find(|target| !is_known(target)) else { return Ok(()) };
    let wrong = format!("the mapping names the {what} {name:?}, which the project does not have");
    Err(Failure::rejected(wrong).about(About::Mapping).detail(format!("it has: {}", known.join(", "))))
}

fn named<T: Serialize>(found: Option<T>, usual: &str) -> (String, MappedBy) {
    found.map_or_else(|| (usual.to_owned(), MappedBy::Default), |found| (wire(&found), MappedBy::Meaning))
}

impl Proposed {
    /// The target's word for one of the source.
    fn target<'a>(pairs: &'a [MappedWord], word: Option<&str>) -> Option<&'a str> {
        pairs.iter().find(|pair| Some(pair.source.as_str()) == word).map(|pair| pair.target.as_str())
    }

    /// The state for one of the source.
    pub fn state(&self, word: &str) -> String {
        Self::target(&self.states, Some(word)).unwrap_or(word).to_owned()
    }

    /// The type for the source's word.
    pub fn item_type(&self, word: Option<&str>) -> Option<ItemType> {
        read_word(Self::target(&self.types, word)?)
    }

    /// The priority for the source's word.
    pub fn priority(&self, word: Option<&str>) -> Option<Priority> {
        read_word(Self::target(&self.priorities, word)?)
    }

    /// The mapping as a file has it.
    pub fn mapping(&self, gathered: &Gathered) -> ImportMapping {
        let words = |pairs: &[MappedWord]| {
            pairs.iter().map(|pair| (pair.source.clone(), pair.target.clone())).collect::<BTreeMap<_, _>>()
        };
        let people = gathered.people.values();
        let people = people.map(|person| (person.id.clone(), person.address.clone().unwrap_or_default()));
        ImportMapping {
            states: words(&self.states),
            types: words(&self.types),
            priorities: words(&self.priorities),
            people: people.collect(),
        }
    }
}

fn read_word<T: for<'a> Deserialize<'a>>(word: &str) -> Option<T> {
    serde_json::from_value(serde_json::Value::String(word.to_owned())).ok().filter(|_| !word.is_empty())
}

/// The state of the project that stands for one of the source, and why.
fn state_for(word: &str, found: &Word, states: &[WorkflowState]) -> (String, MappedBy) {
    if let Some(state) = states.iter().find(|state| same(&state.name, word)) {
        return (state.name.clone(), MappedBy::Name);
    }
    let (group, why) = match found.group.or_else(|| group_for(word)) {
        Some(group) => (group, MappedBy::Group),
        None => (StateGroup::Backlog, MappedBy::Default),
    };
    let near: &[StateGroup] = match group {
        StateGroup::Active => &[StateGroup::Active, StateGroup::Resolved, StateGroup::Backlog],
        StateGroup::Resolved => &[StateGroup::Resolved, StateGroup::Active, StateGroup::Closed],
        StateGroup::Closed => &[StateGroup::Closed, StateGroup::Resolved],
        _ => &[StateGroup::Backlog, StateGroup::Active],
    };
    let of_group = |group: &StateGroup| {
        let mut of = states.iter().filter(|state| state.group == *group);
        let dropped = is_dropped(word);
        of.clone()
            .find(|state| *group == StateGroup::Closed && is_dropped(&state.name) == dropped)
            .or_else(|| of.next())
    };
    let state = near.iter().find_map(of_group).or_else(|| states.first());
    (state.map(|state| state.name.clone()).unwrap_or_default(), why)
}

/// Whether two names are the same but for case, spaces and marks.
fn same(a: &str, b: &str) -> bool {
    plain(a) == plain(b)
}

fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a state is of items that nobody will do.
fn is_dropped(name: &str) -> bool {
    let name = plain(name);
    ["cancel", "wont", "notplanned", "duplicate", "rejected", "declined", "dropped", "archived", "invalid"]
        .iter()
        .any(|word| name.contains(word))
}

/// The group of a state by what its name means.
fn group_for(name: &str) -> Option<StateGroup> {
    const MEANINGS: [(StateGroup, &[&str]); 4] = [
        (
            StateGroup::Resolved,
            &["review", "qa", "test", "resolved", "verif", "readytodeploy", "accept", "staging"],
        ),
        (
            StateGroup::Closed,
            &["done", "closed", "complete", "finished", "fixed", "released", "shipped", "merged"],
        ),
        (
            StateGroup::Active,
            &["progress", "doing", "started", "active", "development", "wip", "working", "building"],
        ),
        (
            StateGroup::Backlog,
            &[
                "backlog", "todo", "open", "new", "triage", "icebox", "selected", "planned", "next", "idea",
                "later",
            ],
        ),
    ];
    let name = plain(name);
    if is_dropped(&name) {
        return Some(StateGroup::Closed);
    }
    if name.contains("unstarted") || name.contains("notstarted") {
        return Some(StateGroup::Backlog);
    }
    let found = MEANINGS.iter().find(|(_, words)| words.iter().any(|word| name.contains(word)));
    found.map(|(group, _)| *group)
}

/// The type by what the source's word means.
fn type_for(word: &str) -> Option<ItemType> {
    let word = plain(word);
    let means = |words: &[&str]| words.iter().any(|meaning| word.contains(meaning));
    match () {
        () if means(&["subtask"]) => Some(ItemType::Subtask),
        () if means(&["bug", "defect", "incident"]) => Some(ItemType::Bug),
        () if means(&["epic", "initiative"]) => Some(ItemType::Epic),
        () if means(&["story", "feature", "improvement", "enhancement"]) => Some(ItemType::Story),
        () if means(&["task", "issue", "chore"]) => Some(ItemType::Task),
        () => None,
    }
}

/// The priority by what the source's word means.
fn priority_for(word: &str) -> Option<Priority> {
    let word = plain(word);
    Some(match word.as_str() {
        "highest" | "urgent" | "blocker" | "critical" | "p0" => Priority::Highest,
        "high" | "major" | "p1" => Priority::High,
        "medium" | "normal" | "p2" => Priority::Medium,
        "low" | "minor" | "p3" => Priority::Low,
        "lowest" | "trivial" | "p4" => Priority::Lowest,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use svc_api::tracker::{ItemType, Priority, StateGroup, WorkflowState};

    use super::{ImportMapping, MappedBy, propose};
    use crate::found::FoundItem;
    use crate::gathered::Gathered;

    fn states() -> Vec<WorkflowState> {
        vec![
            WorkflowState::new("New", StateGroup::Backlog),
            WorkflowState::new("In progress", StateGroup::Active),
            WorkflowState::new("Resolved", StateGroup::Resolved),
            WorkflowState::new("Closed", StateGroup::Closed),
            WorkflowState::new("Cancelled", StateGroup::Closed),
        ]
    }

    fn found(words: &[(&str, Option<StateGroup>)]) -> Gathered {
        let mut gathered = Gathered::new("csv:x").unwrap();
        for (word, group) in words {
            let mut found = FoundItem::new(*word, "t", *word, Timestamp::UNIX_EPOCH);
            (found.kind, found.priority) = (Some((*word).into()), Some((*word).into()));
            gathered.item(found, *group).unwrap();
        }
        gathered
    }

    #[test]
    fn states_are_proposed_by_name_then_group_then_meaning() {
        for (word, group, target, why) in [
            ("in-progress", None, "In progress", MappedBy::Name),
            ("Frobnicate", Some(StateGroup::Closed), "Closed", MappedBy::Group),
            ("In Review", None, "Resolved", MappedBy::Group),
            ("Done", None, "Closed", MappedBy::Group),
            ("Won't do", None, "Cancelled", MappedBy::Group),
            ("Canceled", Some(StateGroup::Closed), "Cancelled", MappedBy::Group),
            ("Todo", None, "New", MappedBy::Group),
            ("Frobnicate", None, "New", MappedBy::Default),
        ] {
            let proposed =
                propose(&mut found(&[(word, group)]), &states(), &ImportMapping::default()).unwrap();
            let pair = &proposed.states[0];
            assert_eq!((pair.target.as_str(), pair.by), (target, why), "{word}");
        }
        let few =
            [WorkflowState::new("Open", StateGroup::Backlog), WorkflowState::new("Done", StateGroup::Closed)];
        let proposed = propose(&mut found(&[("Testing", None)]), &few, &ImportMapping::default()).unwrap();
        assert_eq!(proposed.states[0].target, "Done");
    }

    #[test]
    fn types_and_priorities_are_proposed_by_meaning() {
        let mut gathered =
            found(&[("Sub-task", None), ("New Feature", None), ("Blocker", None), ("P3", None)]);
        let proposed = propose(&mut gathered, &states(), &ImportMapping::default()).unwrap();
        assert_eq!(proposed.item_type(Some("Sub-task")), Some(ItemType::Subtask));
        assert_eq!(proposed.item_type(Some("New Feature")), Some(ItemType::Story));
        assert_eq!(proposed.item_type(Some("P3")), Some(ItemType::Task));
        assert_eq!(proposed.priority(Some("Blocker")), Some(Priority::Highest));
        assert_eq!(proposed.priority(Some("P3")), Some(Priority::Low));
        assert_eq!((proposed.priority(Some("Sub-task")), proposed.item_type(None)), (None, None));
    }

    #[test]
    fn what_a_person_says_counts_before_what_is_proposed() {
        let mut gathered = found(&[("Done", None)]);
        gathered.person("octocat", Some("Octo Cat"), None);
        let mut mapping =
            propose(&mut gathered, &states(), &ImportMapping::default()).unwrap().mapping(&gathered);
        assert_eq!((mapping.states["Done"].as_str(), mapping.people["octocat"].as_str()), ("Closed", ""));
        // As a person types it.
        mapping.states.insert("Done".into(), "resolved".into());
        mapping.people.insert("octocat".into(), "octo@example.org".into());
        let proposed = propose(&mut gathered, &states(), &mapping).unwrap();
        assert_eq!((proposed.state("Done"), proposed.states[0].by), ("Resolved".into(), MappedBy::Given));
        assert_eq!(gathered.people["octocat"].address.as_deref(), Some("octo@example.org"));
    }

    #[test]
    fn a_mapping_to_what_is_not_there_is_refused() {
        for (what, mapping) in [
            ("state", r#"{"states": {"Done": "Nowhere"}}"#),
            ("type", r#"{"types": {"Done": "saga"}}"#),
            ("priority", r#"{"priorities": {"Done": "soon"}}"#),
        ] {
            let given: ImportMapping = serde_json::from_str(mapping).unwrap();
            let failure = propose(&mut found(&[("Done", None)]), &states(), &given).unwrap_err();
            assert!(failure.title.contains(&format!("names the {what}")), "{failure:?}");
        }
    }
}
