//! An item as a reader finds it, before its words become those of the project.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use svc_api::records::ItemRecord;

/// An item in the words of its source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoundItem {
    /// The item; its state is the source's, and its type and priority are not set.
    pub item: ItemRecord,
    /// The source's word for its type.
    pub kind: Option<String>,
    /// The source's word for its priority.
    pub priority: Option<String>,
}

impl FoundItem {
    /// An item with nothing but what every item has.
    pub fn new(
        id: impl Into<String>,
        title: impl Into<String>,
        state: impl Into<String>,
        created_at: Timestamp,
    ) -> Self {
        let item = ItemRecord {
            id: id.into(),
            key: None,
            url: None,
            title: title.into(),
            body: None,
            state: state.into(),
            item_type: None,
            priority: None,
            labels: Vec::new(),
            assignee: None,
            author: None,
            estimate: None,
            due: None,
            milestone: None,
            sprint: None,
            parent: None,
            created_at,
            updated_at: None,
            closed_at: None,
        };
        Self { item, kind: None, priority: None }
    }
}
