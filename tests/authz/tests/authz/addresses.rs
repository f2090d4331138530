//! Who reads addresses of people: Owners and Admins of their organization; everybody else reads their own.

use std::collections::BTreeSet;

use http::Method;
use svc_authz::rows::{self, Row};
use svc_authz::who::{CALLERS, Caller};
use svc_authz::world::World;

/// Every address in the world ends so.
const ADDRESS: &str = "@example.com";

/// A read that never ends. What it tells are changes, of which each has its own read.
const ENDLESS: &str = "GET /orgs/{slug}/projects/{key}/changes/stream";

#[tokio::test]
async fn nobody_but_owners_and_admins_reads_the_address_of_another() {
    let world = World::new().await;
    let open = world.open();
    let mut wrong = Vec::new();
    let mut read = 0;
    for row in rows::all().iter().filter(|row| row.method == Method::GET && row.name() != ENDLESS) {
        for caller in CALLERS {
            let reply = world.ask(&open, row, Some(world.token(caller))).await;
            let found = addresses(&reply.text);
            read += found.len();
            let own = own_address(caller);
            if !reads_all(caller) && found.iter().any(|address| Some(address.as_str()) != own) {
                wrong.push(format!("{} tells {caller:?} {found:?}", Row::name(row)));
            }
        }
    }
    assert!(read > 0, "the world has addresses, and somebody reads them");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Of their organization, which is another one for some.
const fn reads_all(caller: Caller) -> bool {
    matches!(caller, Caller::Owner | Caller::Admin | Caller::Bound)
}

const fn own_address(caller: Caller) -> Option<&'static str> {
    match caller {
        Caller::Owner | Caller::Bound => Some("owner@example.com"),
        Caller::Admin => Some("admin@example.com"),
        Caller::Chief => Some("chief@example.com"),
        Caller::Operator => Some("operator@example.com"),
        Caller::Member => Some("member@example.com"),
        Caller::Stakeholder => Some("stakeholder@example.com"),
        Caller::Guest => Some("guest@example.com"),
        Caller::Outsider => Some("outsider@example.com"),
        Caller::Foreigner => Some("foreigner@example.com"),
        Caller::Agent | Caller::Stray | Caller::Runner => None,
    }
}

fn addresses(text: &str) -> BTreeSet<String> {
    let local = |before: &str| {
        let start = before.rfind(|letter: char| !letter.is_ascii_alphanumeric()).map_or(0, |at| at + 1);
        format!("{}{ADDRESS}", &before[start..])
    };
    text.match_indices(ADDRESS).map(|(at, _)| local(&text[..at])).collect()
}
