//! `/Users` of the protocol.

use std::sync::Arc;

use axum::extract::State;
use serde_json::{Value, json};
use svc_app::App;
use svc_app::identity::directory::{self, NewUser, SeenUser, UserChange};
use svc_http::scim::{ScimError, ScimResult, created, found, gone, list as listed, meta};

use super::patch::{Verb, operations};
use super::request::{Asked, attribute, text, truth};

const SCHEMA: &str = "urn:ietf:params:scim:schemas:core:2.0:User";

pub(super) async fn list(State(app): State<Arc<App>>, asked: Asked) -> ScimResult {
    let part = asked.part()?;
    let (users, total) =
        directory::users(&app, asked.caller(), &part.filter, part.start - 1, part.count).await?;
    Ok(listed(users.into_iter().map(|user| shown(&app, &asked, user)).collect(), total, part.start))
}

pub(super) async fn get(State(app): State<Arc<App>>, asked: Asked) -> ScimResult {
    let user = directory::user(&app, asked.caller(), asked.id()?).await?;
    Ok(found(&shown(&app, &asked, user)))
}

pub(super) async fn create(State(app): State<Arc<App>>, asked: Asked) -> ScimResult {
    let user = directory::create_user(&app, asked.caller(), written(&asked.body()?)?).await?;
    Ok(created(&shown(&app, &asked, user)))
}

pub(super) async fn replace(State(app): State<Arc<App>>, asked: Asked) -> ScimResult {
    let NewUser { email, external_id, display_name, active } = written(&asked.body()?)?;
    let change = UserChange {
        version: asked.version()?,
        email: Some(email),
        external_id: Some(external_id),
        display_name: Some(display_name),
        active: Some(active),
    };
    let user = directory::change_user(&app, asked.caller(), asked.id()?, change).await?;
    Ok(found(&shown(&app, &asked, user)))
}

pub(super) async fn patch(State(app): State<Arc<App>>, asked: Asked) -> ScimResult {
    let mut change = UserChange { version: asked.version()?, ..UserChange::default() };
    for one in operations(&asked.body()?)? {
        let removes = one.verb == Verb::Remove;
        let value = if removes { Value::Null } else { one.value };
        match one.attribute.as_str() {
            "active" if !removes => change.active = Some(truth(&value)?),
            "username" => change.email = Some(text(&value)?.ok_or_else(no_name)?),
            "externalid" => change.external_id = Some(text(&value)?),
            "displayname" | "name.formatted" => change.display_name = Some(text(&value)?),
            "name" => change.display_name = Some(text(attribute(&value, "formatted"))?),
            // What else a provider knows of a person is not kept.
            _ => {}
        }
    }
    let user = directory::change_user(&app, asked.caller(), asked.id()?, change).await?;
    Ok(found(&shown(&app, &asked, user)))
}

pub(super) async fn delete(State(app): State<Arc<App>>, asked: Asked) -> ScimResult {
    directory::delete_user(&app, asked.caller(), asked.id()?, asked.version()?).await?;
    Ok(gone())
}

fn no_name() -> ScimError {
    ScimError::bad("invalidValue", "userName is required: the address of the person")
}

/// A person as a provider writes them whole.
fn written(body: &Value) -> Result<NewUser, ScimError> {
    let name = attribute(body, "name");
    let parts: Vec<String> = [text(attribute(name, "givenName"))?, text(attribute(name, "familyName"))?]
        .into_iter()
        .flatten()
        .collect();
    let whole = text(attribute(body, "displayName"))?.or(text(attribute(name, "formatted"))?);
    Ok(NewUser {
        email: text(attribute(body, "userName"))?.ok_or_else(no_name)?,
        external_id: text(attribute(body, "externalId"))?,
        display_name: whole.or(Some(parts.join(" "))),
        active: match attribute(body, "active") {
            Value::Null => true,
            value => truth(value)?,
        },
    })
}

fn shown(app: &App, asked: &Asked, seen: SeenUser) -> Value {
    let base = directory::address(app, &asked.slug);
    let user = seen.user;
    let groups = seen.groups.iter().map(|(id, name)| {
        json!({ "value": id, "display": name, "$ref": format!("{base}/Groups/{id}"), "type": "direct" })
    });
    let mut body = json!({
        "schemas": [SCHEMA],
        "id": user.id,
        "userName": user.email,
        "emails": [{ "value": user.email, "type": "work", "primary": true }],
        "active": seen.active,
        "groups": groups.collect::<Vec<_>>(),
        "meta": meta(
            "User",
            &format!("{base}/Users/{}", user.id),
            user.created_at,
            user.changed_at,
            seen.version,
        ),
    });
    if let Some(id) = user.external_id {
        body["externalId"] = id.into();
    }
    if let Some(name) = user.display_name {
        body["name"] = json!({ "formatted": name });
        body["displayName"] = name.into();
    }
    body
}
