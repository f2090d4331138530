//! How many different labels the items of a project carry: every list of labels grows with them, so there is an end.
//!
//! Of two items that get the last ones at the same moment, both may. Labels that the project carries already are always
//! free to use.

use std::collections::BTreeSet;

use svc_domain::ids::OrgId;
use svc_domain::item::Item;
use svc_domain::refusal::FieldErrors;

use crate::App;
use crate::error::Result;

/// Most different labels that the items of a project carry.
pub(super) const MAX_CARRIED: usize = 2_000;

/// Whether the project has room for the labels that an item has now and had not before, told in the errors.
pub(super) async fn check(
    app: &App,
    org: OrgId,
    item: &Item,
    before: &BTreeSet<String>,
    errors: &mut FieldErrors,
) -> Result<()> {
    let new: Vec<&String> = item.labels.difference(before).collect();
    if new.is_empty() || errors.0.contains_key("labels") {
        return Ok(());
    }
    let project = &item.key.project;
    // What is in memory may be old. It knows most labels, and of those asks for no read.
    if let Some(feed) = app.feeds.warm(org, project) {
        let index = feed.read();
        if new.iter().all(|label| index.carries_label(label)) {
            return Ok(());
        }
    }
    let feed = app.feeds.fresh(app, org, project).await?;
    let index = feed.read();
    let unknown = new.iter().filter(|label| !index.carries_label(label)).count();
    if unknown > 0 && index.different_labels() + unknown > MAX_CARRIED {
        errors.add(
            "labels",
            format!(
                "The items of a project carry at most {MAX_CARRIED} different labels. Use one of them, or merge or delete some."
            ),
        );
    }
    Ok(())
}
