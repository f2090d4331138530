//! Rules of a project: an item that enters a workflow state, perhaps with a label, is handed to an agent
//! (specification section 6.5), and every firing is recorded.
//!
//! **No loops.** A run that a rule started because another run moved the item belongs to the chain of that run. A
//! playbook occurs once in a chain: a rule that would start it again is skipped, and says so. A person who moves the
//! item begins a new chain.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::{Actor, AgentId, ItemKey, PlaybookId, RuleId, RunId};
use crate::item::label_problem;
use crate::label::same;
use crate::name::exact_name_problem;
use crate::refusal::{FieldErrors, Refusal};
use crate::run::Run;
use crate::workflow::{Move, Naming, Workflow};

/// Most rules of a project.
pub const MAX_RULES: usize = 50;
/// Longest name of a rule, in characters.
pub const MAX_NAME: usize = 80;

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// Id.
    pub id: RuleId,
    /// Changes so far, its creation included.
    pub version: u64,
    /// Name.
    pub name: String,
    /// State that an item enters.
    pub state: String,
    /// Label that the item must have.
    #[serde(default)]
    pub label: Option<String>,
    /// Playbook of the run.
    pub playbook: PlaybookId,
    /// Agent of the run; the project's default when absent.
    #[serde(default)]
    pub agent: Option<AgentId>,
    /// Whether it leaves an item alone that a person moved who may not start AI work. Rules from before do, too.
    #[serde(default = "yes")]
    pub only_ai_starters: bool,
    /// Whether it does nothing.
    pub disabled: bool,
    /// Who saved it last: its runs are started with the rights that this person has then.
    pub by: Actor,
}

const fn yes() -> bool {
    true
}

/// The rules of a project, in the order they were made. Its version is the row's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rules(pub Vec<Rule>);

/// What a rule did when an item entered its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Firing {
    /// The rule.
    pub rule: RuleId,
    /// Its name then.
    pub name: String,
    /// The item.
    pub item: ItemKey,
    /// The state that it entered.
    pub state: String,
    /// When it entered the state.
    pub at: Timestamp,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a firing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// A run was queued.
    Started {
        /// The run.
        run: RunId,
    },
    /// No run could be queued.
    Skipped {
        /// Why, in a sentence.
        reason: String,
    },
}

impl Rules {
    /// The rule of an id.
    pub fn find(&self, id: RuleId) -> Option<&Rule> {
        self.0.iter().find(|rule| rule.id == id)
    }

    /// Adds a rule, or puts one in the place of that with its id.
    ///
    /// # Errors
    /// [`Refusal::Conflict`] for one too many.
    pub fn put(&mut self, rule: Rule) -> Result<(), Refusal> {
        let full = self.0.len() >= MAX_RULES;
        match self.0.iter_mut().find(|known| known.id == rule.id) {
            Some(known) => *known = rule,
            None if full => {
                return Err(Refusal::Conflict(
                    "the project already has 50 rules, which is the limit; delete one \
                first",
                ));
            }
            None => self.0.push(rule),
        }
        Ok(())
    }

    /// Takes a rule out.
    ///
    /// # Errors
    /// [`Refusal::NotFound`].
    pub fn remove(&mut self, id: RuleId) -> Result<Rule, Refusal> {
        let place = self.0.iter().position(|rule| rule.id == id).ok_or(Refusal::NotFound)?;
        Ok(self.0.remove(place))
    }

    /// The rules that fire when an item enters a state.
    pub fn firing<'a>(&'a self, state: &'a str, labels: &'a [String]) -> impl Iterator<Item = &'a Rule> {
        let wears = |label: &String| labels.iter().any(|worn| same(worn, label));
        self.0.iter().filter(move |rule| {
            !rule.disabled && rule.state == state && rule.label.as_ref().is_none_or(wears)
        })
    }

    /// The states that they name.
    pub fn namings(&self) -> impl Iterator<Item = Naming> {
        self.0
            .iter()
            .map(|rule| Naming { state: rule.state.clone(), by: format!("the rule {:?}", rule.name) })
    }

    /// Names the states that came for those that went, as the new workflow writes them.
    pub fn follow(&mut self, workflow: &Workflow, moves: &[Move]) {
        for rule in &mut self.0 {
            let mut state = Some(rule.state.clone());
            workflow.follow(&mut state, moves);
            if let Some(state) = state.filter(|state| *state != rule.state) {
                rule.state = state;
                rule.version += 1;
            }
        }
    }

    /// Puts another label in the place of one that was renamed; answers whether a rule has it.
    pub fn rename_label(&mut self, from: &str, to: &str) -> bool {
        let mut renamed = false;
        for rule in &mut self.0 {
            if rule.label.as_deref().is_some_and(|label| same(label, from) && label != to) {
                rule.label = Some(to.to_owned());
                rule.version += 1;
                renamed = true;
            }
        }
        renamed
    }
}

