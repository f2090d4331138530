//! The last released contract, which nothing may break. `make release` replaces it, and nothing else does.

use serde_json::Value;
use svc_contract::breaking_changes;

use crate::tools::root;

#[test]
fn nothing_breaks_the_released_contract() {
    let file = root().join("functions/portal/openapi/released/v1.json");
    let released = std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let released: Value = serde_json::from_slice(&released).unwrap();
    let written = serde_json::to_value(svc_local::areas().1).unwrap();
    let found = breaking_changes(&released, &written);
    assert!(
        found.is_empty(),
        "within v1 nothing that is released is removed, renamed, narrowed or newly required:\n{}\n\
         Keep the old beside the new, and mark it as deprecated.",
        found.join("\n")
    );
}
