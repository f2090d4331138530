//! What an agent hands in when it refined a ticket, and what people answer: texts, and how long they may be.
//!
//! Whether a proposal fits its item is the item's own rule ([`Proposal::edit`] and [`crate::item::Item::edit`]).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::item::{ItemEdit, LabelEdit, Priority};
use crate::refusal::FieldErrors;

/// Most questions of one submission.
pub const MAX_QUESTIONS: usize = 10;
/// Longest question, in bytes.
pub const MAX_QUESTION: usize = 2_000;
/// Longest answer, in bytes.
pub const MAX_ANSWER: usize = 5_000;
/// Longest note, in bytes.
pub const MAX_NOTE: usize = 10_000;
/// Longest proposed description, in bytes: it is kept in a row with everything else of the refinement.
pub const MAX_DESCRIPTION: usize = 120_000;

/// What an agent hands in: a proposal, questions, or both.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Submission {
    /// What it must know before the ticket is good.
    pub questions: Vec<String>,
    /// The ticket as it should be.
    pub proposal: Option<Proposal>,
}

/// A ticket as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    /// Title.
    pub title: String,
    /// Description, Markdown.
    pub description: String,
    /// Priority; `None` leaves it.
    #[serde(default)]
    pub priority: Option<Priority>,
    /// All labels; `None` leaves them.
    #[serde(default)]
    pub labels: Option<BTreeSet<String>>,
}

/// An answer to a question of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// The question, as it was asked.
    pub question: String,
    /// The answer.
    pub answer: String,
}

impl Submission {
    /// The submission without space around its texts and without empty questions.
    ///
    /// # Errors
    /// Every field that is not acceptable.
    pub fn checked(mut self) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let questions = std::mem::take(&mut self.questions).into_iter();
        self.questions =
            questions.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect();
        if self.questions.len() > MAX_QUESTIONS {
            errors.add(
                "questions",
                format!("Ask at most {MAX_QUESTIONS} questions, the most important first."),
            );
        }
        if self.questions.iter().any(|question| question.len() > MAX_QUESTION) {
            errors.add("questions", format!("Keep each question within {MAX_QUESTION} bytes."));
        }
        match &self.proposal {
            Some(proposal) if proposal.description.len() > MAX_DESCRIPTION => {
                errors.add("proposal.description", format!("Keep it within {MAX_DESCRIPTION} bytes."));
            }
            None if self.questions.is_empty() => {
                errors.add("proposal", "Submit a proposal, questions, or both.");
            }
            Some(_) | None => {}
        }
        errors.into_result().map(|()| self)
    }
}

impl Proposal {
    /// The change of the item that it asks for.
    pub fn edit(&self) -> ItemEdit {
        let labels = self
            .labels
            .as_ref()
            .map_or(LabelEdit::Keep, |labels| LabelEdit::Replace(labels.iter().cloned().collect()));
        ItemEdit {
            title: Some(self.title.clone()),
            body: Some(self.description.clone()),
            priority: self.priority,
            labels,
            ..ItemEdit::default()
        }
    }
}

/// The answers to these questions, each given as the number of its question and its text. Empty answers are none.
///
/// # Errors
/// A number that no question has, a question that is answered twice, an answer that is too long.
pub fn answers(questions: &[String], given: &[(u32, String)]) -> Result<Vec<Answer>, FieldErrors> {
    let mut errors = FieldErrors::default();
    let mut told: Vec<Option<&str>> = vec![None; questions.len()];
    for (number, text) in given {
        let text = text.trim();
        let place = usize::try_from(*number).ok().and_then(|number| number.checked_sub(1));
        match place.and_then(|place| told.get_mut(place)) {
            None => errors
                .add("answers", format!("There is no question {number}; there are {}.", questions.len())),
            Some(Some(_)) => errors.add("answers", format!("Answer question {number} once.")),
            Some(_) if text.len() > MAX_ANSWER => {
                errors.add(
                    "answers",
                    format!("Keep the answer to question {number} within {MAX_ANSWER} bytes."),
                );
            }
            Some(empty) => *empty = Some(text).filter(|text| !text.is_empty()),
        }
    }
    errors.into_result()?;
    let answered = questions.iter().zip(told).filter_map(|(question, answer)| {
        Some(Answer { question: question.clone(), answer: answer?.to_owned() })
    });
    Ok(answered.collect())
}

/// A note without space around it; `None` for an empty one.
///
/// # Errors
/// One that is too long.
pub fn note(text: Option<&str>) -> Result<Option<String>, FieldErrors> {
    let text = text.map(str::trim).filter(|text| !text.is_empty());
    if text.is_some_and(|text| text.len() > MAX_NOTE) {
        return Err(FieldErrors::one("note", format!("Keep the note within {MAX_NOTE} bytes.")));
    }
    Ok(text.map(ToOwned::to_owned))
}

#[cfg(test)]
mod tests {
    use super::{Answer, MAX_NOTE, MAX_QUESTIONS, Proposal, Submission, answers, note};

    fn proposal(description: &str) -> Option<Proposal> {
        let (title, description) = ("T".to_owned(), description.to_owned());
        Some(Proposal { title, description, priority: None, labels: None })
    }

    #[test]
    fn a_submission_says_something() {
        let empty = Submission { questions: vec![" ".into()], proposal: None };
        assert!(empty.checked().unwrap_err().0.contains_key("proposal"));
        let asked = Submission { questions: vec![" Why? ".into(), String::new()], proposal: None };
        assert_eq!(asked.checked().unwrap().questions, ["Why?"]);
        let many = Submission { questions: vec!["Why?".into(); MAX_QUESTIONS + 1], proposal: None };
        assert!(many.checked().unwrap_err().0.contains_key("questions"));
        let long = Submission { questions: vec![], proposal: proposal(&"x".repeat(120_001)) };
        assert!(long.checked().unwrap_err().0.contains_key("proposal.description"));
    }

    #[test]
    fn answers_belong_to_questions() {
        let questions = ["Who?".to_owned(), "When?".to_owned()];
        let given = answers(&questions, &[(2, " Now ".into()), (1, " ".into())]).unwrap();
        assert_eq!(given, [Answer { question: "When?".into(), answer: "Now".into() }]);
        assert!(answers(&questions, &[(3, "x".into())]).is_err());
        assert!(answers(&questions, &[(0, "x".into())]).is_err());
        assert!(answers(&questions, &[(1, "x".into()), (1, "y".into())]).is_err());
        assert!(answers(&questions, &[(1, "x".repeat(5_001))]).is_err());
    }

    #[test]
    fn a_note_of_space_is_none() {
        assert_eq!(note(Some(" \n")).unwrap(), None);
        assert_eq!(note(Some(" shorter ")).unwrap().as_deref(), Some("shorter"));
        assert!(note(Some(&"x".repeat(MAX_NOTE + 1))).is_err());
    }
}
