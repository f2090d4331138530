//! The fields that one item or many are given.

use jiff::civil::Date;
use svc_api::Patch;
use svc_api::tracker::{BulkFields, ItemType, Priority};
use svc_domain::ids::ItemKey;

use super::labels::Labels;
use crate::commands::people;
use crate::failure::Failure;
use crate::keys::item_key_or_none;
use crate::output::More;
use crate::session::Session;
use crate::values::{OrNone, day_or_none, item_type, number_or_none, priority};

/// Fields to change.
#[derive(clap::Args)]
pub(super) struct Fields {
    /// New priority
    #[arg(long, value_parser = priority(), ignore_case = true)]
    priority: Option<Priority>,
    /// Labels separated by commas; may be repeated. A plain list replaces all labels, none removes all, +name and
    /// -name add and remove
    #[arg(long, visible_alias = "label", value_name = "LIST", allow_hyphen_values = true)]
    labels: Option<Vec<Labels>>,
    /// New kind of work
    #[arg(long = "type", value_name = "TYPE", value_parser = item_type(), ignore_case = true)]
    item_type: Option<ItemType>,
    /// New estimate, or none
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number_or_none)]
    estimate: Option<OrNone<f64>>,
    /// New effort left, or none
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number_or_none)]
    remaining: Option<OrNone<f64>>,
    /// Address, name or id of a member, @me, or none; a first or last name is enough
    #[arg(long, value_name = "USER")]
    assignee: Option<OrNone<String>>,
    /// Item that it belongs to, or none
    #[arg(long, value_name = "ITEM_KEY", value_parser = item_key_or_none)]
    parent: Option<OrNone<ItemKey>>,
    /// Whether it is blocked: something else must happen first
    #[arg(long, value_name = "BOOL")]
    blocked: Option<bool>,
    /// Due day, such as 2026-01-31, +3d or friday, or none
    #[arg(long, value_name = "DAY", value_parser = day_or_none)]
    due: Option<OrNone<Date>>,
    /// Name or id of an open milestone, or none
    #[arg(long, value_name = "NAME")]
    milestone: Option<OrNone<String>>,
}

impl Fields {
    /// Names of the arguments, of which a command needs one.
    pub(super) const ARGS: [&'static str; 10] = [
        "priority",
        "labels",
        "item_type",
        "estimate",
        "remaining",
        "assignee",
        "parent",
        "blocked",
        "due",
        "milestone",
    ];

    /// Whether nothing is to be changed.
    pub(super) fn is_empty(&self) -> bool {
        let Self {
            priority,
            labels,
            item_type,
            estimate,
            remaining,
            assignee,
            parent,
            blocked,
            due,
            milestone,
        } = self;
        priority.is_none()
            && labels.is_none()
            && item_type.is_none()
            && estimate.is_none()
            && remaining.is_none()
            && assignee.is_none()
            && parent.is_none()
            && blocked.is_none()
            && due.is_none()
            && milestone.is_none()
    }

    /// The columns that show the change.
    pub(super) fn columns(&self) -> Vec<More> {
        let named = [
            (self.labels.is_some(), More::Labels),
            (self.estimate.is_some(), More::Estimate),
            (self.remaining.is_some(), More::Remaining),
            (self.parent.is_some(), More::Parent),
            (self.blocked.is_some(), More::Blocked),
            (self.due.is_some(), More::Due),
            (self.milestone.is_some(), More::Milestone),
        ];
        named.into_iter().filter(|(named, _)| *named).map(|(_, column)| column).collect()
    }

    /// The change as it is sent.
    pub(super) async fn resolve(self, org: &str, session: &Session<'_>) -> Result<BulkFields, Failure> {
        let given = Labels::joined(self.labels.unwrap_or_default())?;
        let (labels, add_labels, remove_labels) = match given {
            Some(Labels::Replace(labels)) => (Some(labels), Vec::new(), Vec::new()),
            Some(Labels::Change { add, remove }) => (None, add, remove),
            None => (None, Vec::new(), Vec::new()),
        };
        let assignee = match self.assignee {
            None => Patch::Keep,
            Some(OrNone::None) => Patch::Clear,
            Some(OrNone::Some(wanted)) => Patch::Set(people::account(&wanted, org, session).await?),
        };
        let parent = match self.parent {
            None => Patch::Keep,
            Some(OrNone::None) => Patch::Clear,
            Some(OrNone::Some(key)) => Patch::Set(key.to_string()),
        };
        Ok(BulkFields {
            item_type: self.item_type,
            priority: self.priority,
            labels,
            add_labels,
            remove_labels,
            estimate: self.estimate.map_or(Patch::Keep, Patch::from),
            remaining: self.remaining.map_or(Patch::Keep, Patch::from),
            assignee,
            parent,
            blocked: self.blocked,
            due: self.due.map_or(Patch::Keep, Patch::from),
            milestone: self.milestone.map_or(Patch::Keep, Patch::from),
        })
    }
}
