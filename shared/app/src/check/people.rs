//! Judges accounts, credentials, sessions and links: everything under a person or a secret.

use svc_domain::identity::{Avatar, Credential, Member, Org, Subject as Speaker, TokenRecord, User};
use svc_domain::ids::{OrgId, OrgSlug, TokenId, UserId};
use svc_domain::invitation::Invitation;
use svc_domain::run::{Run, State};
use svc_domain::runner::Runner;
use svc_domain::session::Sessions;
use svc_storage::keys;

use super::kinds::Kind;
use super::look::{Look, Subject, Verdict};
use crate::identity::{InvitationLink, PasswordLink};

pub(super) const KINDS: &[Kind] = &[
    Kind::new("SETUP", "DONE", |subject, look| subject.read::<jiff::Timestamp>(look).map(drop)),
    Kind::new("EMAIL#<lower e-mail>", "USER", email),
    Kind::new("SECRET#<sha256>", "CREDENTIAL", credential),
    Kind::new("INVITE#<sha256>", "INVITATION", invitation_link),
    Kind::new("RESET#<sha256>", "PASSWORD", password_link),
    Kind::new("FOREIGN#<sha256>", "USER", foreign),
    Kind::new("USER#<user>", "PROFILE", profile),
    Kind::new("USER#<user>", "ORG#<org>", org_pointer),
    Kind::new("USER#<user>", "TOKEN#<token>", token),
    Kind::new("USER#<user>", "USED#<token>", last_use),
    Kind::new("USER#<user>", "SESSIONS", sessions),
    Kind::new("AVATAR#<avatar>", "PICTURE", avatar),
];

fn email(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let id: UserId = subject.read(look)?;
    if let Some(user) = look.need::<User>(&keys::user(id), "account of this address")?
        && subject.row.key != keys::email(&user.email)
    {
        look.broken(format!("the account has another address, {}", user.email));
    }
    Ok(())
}

/// A server from before there were connections loses the account's side of one.
fn foreign(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let id: UserId = subject.read(look)?;
    let user: Option<User> = look.need(&keys::user(id), "account of this person")?;
    if let Some(other) = user.and_then(|user| user.connection) {
        subject.is_named(look, &keys::foreign_person(&other));
    }
    Ok(())
}

fn profile(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let user: User = subject.read(look)?;
    subject.is_named(look, &keys::user(user.id));
    let claim = keys::email(&user.email);
    if look.need::<UserId>(&claim, "claim of its address")?.is_some_and(|holder| holder != user.id) {
        look.broken("another account claims its address");
    }
    if let Some(connection) = &user.connection {
        let name = keys::foreign_person(connection);
        let holder: Option<UserId> = look.need(&name, "connection with the identity provider")?;
        if holder.is_some_and(|holder| holder != user.id) {
            look.broken("its connection with the identity provider leads to another account");
        }
    }
    if let Some(avatar) = user.avatar {
        let picture: Option<Avatar> = look.need(&keys::avatar(avatar), "picture of it")?;
        if picture.is_some_and(|picture| picture.user != user.id) {
            look.broken("its picture is another account's");
        }
    }
    Ok(())
}

/// A server from before there were pictures loses the account's side of one.
fn avatar(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let picture: Avatar = subject.read(look)?;
    let user: Option<User> = look.need(&keys::user(picture.user), "account of this picture")?;
    if let Some(other) = user.and_then(|user| user.avatar) {
        subject.is_named(look, &keys::avatar(other));
    }
    Ok(())
}

fn org_pointer(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let (user, org): (UserId, OrgId) = (subject.part("user", look)?, subject.part("org", look)?);
    let slug: OrgSlug = subject.read(look)?;
    look.need::<Member>(&keys::member(org, user), "such member of the organization")?;
    if look.need::<Org>(&keys::org(org), "such organization")?.is_some_and(|org| org.slug != slug) {
        look.broken("the organization has another slug");
    }
    Ok(())
}

