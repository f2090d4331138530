//! What the wire shows of the wiki's records.

use svc_api::identity::Actor;
use svc_api::wiki as wire;
use svc_app::wiki::PageWithText;
use svc_domain::ids;
use svc_domain::wiki::{Page, PageText};

pub(crate) fn page(found: PageWithText) -> wire::WikiPage {
    let PageWithText { page, body } = found;
    wire::WikiPage {
        id: page.id.to_string(),
        title: page.path.title().to_owned(),
        path: page.path.into(),
        body,
        version: page.version,
        updated_by: actor(page.updated_by),
        updated_at: page.updated_at,
    }
}

pub(crate) fn entry(page: Page) -> wire::WikiEntry {
    wire::WikiEntry {
        id: page.id.to_string(),
        title: page.path.title().to_owned(),
        path: page.path.into(),
        version: page.version,
        updated_at: page.updated_at,
    }
}

pub(crate) fn version(text: PageText) -> wire::PageVersion {
    wire::PageVersion { version: text.version, body: text.body, author: actor(text.author), at: text.at }
}

fn actor(actor: ids::Actor) -> Actor {
    Actor { id: actor.id.to_string(), name: actor.name, agent: actor.id.is_agent() }
}
