//! Fields that a request leaves out, clears or sets.

use serde::{Deserialize, Serialize};
use svc_api::Patch;

#[derive(Serialize, Deserialize)]
struct Change {
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    estimate: Patch<u32>,
}

#[test]
fn absent_null_and_value_are_three_things() {
    for (json, expected) in
        [("{}", Patch::Keep), (r#"{"estimate":null}"#, Patch::Clear), (r#"{"estimate":3}"#, Patch::Set(3))]
    {
        let change: Change = serde_json::from_str(json).unwrap();
        assert_eq!(change.estimate, expected);
        assert_eq!(serde_json::to_string(&change).unwrap(), json);
    }
}