impl Rule {
    /// Whether its fields are acceptable in a project with this workflow. The state comes out as the workflow writes
    /// it.
    ///
    /// # Errors
    /// Every field that is not.
    pub fn checked(mut self, workflow: &Workflow) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        if let Some(problem) = exact_name_problem(&self.name, MAX_NAME) {
            errors.add("name", problem);
        }
        if let Some(state) = errors.check("state", workflow.known(&self.state)) {
            self.state.clone_from(&state.name);
        }
        if let Some(problem) = self.label.as_deref().and_then(label_problem) {
            errors.add("label", problem);
        }
        errors.into_result().map(|()| self)
    }

    /// The chain of a run that this rule starts, after a run of another chain moved the item, or nobody's.
    ///
    /// # Errors
    /// Why it starts none, in a sentence.
    pub fn chain_after(&self, mover: Option<&Run>) -> Result<Vec<PlaybookId>, String> {
        let Some(mover) = mover else { return Ok(Vec::new()) };
        let mut chain = mover.rule_chain.clone();
        chain.push(mover.playbook.id);
        if chain.contains(&self.playbook) {
            return Err(format!(
                "The run {} moved the item here, and this playbook already ran in the same chain of runs. No rule \
                starts it again until a person moves the item.",
                mover.id
            ));
        }
        Ok(chain)
    }
}

/// Why a run could not be queued, in a sentence for who reads the record of a firing.
pub fn reason(refusal: &Refusal) -> String {
    refusal.why_no_run("saved the rule")
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{MAX_RULES, Rule, Rules, reason};
    use crate::ids::{Actor, ActorId, PlaybookId, RuleId, UserId};
    use crate::refusal::Refusal;
    use crate::run::machine::tests::{run, start};
    use crate::workflow::{Move, Workflow};

    fn rule(n: u128, state: &str, label: Option<&str>) -> Rule {
        Rule {
            id: RuleId(Uuid::from_u128(n)),
            version: 1,
            name: format!("Rule {n}"),
            state: state.into(),
            label: label.map(ToOwned::to_owned),
            playbook: PlaybookId(Uuid::from_u128(30)),
            agent: None,
            only_ai_starters: true,
            disabled: false,
            by: Actor { id: ActorId::User(UserId(Uuid::from_u128(1))), name: "Ada".into() },
        }
    }

    #[test]
    fn a_rule_fires_for_its_state_and_label_whatever_the_labels_case() {
        let off = Rule { disabled: true, ..rule(4, "In progress", None) };
        let rules = Rules(vec![
            rule(1, "In progress", None),
            rule(2, "In progress", Some("Auto")),
            rule(3, "Closed", None),
            off,
        ]);
        let fired = |state: &str, labels: &[&str]| {
            let labels: Vec<String> = labels.iter().map(|label| (*label).to_owned()).collect();
            rules.firing(state, &labels).map(|rule| rule.id.0.as_u128()).collect::<Vec<_>>()
        };
        assert_eq!(fired("In progress", &["x"]), [1]);
        assert_eq!(fired("In progress", &["auto"]), [1, 2]);
        assert_eq!(fired("In review", &["auto"]), Vec::<u128>::new());
    }

    #[test]
    fn a_playbook_occurs_once_in_a_chain() {
        let rule = rule(1, "Closed", None);
        assert_eq!(rule.chain_after(None).unwrap(), []);
        let other = run(9, start());
        assert_eq!(rule.chain_after(Some(&other)).unwrap(), [other.playbook.id]);
        let mut own = other.clone();
        own.playbook.id = rule.playbook;
        assert!(rule.chain_after(Some(&own)).is_err(), "its own run does not start it again");
        let mut later = other;
        later.rule_chain = vec![rule.playbook];
        assert!(rule.chain_after(Some(&later)).is_err(), "nor does one that its run led to");
    }

    #[test]
    fn states_and_labels_are_followed() {
        let mut rules = Rules(vec![rule(1, "In review", Some("Bug"))]);
        let mut workflow = Workflow::default();
        workflow.states[2].name = "Checking".to_owned();
        rules.follow(&workflow, &[Move { from: "In review".into(), to: "Checking".into() }]);
        assert!(rules.rename_label("bug", "Defect") && !rules.rename_label("bug", "Defect"));
        let (rule, naming) = (&rules.0[0], rules.namings().next().unwrap());
        assert_eq!(
            (rule.label.as_deref(), rule.version, naming.state.as_str()),
            (Some("Defect"), 3, "Checking")
        );
    }

    #[test]
    fn fields_are_checked_and_there_is_an_end_of_rules() {
        let bad = Rule { name: " x".into(), ..rule(1, "Nowhere", Some("a,b")) };
        let errors = bad.checked(&Workflow::default()).unwrap_err();
        assert!(errors.0.contains_key("name") && errors.0.contains_key("state"), "{errors:?}");
        assert_eq!(rule(1, "in PROGRESS", None).checked(&Workflow::default()).unwrap().state, "In progress");
        let mut rules = Rules::default();
        for n in 0..MAX_RULES {
            rules.put(rule(n as u128, "Closed", None)).unwrap();
        }
        assert!(rules.put(rule(99, "Closed", None)).is_err());
        rules.put(rule(3, "Backlog", None)).unwrap();
        rules.remove(rule(3, "", None).id).unwrap();
        assert_eq!(rules.remove(rule(3, "", None).id), Err(Refusal::NotFound));
    }

    #[test]
    fn a_reason_is_a_sentence() {
        assert_eq!(reason(&Refusal::ItemClaimed { holder: "Ben".into() }), "The item is claimed by Ben.");
        assert_eq!(reason(&Refusal::invalid("agent", "There is no agent yet.")), "There is no agent yet.");
    }
}
