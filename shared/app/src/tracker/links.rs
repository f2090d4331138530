//! Pull requests linked to an item by their address (specification section 2.2).
//!
//! Linking twice and taking away twice do no harm, and neither carries a version: a link is there or not.

use svc_domain::access::Capability;
use svc_domain::event::ItemEvent;
use svc_domain::ids::ItemKey;
use svc_domain::item::MAX_LINKS;
use svc_domain::refusal::Refusal;
use svc_domain::run::outcome::{is_same_pull_request, pull_request_url};

use super::load::{ItemDetails, Loaded, load};
use crate::App;
use crate::entry::Caller;
use crate::error::Result;

/// Links a pull request to an item. One that is linked already changes nothing.
///
/// # Errors
/// [`Refusal::Invalid`] for what is no web address, or one too many.
pub async fn add(app: &App, caller: Caller<'_>, key: &ItemKey, url: &str) -> Result<ItemDetails> {
    app.decide(|| async {
        let loaded = load(app, caller, key, Capability::Work).await?;
        let url = pull_request_url(url).ok_or_else(|| {
            let example = "https://code.example/team/project/pull/7";
            Refusal::invalid("url", format!("Give the address of a pull request, such as {example}."))
        })?;
        if loaded.item.links.iter().any(|link| is_same_pull_request(link, &url)) {
            return Ok(loaded.unchanged(app));
        }
        if loaded.item.links.len() >= MAX_LINKS {
            return Err(Refusal::invalid("url", format!("An item has at most {MAX_LINKS} links.")).into());
        }
        let mut change = loaded.change();
        change.item.links.push(url.clone());
        change.tell(ItemEvent::PullRequestLinked { item: key.clone(), url, run: None });
        Loaded::commit(loaded, app, change, vec![]).await
    })
    .await
}

/// Takes a link away. One that is not there changes nothing.
///
/// # Errors
/// [`Refusal::NotFound`] for the item; [`Refusal::Invalid`] when no link is named.
pub async fn remove(app: &App, caller: Caller<'_>, key: &ItemKey, url: &str) -> Result<ItemDetails> {
    app.decide(|| async {
        let loaded = load(app, caller, key, Capability::Work).await?;
        let written = url.trim();
        if written.is_empty() {
            return Err(Refusal::invalid(
                "url",
                "Name the link to remove: give `url`, or `type` and `item`.",
            )
            .into());
        }
        let known = pull_request_url(written);
        let is_known = |link: &str| known.as_ref().is_some_and(|known| is_same_pull_request(link, known));
        let named = |link: &String| link == written || is_known(link);
        let Some(link) = loaded.item.links.iter().find(|link| named(link)).cloned() else {
            return Ok(loaded.unchanged(app));
        };
        let mut change = loaded.change();
        change.item.links.retain(|known| *known != link);
        change.tell(ItemEvent::PullRequestUnlinked(key.clone(), link));
        Loaded::commit(loaded, app, change, vec![]).await
    })
    .await
}
