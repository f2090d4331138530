//! People: invited, joining, leaving, renamed; their tokens and sessions; the webhooks of their organization.

use http::Method;
use serde_json::{Value, json};

use crate::caller::Caller;

pub(super) async fn anything(caller: &mut Caller) -> Option<Value> {
    match caller.below(20) {
        0..3 => invite(caller).await,
        3 => resend(caller).await,
        4 => withdraw(caller).await,
        5..7 => join(caller).await,
        7 => remove(caller).await,
        8 => add_again(caller).await,
        9..11 => rename(caller).await,
        11..13 => token(caller).await,
        13 => revoke(caller).await,
        14 => sign_in_again(caller).await,
        15 => picture(caller).await,
        16 if caller.chance(50) => webhook(caller).await,
        16 => drop_webhook(caller).await,
        17..19 => test_webhook(caller).await,
        _ => rename_org(caller).await,
    }
}

/// The secret of a link.
fn secret(invitation: &Value) -> Option<String> {
    invitation["link"].as_str()?.split_once('#').map(|(_, secret)| secret.to_owned())
}

async fn invite(caller: &mut Caller) -> Option<Value> {
    let new = json!({
        "email": format!("{}@example.com", caller.name("guest")),
        "preset": caller.one(&["member", "guest", "stakeholder"]), "project": "PRJ",
    });
    let made = caller.ask(Method::POST, "/orgs/demo/invitations", Some(new)).await?;
    caller.pool.put("invitation", json!({"id": made["id"], "secret": secret(&made)}));
    Some(made)
}

async fn resend(caller: &mut Caller) -> Option<Value> {
    let path = format!("/orgs/demo/invitations/{}/resend", caller.any("invitation")?["id"].as_str()?);
    let made = caller.ask(Method::POST, &path, Some(json!({}))).await?;
    caller.pool.put("invitation", json!({"id": made["id"], "secret": secret(&made)}));
    Some(made)
}

async fn withdraw(caller: &mut Caller) -> Option<Value> {
    let path = format!("/orgs/demo/invitations/{}", caller.any("invitation")?["id"].as_str()?);
    caller.ask(Method::DELETE, &path, None).await
}

async fn join(caller: &mut Caller) -> Option<Value> {
    let secret = caller.take("invitation")?["secret"].clone();
    let body = json!({"secret": secret, "displayName": caller.words(), "password": "correct horse battery"});
    let router = caller.router.clone();
    let path = "/auth/invitations/accept";
    let reply = svc_testkit::call(&router, Method::POST, path, None, Some(body)).await;
    let members = caller.get("/orgs/demo/members").await?;
    for member in members.as_array()?.iter().filter(|member| member["role"] != "owner") {
        caller.pool.put("user", member["userId"].clone());
    }
    reply.status.is_success().then_some(reply.json)
}

async fn remove(caller: &mut Caller) -> Option<Value> {
    let path = format!("/orgs/demo/members/{}", caller.text("user")?);
    caller.ask(Method::DELETE, &path, None).await
}

async fn add_again(caller: &mut Caller) -> Option<Value> {
    let email = format!("{}@example.com", caller.name("guest"));
    let new = json!({"email": email, "role": caller.one(&["member", "guest"])});
    caller.ask(Method::POST, "/orgs/demo/members", Some(new)).await
}

async fn rename(caller: &mut Caller) -> Option<Value> {
    let version = caller.version("/me").await?;
    let mut change = json!({"version": version, "displayName": caller.words()});
    if caller.chance(30) {
        change["email"] = format!("{}@example.org", caller.name("caller")).into();
        change["currentPassword"] = svc_testkit::PASSWORD.into();
    }
    caller.ask(Method::PATCH, "/me", Some(change)).await
}

async fn picture(caller: &mut Caller) -> Option<Value> {
    if caller.chance(30) {
        return caller.ask(Method::DELETE, "/me/avatar", None).await;
    }
    caller.upload("/api/v1/me/avatar", svc_testkit::RED_DOT.to_vec()).await
}

async fn token(caller: &mut Caller) -> Option<Value> {
    let mut new = json!({"name": caller.words(), "scopes": ["read", "write"]});
    if caller.chance(50) {
        new["organization"] = "demo".into();
    }
    if caller.chance(50) {
        new["expiresAt"] = "2026-01-05T09:30:00Z".into();
    }
    let made = caller.ask(Method::POST, "/me/tokens", Some(new)).await?;
    caller.pool.put("token", made["token"]["id"].clone());
    let secret = made["secret"].as_str()?.to_owned();
    let router = caller.router.clone();
    svc_testkit::call(&router, Method::GET, "/orgs", Some(&secret), None).await;
    Some(made)
}

async fn revoke(caller: &mut Caller) -> Option<Value> {
    let path = format!("/me/tokens/{}", caller.text("token")?);
    caller.ask(Method::DELETE, &path, None).await
}

/// Renews the session, ends others, and signs in anew where it ended.
async fn sign_in_again(caller: &mut Caller) -> Option<Value> {
    let renewed = caller.browse(Method::POST, "/auth/refresh", None).await;
    let renewed = match renewed {
        Some(reply) => reply,
        None => {
            let me = caller.get("/me").await?;
            let login = json!({"email": me["email"], "password": svc_testkit::PASSWORD});
            caller.browse(Method::POST, "/auth/login", Some(login)).await?
        }
    };
    let cookie = renewed.header("set-cookie").to_owned();
    let cookie = cookie.strip_prefix(&format!("{}=", svc_http::SESSION_COOKIE));
    if let Some((secret, _)) = cookie.and_then(|cookie| cookie.split_once(';')) {
        secret.clone_into(&mut caller.session);
    }
    if caller.chance(20) {
        caller.ask(Method::DELETE, "/me/sessions", None).await;
    }
    None
}

async fn rename_org(caller: &mut Caller) -> Option<Value> {
    let version = caller.version("/orgs/demo").await?;
    let change = json!({"version": version, "name": caller.words()});
    caller.ask(Method::PATCH, "/orgs/demo", Some(change)).await
}

async fn webhook(caller: &mut Caller) -> Option<Value> {
    let new = json!({
        "name": caller.name("hook"), "url": "https://example.com/hook",
        "events": ["item.created", "comment.created", "run.ended"],
    });
    let made = caller.ask(Method::POST, "/orgs/demo/webhooks", Some(new)).await?;
    caller.pool.put("webhook", made["webhook"]["id"].clone());
    Some(made)
}

async fn test_webhook(caller: &mut Caller) -> Option<Value> {
    let path = format!("/orgs/demo/webhooks/{}/test", caller.any("webhook")?.as_str()?);
    caller.ask(Method::POST, &path, Some(json!({}))).await
}

async fn drop_webhook(caller: &mut Caller) -> Option<Value> {
    let path = format!("/orgs/demo/webhooks/{}", caller.any("webhook")?.as_str()?);
    caller.ask(Method::DELETE, &path, None).await
}
