//! Changes several items one by one. A failure does not stop the others; the command fails at the end.

use svc_api::tracker::Item;
use svc_domain::ids::ItemKey;

use super::shared::show_all;
use crate::failure::Failure;
use crate::output::More;
use crate::session::Session;

/// Changes each item, and shows the changed ones.
///
/// # Errors
/// The first failure; the others are printed.
pub(super) async fn each(
    keys: &[ItemKey],
    columns: &[More],
    session: &Session<'_>,
    mut change: impl AsyncFnMut(&ItemKey) -> Result<Item, Failure>,
) -> Result<(), Failure> {
    let (mut changed, mut failures) = (Vec::new(), Vec::new());
    for key in keys {
        match change(key).await {
            Ok(item) => changed.push(item),
            Err(failure) => failures.push((key, failure)),
        }
    }
    if !changed.is_empty() {
        show_all(columns, &changed, keys.len() > 1, session)?;
    }
    let mut failures = failures.into_iter();
    let first = failures.next();
    for (key, failure) in failures {
        session.output.say(&format!("{key} was not changed:"));
        session.output.failure(&failure);
    }
    match first {
        None => Ok(()),
        Some((_, failure)) if keys.len() == 1 => Err(failure),
        Some((key, failure)) => {
            session.output.say(&format!("{key} was not changed:"));
            Err(failure)
        }
    }
}
