//! What the refinement of tickets in a project goes by: what the product is, how its tickets are written and
//! named, and where a confirmed one goes (specification section 2.4).

use serde::{Deserialize, Serialize};

use crate::refusal::FieldErrors;
use crate::workflow::{Move, Naming, Workflow};

/// Longest text of the settings, in characters. Four of them are at most 320 KB, since no character that is
/// accepted takes more than four bytes in a row; a row has 400.
pub const MAX_TEXT: usize = 20_000;

/// Refinement settings of a project. Their version is the row's, 0 while nothing was ever set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RefinementSettings {
    /// What the product is and whom it is for.
    pub product_description: Option<String>,
    /// How tickets are written.
    pub ticket_instructions: Option<String>,
    /// How tickets are named: prefixes of titles.
    pub naming_conventions: Option<String>,
    /// The platforms and devices that the product supports.
    pub platforms: Option<String>,
    /// State that a confirmed ticket moves to.
    pub refined_state: Option<String>,
}

/// A wanted change of refinement settings; `None` leaves a field, `Some(None)` clears it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefinementEdit {
    /// The version last read.
    pub version: u64,
    /// New description of the product.
    pub product_description: Option<Option<String>>,
    /// New instructions.
    pub ticket_instructions: Option<Option<String>>,
    /// New conventions.
    pub naming_conventions: Option<Option<String>>,
    /// New platforms and devices.
    pub platforms: Option<Option<String>>,
    /// New state.
    pub refined_state: Option<Option<String>>,
}

impl RefinementSettings {
    /// The settings after a change, in a project with this workflow. The state comes out as the workflow writes
    /// it; a text of nothing but space is none.
    ///
    /// # Errors
    /// Every field that is not acceptable.
    pub fn changed(&self, edit: &RefinementEdit, workflow: &Workflow) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let mut text = |field: &str, old: &Option<String>, new: &Option<Option<String>>| {
            let Some(new) = new else { return old.clone() };
            let new = new.clone().filter(|text| !text.trim().is_empty());
            errors.check(field, new.as_deref().map_or(Ok(()), checked));
            new
        };
        let mut settings = Self {
            product_description: text(
                "productDescription",
                &self.product_description,
                &edit.product_description,
            ),
            ticket_instructions: text(
                "ticketInstructions",
                &self.ticket_instructions,
                &edit.ticket_instructions,
            ),
            naming_conventions: text("namingConventions", &self.naming_conventions, &edit.naming_conventions),
            platforms: text("platforms", &self.platforms, &edit.platforms),
            refined_state: self.refined_state.clone(),
        };
        if let Some(state) = &edit.refined_state {
            let known = state.as_deref().map(|name| workflow.known(name)).transpose();
            settings.refined_state =
                errors.check("refinedState", known).flatten().map(|state| state.name.clone());
        }
        errors.into_result().map(|()| settings)
    }

    /// The state that they name.
    pub fn naming(&self) -> Option<Naming> {
        let by = "the state that refined tickets go to".to_owned();
        self.refined_state.clone().map(|state| Naming { state, by })
    }

    /// Names the state that came for the one that went, as the new workflow writes it.
    pub fn follow(&mut self, workflow: &Workflow, moves: &[Move]) {
        workflow.follow(&mut self.refined_state, moves);
    }
}

fn checked(text: &str) -> Result<(), String> {
    let length = text.chars().count();
    if length > MAX_TEXT {
        return Err(format!("Give at most {MAX_TEXT} characters; these are {length}."));
    }
    if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return Err("Leave out control characters other than tabs and line breaks.".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{MAX_TEXT, RefinementEdit, RefinementSettings};
    use crate::workflow::{Move, Workflow};

    fn set(text: &str) -> Option<Option<String>> {
        Some(Some(text.to_owned()))
    }

    #[test]
    fn what_is_not_named_stays_and_null_and_space_clear() {
        let workflow = Workflow::default();
        let first = RefinementEdit {
            product_description: set("A tracker."),
            ticket_instructions: set("One sentence each."),
            refined_state: set("in PROGRESS"),
            ..RefinementEdit::default()
        };
        let settings = RefinementSettings::default().changed(&first, &workflow).unwrap();
        assert_eq!(settings.refined_state.as_deref(), Some("In progress"), "as the workflow writes it");
        let second = RefinementEdit {
            product_description: Some(None),
            ticket_instructions: set(" \n"),
            platforms: set("Web, iOS"),
            ..RefinementEdit::default()
        };
        let settings = settings.changed(&second, &workflow).unwrap();
        let expected = RefinementSettings {
            platforms: Some("Web, iOS".to_owned()),
            refined_state: Some("In progress".to_owned()),
            ..RefinementSettings::default()
        };
        assert_eq!(settings, expected);
        let cleared = RefinementEdit { refined_state: Some(None), ..RefinementEdit::default() };
        assert_eq!(settings.changed(&cleared, &workflow).unwrap().refined_state, None);
    }

    #[test]
    fn every_field_that_is_not_acceptable_is_named() {
        let edit = RefinementEdit {
            version: 0,
            product_description: set(&"ä".repeat(MAX_TEXT + 1)),
            ticket_instructions: set("a\u{1}b"),
            naming_conventions: set(&"ä".repeat(MAX_TEXT)),
            platforms: set("Web\r\n\tiOS"),
            refined_state: set("Done"),
        };
        let errors = RefinementSettings::default().changed(&edit, &Workflow::default()).unwrap_err();
        let told: Vec<_> =
            errors.0.iter().map(|(field, told)| format!("{field}: {}", told.join(" "))).collect();
        assert_eq!(
            told,
            [
                "productDescription: Give at most 20000 characters; these are 20001.",
                "refinedState: There is no state \"Done\". The states are Backlog, In progress, In review, \
                 Resolved, Closed.",
                "ticketInstructions: Leave out control characters other than tabs and line breaks.",
            ]
        );
    }

    #[test]
    fn the_state_follows_the_workflow() {
        let mut settings =
            RefinementSettings { refined_state: Some("in review".into()), ..RefinementSettings::default() };
        assert_eq!(settings.naming().unwrap().state, "in review");
        let mut renamed = Workflow::default();
        renamed.states[2].name = "Checking".to_owned();
        settings.follow(&renamed, &[Move { from: "In review".into(), to: "checking".into() }]);
        assert_eq!(settings.refined_state.as_deref(), Some("Checking"));
    }

    #[test]
    fn rows_of_other_servers_are_read() {
        let read: RefinementSettings = serde_json::from_str(r#"{"platforms":"Web","newer":1}"#).unwrap();
        let expected = RefinementSettings { platforms: Some("Web".into()), ..RefinementSettings::default() };
        assert_eq!(read, expected);
    }
}
