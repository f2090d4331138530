//! Ticket templates of a project: what a new item of a type begins with (specification section 2.4).
//!
//! A project that never changed its templates has the built-in ones. The first change stores them all; from
//! then on the stored ones count, so that what was renamed or deleted stays so.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::ids::TemplateId;
use crate::item::{ItemType, MAX_LABELS, Priority, label_problem};
use crate::label::same;
use crate::name::{exact_name_problem, text_problem};
use crate::named::{self, Named};
use crate::refusal::{FieldErrors, Refusal};

/// A ticket template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Template {
    /// Id.
    pub id: TemplateId,
    /// Changes so far, its creation included.
    pub version: u64,
    /// Name, unique in the project whatever its case.
    pub name: String,
    /// Type of the items that it is for.
    pub item_type: ItemType,
    /// Description that an item begins with, Markdown.
    pub body: String,
    /// Priority that an item begins with; `None` leaves it to the project's default.
    pub priority: Option<Priority>,
    /// Labels that an item begins with.
    pub labels: BTreeSet<String>,
}

/// The templates of a project, in the order they were made. Its version is the row's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Templates(pub Vec<Template>);

/// Most templates of a project.
pub const MAX_TEMPLATES: usize = 30;
/// Longest name of a template, in characters.
pub const MAX_NAME: usize = 80;
/// Longest description in a template, in characters.
pub const MAX_BODY: usize = 10_000;

const BUG_REPORT: &str = "\
## What happens

## What should happen instead

## Steps to reproduce

1.

## Where it was seen

Version, platform, device:
";

const USER_STORY: &str = "\
As a …, I want …, so that …

## Acceptance criteria

- [ ]

## Out of scope
";

impl Default for Templates {
    /// The built-in ones: Bug report and User story.
    fn default() -> Self {
        let built_in = |n: u128, name: &str, item_type, body: &str| Template {
            id: TemplateId(Uuid::from_u128(0x7000_8000_0000_0000_0000 + n)),
            version: 1,
            name: name.to_owned(),
            item_type,
            body: body.to_owned(),
            priority: None,
            labels: BTreeSet::new(),
        };
        Self(vec![
            built_in(1, "Bug report", ItemType::Bug, BUG_REPORT),
            built_in(2, "User story", ItemType::Story, USER_STORY),
        ])
    }
}

impl Named for Template {
    type Id = TemplateId;

    fn id(&self) -> TemplateId {
        self.id
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl Templates {
    /// The template of an id, or of a name whatever its case.
    pub fn find(&self, id_or_name: &str) -> Option<&Template> {
        named::find(&self.0, id_or_name)
    }

    /// Adds a template, or puts one in the place of that with its id.
    ///
    /// # Errors
    /// [`Refusal::AlreadyExists`] for a name that another has; every field that is not acceptable.
    pub fn put(&mut self, template: Template) -> Result<(), Refusal> {
        template.check()?;
        named::put(&mut self.0, template, "a template with this name", MAX_TEMPLATES, || {
            format!("A project has at most {MAX_TEMPLATES} templates. Delete one first.")
        })
    }

    /// Takes a template away.
    ///
    /// # Errors
    /// [`Refusal::NotFound`].
    pub fn remove(&mut self, id: TemplateId) -> Result<(), Refusal> {
        let before = self.0.len();
        self.0.retain(|known| known.id != id);
        if self.0.len() == before { Err(Refusal::NotFound) } else { Ok(()) }
    }

    /// Puts another label in the place of one that goes, or none, and says whether any template had it.
    pub fn replace_label(&mut self, from: &str, to: Option<&str>) -> bool {
        let mut replaced = false;
        for template in &mut self.0 {
            if !template.labels.iter().any(|label| same(label, from) && Some(label.as_str()) != to) {
                continue;
            }
            template.labels.retain(|label| !same(label, from));
            template.labels.extend(to.map(str::to_owned));
            template.version += 1;
            replaced = true;
        }
        replaced
    }
}

impl Template {
    fn check(&self) -> Result<(), FieldErrors> {
        let mut errors = FieldErrors::default();
        if let Some(problem) = exact_name_problem(&self.name, MAX_NAME) {
            errors.add("name", problem);
        }
        if let Some(problem) = text_problem("A template's description", &self.body, MAX_BODY) {
            errors.add("body", problem);
        }
        if self.labels.len() > MAX_LABELS {
            errors.add("labels", format!("An item has at most {MAX_LABELS} labels."));
        }
        for problem in self.labels.iter().filter_map(|label| label_problem(label)) {
            errors.add("labels", problem);
        }
        errors.into_result()
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_TEMPLATES, Template, Templates};
    use crate::ids::TemplateId;
    use crate::refusal::Refusal;
    use uuid::Uuid;

    fn template(n: u128, name: &str) -> Template {
        Template {
            id: TemplateId(Uuid::from_u128(n)),
            name: name.into(),
            ..Templates::default().0[0].clone()
        }
    }

    #[test]
    fn the_built_in_ones_are_found_by_id_and_name() {
        let templates = Templates::default();
        assert_eq!(templates.find("bug REPORT").unwrap().name, "Bug report");
        let story = &templates.0[1];
        assert_eq!(templates.find(&story.id.to_string()), Some(story));
        assert_eq!(templates.find("Epic"), None);
    }

    #[test]
    fn names_are_unique_and_templates_not_without_end() {
        let mut templates = Templates::default();
        assert!(matches!(templates.put(template(1, "user STORY")), Err(Refusal::AlreadyExists(_))));
        for n in 2..MAX_TEMPLATES {
            templates.put(template(n as u128, &format!("Number {n}"))).unwrap();
        }
        assert!(matches!(templates.put(template(99, "One more")), Err(Refusal::Invalid(_))));
        templates.put(template(2, "Another name")).unwrap();
        assert_eq!(templates.0.len(), MAX_TEMPLATES);
        templates.remove(TemplateId(Uuid::from_u128(2))).unwrap();
        assert!(matches!(templates.remove(TemplateId(Uuid::from_u128(2))), Err(Refusal::NotFound)));
    }

    #[test]
    fn a_label_that_goes_is_replaced_in_each_template_that_has_it() {
        let mut templates = Templates::default();
        let labelled = |n, labels: &[&str]| Template {
            labels: labels.iter().map(|label| (*label).to_owned()).collect(),
            ..template(n, &format!("Number {n}"))
        };
        templates.put(labelled(1, &["Bug", "ui"])).unwrap();
        templates.put(labelled(2, &["ui"])).unwrap();
        assert!(templates.replace_label("bug", Some("defect")));
        assert!(!templates.replace_label("bug", Some("defect")), "the second time changes nothing");
        assert!(templates.replace_label("UI", None));
        let labels = |n: usize| templates.0[n].labels.iter().cloned().collect::<Vec<_>>();
        assert_eq!((labels(2), labels(3)), (vec!["defect".to_owned()], vec![]));
        assert_eq!((templates.0[2].version, templates.0[3].version), (3, 2));
    }
}