fn credential(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let hash: String = subject.part("sha256", look)?;
    let credential: Credential = subject.read(look)?;
    if credential.expires_at.is_some_and(|end| look.is_past(end)) {
        return Ok(());
    }
    match &credential.subject {
        Speaker::Session { user, session, replaced_at: None } => {
            let known: Option<Sessions> = look.read(&keys::sessions(*user))?;
            let known = known.unwrap_or_default().list;
            let listed = known.iter().any(|known| Some(known.id) == *session && known.secret_hash == hash);
            // Without an id it was written before sessions were listed, and works no more.
            if !listed && session.is_some() {
                look.broken("the person has no such session");
            }
        }
        // What a renewal replaced is no longer listed, and ends by itself.
        Speaker::Session { user, replaced_at: Some(_), .. } => {
            look.demand(&keys::user(*user), "such account")?;
        }
        Speaker::PersonalToken { user, token } => personal(&credential, *user, *token, &hash, look)?,
        Speaker::Runner { runner } => {
            let Some(org) = credential.org else {
                look.broken("a runner's secret is bound to no organization");
                return Ok(());
            };
            let runner: Option<Runner> = look.need(&keys::runner(org, *runner), "such runner")?;
            if runner.is_some_and(|runner| runner.secret_hash != hash) {
                look.broken("the runner has another secret");
            }
        }
        Speaker::AgentRun { run, .. } => {
            let Some(org) = credential.org else {
                look.broken("an agent's token is bound to no organization");
                return Ok(());
            };
            let run: Option<Run> = look.need(&keys::run(org, *run), "such run")?;
            let held = |run: &Run| {
                let over = matches!(run.state, State::Ended(_));
                !over && run.hold().is_some_and(|hold| hold.token_hash == hash)
            };
            if run.is_some_and(|run| !held(&run)) {
                look.broken("the run is over, or has another token");
            }
        }
    }
    Ok(())
}

fn personal(credential: &Credential, user: UserId, token: TokenId, hash: &str, look: &Look<'_>) -> Verdict {
    let record: Option<TokenRecord> = look.need(&keys::token(user, token), "such token")?;
    let same = |record: &TokenRecord| {
        record.secret_hash == hash
            && record.scopes == credential.scopes
            && record.org.as_ref().map(|(org, _)| *org) == credential.org
            && record.expires_at == credential.expires_at
    };
    if record.is_some_and(|record| !same(&record)) {
        look.broken("the list of tokens says otherwise of its secret, scopes, organization or end");
    }
    Ok(())
}

fn invitation_link(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let link: InvitationLink = subject.read(look)?;
    look.need::<Invitation>(&keys::invitation(link.org, link.invitation), "such invitation").map(drop)
}

fn password_link(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let link: PasswordLink = subject.read(look)?;
    look.demand(&keys::user(link.user), "such account").map(drop)
}

fn token(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let user: UserId = subject.part("user", look)?;
    let token: TokenRecord = subject.read(look)?;
    subject.is_named(look, &keys::token(user, token.id));
    look.demand(&keys::user(user), "such account")?;
    if token.expires_at.is_none_or(|end| !look.is_past(end)) {
        look.demand(&keys::credential(&token.secret_hash), "credential of it")?;
    }
    Ok(())
}

fn last_use(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let (user, token): (UserId, TokenId) = (subject.part("user", look)?, subject.part("token", look)?);
    subject.read::<jiff::Timestamp>(look)?;
    look.demand(&keys::token(user, token), "such token").map(drop)
}

fn sessions(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let user: UserId = subject.part("user", look)?;
    let sessions: Sessions = subject.read(look)?;
    look.demand(&keys::user(user), "such account")?;
    for session in sessions.list.iter().filter(|session| !look.is_past(session.expires_at)) {
        let name = keys::credential(&session.secret_hash);
        let credential: Option<Credential> = look.need(&name, "credential of a session")?;
        let own = |credential: &Credential| {
            matches!(credential.subject, Speaker::Session { user: whose, session: Some(id), .. }
                if whose == user && id == session.id)
        };
        if credential.is_some_and(|credential| !own(&credential)) {
            look.broken("the credential of a session speaks for something else");
        }
    }
    Ok(())
}
