//! `/Groups` of the protocol.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::State;
use serde_json::{Value, json};
use svc_app::App;
use svc_app::identity::directory::{self, GroupChange, NewGroup, SeenGroup};
use svc_domain::ids::DirectoryUserId;
use svc_http::scim::{ScimError, ScimResult, created, found, gone, list as listed, meta};

use super::patch::{Operation, Verb, operations};
use super::request::{Asked, attribute, text};

const SCHEMA: &str = "urn:ietf:params:scim:schemas:core:2.0:Group";

pub(super) async fn list(State(app): State<Arc<App>>, asked: Asked) -> ScimResult {
    let part = asked.part()?;
    let (groups, total) =
        directory::groups(&app, asked.caller(), &part.filter, part.start - 1, part.count).await?;
    Ok(listed(groups.into_iter().map(|group| shown(&app, &asked, group)).collect(), total, part.start))
}

pub(super) async fn get(State(app): State<Arc<App>>, asked: Asked) -> ScimResult {
    let group = directory::group(&app, asked.caller(), asked.id()?).await?;
    Ok(found(&shown(&app, &asked, group)))
}

pub(super) async fn create(State(app): State<Arc<App>>, asked: Asked) -> ScimResult {
    let group = directory::create_group(&app, asked.caller(), written(&asked.body()?)?).await?;
    Ok(created(&shown(&app, &asked, group)))
}

pub(super) async fn replace(State(app): State<Arc<App>>, asked: Asked) -> ScimResult {
    let NewGroup { name, external_id, members } = written(&asked.body()?)?;
    let change = GroupChange {
        version: asked.version()?,
        name: Some(name),
        external_id: Some(external_id),
        members: Some(members),
        ..GroupChange::default()
    };
    let group = directory::change_group(&app, asked.caller(), asked.id()?, change).await?;
    Ok(found(&shown(&app, &asked, group)))
}

pub(super) async fn patch(State(app): State<Arc<App>>, asked: Asked) -> ScimResult {
    let mut change = GroupChange { version: asked.version()?, ..GroupChange::default() };
    for one in operations(&asked.body()?)? {
        match one.attribute.as_str() {
            "displayname" => change.name = Some(text(&one.value)?.ok_or_else(no_name)?),
            "externalid" => change.external_id = Some(text(&one.value)?),
            "members" => of_members(&mut change, &one)?,
            _ => {}
        }
    }
    let group = directory::change_group(&app, asked.caller(), asked.id()?, change).await?;
    Ok(found(&shown(&app, &asked, group)))
}

pub(super) async fn delete(State(app): State<Arc<App>>, asked: Asked) -> ScimResult {
    directory::delete_group(&app, asked.caller(), asked.id()?, asked.version()?).await?;
    Ok(gone())
}

/// Later operations of a request count more than earlier ones.
fn of_members(change: &mut GroupChange, one: &Operation) -> Result<(), ScimError> {
    let named = match &one.chosen {
        Some(id) => BTreeSet::from([member(id)?]),
        None => members(&one.value)?,
    };
    match one.verb {
        Verb::Add => {
            change.remove.retain(|id| !named.contains(id));
            change.add.extend(named);
        }
        // Without a choice, all of them go.
        Verb::Remove if one.chosen.is_none() && one.value.is_null() => {
            change.members = Some(BTreeSet::new());
            change.add.clear();
            change.remove.clear();
        }
        Verb::Remove => {
            change.add.retain(|id| !named.contains(id));
            change.remove.extend(named);
        }
        Verb::Replace => {
            change.members = Some(named);
            change.add.clear();
            change.remove.clear();
        }
    }
    Ok(())
}

/// The people of `[{"value": "…"}]`, of one such object, or of nothing.
fn members(value: &Value) -> Result<BTreeSet<DirectoryUserId>, ScimError> {
    let one = |value: &Value| {
        let id = attribute(value, "value").as_str();
        member(id.ok_or_else(|| ScimError::bad("invalidValue", "a member has a value: the id of a person"))?)
    };
    match value {
        Value::Null => Ok(BTreeSet::new()),
        Value::Array(all) => all.iter().map(one).collect(),
        single => Ok(BTreeSet::from([one(single)?])),
    }
}

fn member(id: &str) -> Result<DirectoryUserId, ScimError> {
    id.parse()
        .map_err(|_| ScimError::bad("invalidValue", "members names somebody who is not in the directory"))
}

fn no_name() -> ScimError {
    ScimError::bad("invalidValue", "displayName is required: the name of the group")
}

/// A group as a provider writes it whole.
fn written(body: &Value) -> Result<NewGroup, ScimError> {
    Ok(NewGroup {
        name: text(attribute(body, "displayName"))?.ok_or_else(no_name)?,
        external_id: text(attribute(body, "externalId"))?,
        members: members(attribute(body, "members"))?,
    })
}

fn shown(app: &App, asked: &Asked, seen: SeenGroup) -> Value {
    let base = directory::address(app, &asked.slug);
    let group = seen.group;
    let location = format!("{base}/Groups/{}", group.id);
    let mut body = json!({
        "schemas": [SCHEMA],
        "id": group.id,
        "displayName": group.name,
        "meta": meta("Group", &location, group.created_at, group.changed_at, seen.version),
    });
    if !asked.excludes("members") {
        let members = seen.members.iter().map(|(id, email)| {
            json!({ "value": id, "display": email, "$ref": format!("{base}/Users/{id}"), "type": "User" })
        });
        body["members"] = members.collect::<Vec<_>>().into();
    }
    if let Some(id) = group.external_id {
        body["externalId"] = id.into();
    }
    body
}
