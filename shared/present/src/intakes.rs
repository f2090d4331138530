//! Intakes, between the domain and the wire, and what deliveries say.

mod reports;

use serde_json::{Map, Value};
use svc_api::tracker as wire;
use svc_app::tracker::intakes::{IntakeEdit, Receipt, WithAddress};
use svc_domain::intake::{Intake, Mapping};

use crate::actor::actor;

pub use reports::reports;

/// What a form says. A name that comes several times has a list.
pub fn form(bytes: &[u8]) -> wire::IntakeDelivery {
    let mut fields = Map::new();
    for (name, value) in url::form_urlencoded::parse(bytes).take(MAX_FORM_FIELDS) {
        let value = Value::String(value.into_owned());
        match fields.get_mut(name.as_ref()) {
            None => drop(fields.insert(name.into_owned(), value)),
            Some(Value::Array(all)) => all.push(value),
            Some(known) => *known = Value::Array(vec![known.take(), value]),
        }
    }
    wire::IntakeDelivery(fields)
}

/// Fields of a form that are read.
const MAX_FORM_FIELDS: usize = 200;

/// A wanted intake.
pub fn new_intake(new: wire::NewIntake) -> IntakeEdit {
    let wire::NewIntake { name, template, mapping: of, comments_repeats, comments_resolved, closes_resolved } =
        new;
    IntakeEdit {
        name: Some(name),
        template: template.map(Some),
        mapping: of.map(mapping),
        comments_repeats,
        comments_resolved,
        closes_resolved,
        disabled: None,
    }
}

/// A wanted change.
pub fn edit(change: wire::UpdateIntake) -> IntakeEdit {
    IntakeEdit {
        name: change.name,
        template: change.template.into_option(),
        mapping: change.mapping.map(mapping),
        comments_repeats: change.comments_repeats,
        comments_resolved: change.comments_resolved,
        closes_resolved: change.closes_resolved,
        disabled: change.disabled,
    }
}

fn mapping(of: wire::IntakeMapping) -> Mapping {
    let wire::IntakeMapping { title, body, labels, key } = of;
    Mapping { title, body, labels, key }
}

/// An intake.
pub fn intake(intake: Intake) -> wire::Intake {
    let Mapping { title, body, labels, key } = intake.mapping;
    wire::Intake {
        id: intake.id.to_string(),
        version: intake.version,
        name: intake.name,
        template: intake.template.map(|id| id.to_string()),
        mapping: wire::IntakeMapping { title, body, labels, key },
        comments_repeats: intake.comments_repeats,
        comments_resolved: intake.comments_resolved,
        closes_resolved: intake.closes_resolved,
        disabled: intake.disabled,
        saved_by: actor(&intake.by),
        rotated_at: intake.rotated_at,
    }
}

/// An intake with its address.
pub fn with_address(made: WithAddress) -> wire::IntakeWithAddress {
    wire::IntakeWithAddress { url: made.url, intake: intake(made.intake) }
}

/// What became of a delivery.
pub const fn receipt(receipt: Receipt) -> wire::IntakeReceipt {
    let Receipt { created, repeated, resolved } = receipt;
    wire::IntakeReceipt { created, repeated, resolved }
}
