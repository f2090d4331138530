//! What the protocol says of itself (RFC 7643, sections 5 to 7): what is supported, and which attributes are kept.

use std::sync::Arc;

use axum::extract::State;
use serde_json::{Value, json};
use svc_app::App;
use svc_app::identity::directory;
use svc_http::scim::{ScimResult, list, said};

use super::request::Asked;

pub(super) async fn config(State(app): State<Arc<App>>, asked: Asked) -> ScimResult {
    directory::may_ask(&app, asked.caller()).await?;
    let body = json!({
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
        "patch": { "supported": true },
        "bulk": { "supported": false, "maxOperations": 0, "maxPayloadSize": 0 },
        "filter": { "supported": true, "maxResults": 200 },
        "changePassword": { "supported": false },
        "sort": { "supported": false },
        "etag": { "supported": true },
        "authenticationSchemes": [{
            "type": "oauthbearertoken",
            "name": "Bearer token",
            "description": "A SCIM token that an Owner of the organization made",
            "primary": true,
        }],
    });
    Ok(said(&body))
}

pub(super) async fn resource_types(State(app): State<Arc<App>>, asked: Asked) -> ScimResult {
    directory::may_ask(&app, asked.caller()).await?;
    let kind = |name: &str, endpoint: &str| {
        json!({
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
            "id": name,
            "name": name,
            "endpoint": endpoint,
            "schema": format!("urn:ietf:params:scim:schemas:core:2.0:{name}"),
        })
    };
    Ok(list(vec![kind("User", "/Users"), kind("Group", "/Groups")], 2, 1))
}

pub(super) async fn schemas(State(app): State<Arc<App>>, asked: Asked) -> ScimResult {
    directory::may_ask(&app, asked.caller()).await?;
    let user = [
        attribute("userName", "string", true, "server"),
        attribute("externalId", "string", false, "none"),
        attribute("displayName", "string", false, "none"),
        attribute("active", "boolean", false, "none"),
    ];
    let members = json!({
        "name": "members", "type": "complex", "multiValued": true, "required": false,
        "mutability": "readWrite", "returned": "default",
        "subAttributes": [attribute("value", "string", true, "none")],
    });
    let group = [
        attribute("displayName", "string", true, "server"),
        attribute("externalId", "string", false, "none"),
        members,
    ];
    let schema = |name: &str, attributes: &[Value]| {
        json!({
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
            "id": format!("urn:ietf:params:scim:schemas:core:2.0:{name}"),
            "name": name,
            "attributes": attributes,
        })
    };
    Ok(list(vec![schema("User", &user), schema("Group", &group)], 2, 1))
}

fn attribute(name: &str, kind: &str, required: bool, uniqueness: &str) -> Value {
    json!({
        "name": name, "type": kind, "multiValued": false, "required": required, "caseExact": false,
        "mutability": "readWrite", "returned": "default", "uniqueness": uniqueness,
    })
}
