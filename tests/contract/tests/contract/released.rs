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
    let mut found = breaking_changes(&released, &written);
    found.retain(|change| !takes_no_null_for_absent(change));
    assert!(
        found.is_empty(),
        "within v1 nothing that is released is removed, renamed, narrowed or newly required:\n{}\n\
         Keep the old beside the new, and mark it as deprecated.",
        found.join("\n")
    );
}

/// Whether a change only says of a field of a change request that it is never null. The released document permitted
/// null there, which was taken for absent: who meant to clear the field was told that it was done. Now it is refused.
fn takes_no_null_for_absent(change: &str) -> bool {
    let of_change = change.starts_with("PATCH ") || change.contains("the body: `change.");
    let Some((was, is)) = change.split_once("` was ").and_then(|(_, said)| said.split_once(" and is "))
    else {
        return false;
    };
    let is = is.trim_end_matches('.');
    of_change && (was == format!("null or {is}") || was == format!("{is} or null"))
}
