//! A checkout that a follow-up finds again (specification section 3.2): what origin has got since is taken over.
//!
//! | origin's branch                          | checkout                        |
//! |------------------------------------------|---------------------------------|
//! | is where the checkout is, or behind it   | stays as it was left            |
//! | has newer commits on top of the checkout | is brought forward to them      |
//! | went another way, or is gone             | cannot be used: a new one is made |
//!
//! Changes that were not committed stay; where newer commits touch the same files, the checkout cannot be used.

use svc_api::factory::DeliveryMode;
use svc_api::runner::Assignment;

use super::commits::{commit, is_ancestor, short};
use super::fetches::{fetch, fetch_pushed};
use super::prepare::Checkout;

/// Brings the checkout of an earlier run up to what origin has of its branch.
///
/// # Errors
/// Why it cannot be used. It is as it was then.
pub async fn catch_up(checkout: &mut Checkout, assignment: &Assignment) -> Result<(), String> {
    let default = &assignment.repository.default_branch;
    let direct = assignment.delivery_mode == DeliveryMode::PushToDefaultBranch;
    let target = || assignment.direct_target.as_ref().unwrap_or(default);
    let branch = if direct { target() } else { &assignment.branch };
    if checkout.branch.as_ref() != Some(branch) {
        return Err(format!("the earlier workspace is not on {branch}"));
    }
    let git = checkout.git();
    let head = commit(&git, "HEAD").await.ok_or("the earlier workspace has no commit")?;
    let Some(remote) = checkout.remote.clone() else {
        checkout.base = head;
        return Ok(());
    };
    let pushed = fetch_pushed(&git, &remote, branch).await.map_err(|error| error.to_string())?;
    checkout.base = match pushed {
        Some(pushed) if is_ancestor(&git, &pushed, &head).await => head,
        Some(pushed) if is_ancestor(&git, &head, &pushed).await => {
            git.run(["merge", "--quiet", "--ff-only", &pushed]).await.map_err(|error| error.to_string())?;
            checkout.notes.push(format!("Fast-forwarded to {} of origin", short(&pushed)));
            pushed
        }
        Some(_) => return Err(format!("origin's {branch} has diverged from the earlier workspace")),
        None if assignment.follow_up.is_some() => return Err(format!("origin has no branch {branch}")),
        None => head,
    };
    if let Ok(Some(default_head)) = fetch(&git, &remote, default).await {
        checkout.default_head = default_head;
    }
    Ok(())
}
