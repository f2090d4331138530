//! `PATCH` bodies as operations on single attributes (RFC 7644, section 3.5.2), in the forms that Okta and Entra ID send:
//! without a path and with an object of values, operations in any case, and `members[value eq "…"]`.

use serde_json::Value;
use svc_http::scim::ScimError;

use super::filter::equality;
use super::request::attribute;

/// Operations of a request at most.
const MOST: usize = 1_000;

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Add,
    Replace,
    Remove,
}

/// An operation on one attribute.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Operation {
    pub(super) verb: Verb,
    /// The attribute, in lower case and without the name of its schema.
    pub(super) attribute: String,
    /// What `[value eq "…"]` names.
    pub(super) chosen: Option<String>,
    pub(super) value: Value,
}

/// The operations of a body.
pub(super) fn operations(body: &Value) -> Result<Vec<Operation>, ScimError> {
    let listed = attribute(body, "Operations").as_array();
    let listed = listed.ok_or_else(|| ScimError::bad("invalidSyntax", "Operations is a list"))?;
    if listed.len() > MOST {
        return Err(ScimError::bad("tooMany", format!("a request has at most {MOST} operations")));
    }
    let mut all = Vec::new();
    for one in listed {
        let verb = match attribute(one, "op").as_str().map(str::to_ascii_lowercase).as_deref() {
            Some("add") => Verb::Add,
            Some("replace") => Verb::Replace,
            Some("remove") => Verb::Remove,
            _ => return Err(ScimError::bad("invalidSyntax", "op is add, replace or remove")),
        };
        let value = attribute(one, "value");
        match (attribute(one, "path").as_str().map(str::trim).filter(|path| !path.is_empty()), value) {
            (Some(path), value) => all.push(located(verb, path, value.clone())?),
            (None, Value::Object(values)) if verb != Verb::Remove => {
                for (path, value) in values {
                    all.push(located(verb, path, value.clone())?);
                }
            }
            (None, _) => return Err(ScimError::bad("noTarget", "without a path, value is an object")),
        }
    }
    Ok(all)
}

fn located(verb: Verb, path: &str, value: Value) -> Result<Operation, ScimError> {
    let (named, chosen) = match path.split_once('[') {
        None => (path, None),
        Some((named, rest)) => {
            let (inner, _) = rest
                .split_once(']')
                .ok_or_else(|| ScimError::bad("invalidPath", "the path has no closing bracket"))?;
            let chosen = equality(inner).filter(|(attribute, _)| attribute.eq_ignore_ascii_case("value"));
            // Such as `emails[type eq "work"].value`, which is not kept here.
            (named, Some(chosen.map(|(_, value)| value).unwrap_or_default()))
        }
    };
    // Attributes of the schemas of users and groups may be written with it: `urn:…:User:active`.
    let named = if named.to_ascii_lowercase().starts_with("urn:") {
        named.rsplit_once(':').map_or(named, |(_, name)| name)
    } else {
        named
    };
    Ok(Operation { verb, attribute: named.trim().to_ascii_lowercase(), chosen, value })
}
