//! Items, wiki pages and runs by address, in the words of the tools that read them, and the inbox of a person.

use rmcp::ErrorData;
use rmcp::model::{JsonObject, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::{Value, json};
use svc_http::ApiResult;
use svc_http::problems::NOT_FOUND;

use crate::catalogue;
use crate::failure::told;
use crate::guest::Guest;
use crate::inbox::inbox;
use crate::reply::{Cursor, MOST_OF_RESOURCE, Reply};

/// The addresses that there are.
pub(crate) const ITEM: &str = "svc://items/{key}";
pub(crate) const PAGE: &str = "svc://projects/{project}/wiki/{+path}";
pub(crate) const RUN: &str = "svc://runs/{id}";
/// The caller's inbox.
const INBOX: &str = "svc://inbox";

/// What has an address of its own for this caller: agents have no inbox.
pub(crate) fn listed(guest: &Guest) -> Vec<Resource> {
    let inbox = Resource::new(INBOX, "inbox")
        .with_description("What is new for you, and which runs wait for you")
        .with_mime_type("text/markdown");
    if guest.access.is_agent() { Vec::new() } else { vec![inbox] }
}

/// What can be read.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    [
        (ITEM, "item", "An item with its comments"),
        (PAGE, "wiki-page", "A wiki page"),
        (RUN, "run", "An AI run"),
    ]
    .map(|(address, name, description)| {
        ResourceTemplate::new(address, name).with_description(description).with_mime_type("text/markdown")
    })
    .into()
}

/// What is at an address.
///
/// # Errors
/// For what there is not, or the caller cannot see.
pub(crate) async fn read(guest: &Guest, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let found = match named(uri) {
        Some((tool, arguments)) => text(guest, tool, arguments).await,
        None if uri == INBOX => said(guest, inbox(guest).await).await,
        None => {
            Err(NOT_FOUND.because(format!("Addresses look like {ITEM}, {PAGE}, {RUN} or {INBOX}.")).into())
        }
    };
    let text = found.map_err(|error| {
        let data = Some(json!({ "uri": uri }));
        ErrorData::resource_not_found(told(error.problem()), data)
    })?;
    let contents = ResourceContents::text(text, uri).with_mime_type("text/markdown");
    Ok(ReadResourceResult::new(vec![contents]))
}

/// An item with its comments.
///
/// # Errors
/// As `get_item`.
pub(crate) async fn item(guest: &Guest, key: &str) -> ApiResult<String> {
    text(guest, "get_item", of_item(key)).await
}

fn of_item(key: &str) -> Value {
    json!({ "key": key, "include": ["comments", "subtasks"] })
}

/// The tool that reads an address, and its arguments.
fn named(uri: &str) -> Option<(&'static str, Value)> {
    let rest = uri.strip_prefix("svc://")?;
    if let Some(key) = rest.strip_prefix("items/") {
        return Some(("get_item", of_item(&decoded(key)?)));
    }
    if let Some(id) = rest.strip_prefix("runs/") {
        return Some(("get_run", json!({ "id": decoded(id)? })));
    }
    let (project, path) = rest.strip_prefix("projects/")?.split_once("/wiki/")?;
    Some(("get_wiki_page", json!({ "project": decoded(project)?, "path": decoded(path)? })))
}

fn decoded(text: &str) -> Option<String> {
    percent_encoding::percent_decode_str(text).decode_utf8().ok().map(Into::into)
}

async fn text(guest: &Guest, tool: &str, arguments: Value) -> ApiResult<String> {
    let (Some(tool), Value::Object(arguments)) = (catalogue::find(tool), arguments) else {
        return Err(NOT_FOUND.problem().into());
    };
    let arguments: JsonObject = arguments;
    said(guest, (tool.run)(tool, guest.clone(), arguments).await).await
}

async fn said(guest: &Guest, reply: ApiResult<Reply>) -> ApiResult<String> {
    Ok(reply?.said(&guest.app, Cursor::START, MOST_OF_RESOURCE).await?.text)
}

#[cfg(test)]
mod tests {
    use super::named;
    use serde_json::json;

    #[test]
    fn addresses_name_what_tools_read() {
        let page = json!({"project": "WEB", "path": "guides/set up"});
        assert_eq!(named("svc://projects/WEB/wiki/guides/set%20up"), Some(("get_wiki_page", page)));
        assert_eq!(named("svc://runs/1"), Some(("get_run", json!({"id": "1"}))));
        assert_eq!(named("svc://items/WEB-1").map(|(tool, _)| tool), Some("get_item"));
        for wrong in ["svc://", "https://items/WEB-1", "svc://projects/WEB", "svc://items/%ff", ""] {
            assert_eq!(named(wrong), None, "{wrong}");
        }
    }
}
