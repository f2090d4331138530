//! Browsers in which people are told, between the domain and the wire. Neither an address nor a key gets there.

use svc_api::notifications::{NewPushSubscription, PushSubscription, PushSubscriptions};
use svc_app::notifications::{Browsers, NewBrowser};
use svc_domain::ids::TokenId;
use svc_domain::notification::browser::Browser;

/// The browsers of a person.
pub fn browsers(found: Browsers) -> PushSubscriptions {
    let Browsers { public_key, browsers, current } = found;
    let subscriptions = browsers.into_iter().map(|one| browser(one, current)).collect();
    PushSubscriptions { public_key, subscriptions }
}

/// A browser that asked.
pub fn turned_on(browser: Browser) -> PushSubscription {
    let id = browser.id;
    self::browser(browser, Some(id))
}

fn browser(browser: Browser, current: Option<TokenId>) -> PushSubscription {
    PushSubscription {
        id: browser.id.to_string(),
        name: browser.name,
        target: browser.target,
        current: current == Some(browser.id),
        last_error: browser.last_error,
        created_at: browser.created_at,
    }
}

/// A browser to turn on.
pub fn new_browser(new: NewPushSubscription) -> NewBrowser {
    NewBrowser {
        endpoint: new.endpoint,
        key: new.keys.p256dh,
        auth: new.keys.auth,
        name: new.name.unwrap_or_default(),
    }
}
