//! What a person changed of a webhook, in words for the audit log. Of an address only its host is told: the rest is often a
//! secret.

use std::fmt::Display;

use url::Url;

use super::Webhook;

/// What differs, before and after.
pub fn in_words(before: &Webhook, after: &Webhook) -> (String, String) {
    let (mut from, mut to) = (Vec::new(), Vec::new());
    let mut say = |what: &str, values: [String; 2]| {
        if values[0] != values[1] {
            let [was, is] = values;
            from.push(format!("{what} {was}"));
            to.push(format!("{what} {is}"));
        }
    };
    say("name", [before, after].map(|webhook| webhook.name.clone()));
    let hosts = [before, after].map(|webhook| host(&webhook.url));
    if hosts[0] == hosts[1] && before.url != after.url {
        say("address", [hosts[0].clone(), format!("{} (another path)", hosts[1])]);
    } else {
        say("address", hosts);
    }
    say("events", [before, after].map(|webhook| listed(&webhook.events, "none")));
    say("projects", [before, after].map(|webhook| listed(&webhook.projects, "all")));
    say("agents' work", [before, after].map(|webhook| yes(webhook.agents_work)));
    say("disabled", [before, after].map(|webhook| yes(webhook.disabled.is_some())));
    (from.join("; "), to.join("; "))
}

fn host(address: &str) -> String {
    Url::parse(address).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
}

fn listed<T: Display>(all: impl IntoIterator<Item = T>, none: &str) -> String {
    let all: Vec<String> = all.into_iter().map(|one| one.to_string()).collect();
    if all.is_empty() { none.to_owned() } else { all.join(", ") }
}

fn yes(is: bool) -> String {
    if is { "yes" } else { "no" }.to_owned()
}
