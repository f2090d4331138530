//! Checks accounts, credentials, sessions and links: everything under a person or a secret.

use svc_domain::directory::DirectoryToken;
use svc_domain::identity::{Avatar, Credential, Member, Subject as Speaker, TokenRecord, User};
use svc_domain::ids::{OrgId, OrgSlug, TokenId, UserId};
use svc_domain::invitation::Invitation;
use svc_domain::notification::Entry;
use svc_domain::run::{Run, State};
use svc_domain::runner::Runner;
use svc_domain::session::Sessions;
use svc_storage::keys;

use super::context::{CheckContext, Subject, Verdict};
use super::kind::Kind;
use super::org_or_mark::{is_there, slug_of};
use crate::identity::{AddressLink, InvitationLink, PasswordReset, SetUp};
use crate::notifications::entry_key;

pub(super) const KINDS: &[Kind] = &[
    Kind::new("SETUP", "DONE", |subject, context| subject.read::<SetUp>(context).map(drop)),
    Kind::new("EMAIL#<lower e-mail>", "USER", email),
    Kind::new("SECRET#<sha256>", "CREDENTIAL", credential),
    Kind::new("INVITE#<sha256>", "INVITATION", invitation_link),
    Kind::new("RESET#<sha256>", "PASSWORD", password_link),
    Kind::new("ADDRESS#<sha256>", "USER", address_link),
    Kind::new("FOREIGN#<sha256>", "USER", foreign),
    Kind::new("USER#<user>", "PROFILE", profile),
    Kind::new("USER#<user>", "ORG#<org>", org_pointer),
    Kind::new("USER#<user>", "TOKEN#<token>", token),
    Kind::new("USER#<user>", "USED#<token>", last_use),
    Kind::new("USER#<user>", "SESSIONS", sessions),
    Kind::new("INBOX#<user>", "<entry>", inbox),
    Kind::new("AVATAR#<avatar>", "PICTURE", avatar),
];

fn email(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let id: UserId = subject.read(context)?;
    if let Some(user) = context.need::<User>(&keys::user(id), "account of this address")?
        && subject.row.key != keys::email(&user.email)
    {
        context.broken(format!("the account has another address, {}", user.email));
    }
    Ok(())
}

/// A server from before there were connections loses the account's side of one.
fn foreign(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let id: UserId = subject.read(context)?;
    let user: Option<User> = context.need(&keys::user(id), "account of this person")?;
    if let Some(other) = user.and_then(|user| user.connection) {
        subject.is_named(context, &keys::foreign_person(&other));
    }
    Ok(())
}

fn profile(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let user: User = subject.read(context)?;
    subject.is_named(context, &keys::user(user.id));
    let claim = keys::email(&user.email);
    if context.need::<UserId>(&claim, "claim of its address")?.is_some_and(|holder| holder != user.id) {
        context.broken("another account claims its address");
    }
    if let Some(connection) = &user.connection {
        let name = keys::foreign_person(connection);
        let holder: Option<UserId> = context.need(&name, "connection with the identity provider")?;
        if holder.is_some_and(|holder| holder != user.id) {
            context.broken("its connection with the identity provider leads to another account");
        }
    }
    if let Some(avatar) = user.avatar {
        let picture: Option<Avatar> = context.need(&keys::avatar(avatar), "picture of it")?;
        if picture.is_some_and(|picture| picture.user != user.id) {
            context.broken("its picture is another account's");
        }
    }
    Ok(())
}

/// A server from before there were pictures loses the account's side of one.
fn avatar(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let picture: Avatar = subject.read(context)?;
    let user: Option<User> = context.need(&keys::user(picture.user), "account of this picture")?;
    if let Some(other) = user.and_then(|user| user.avatar) {
        subject.is_named(context, &keys::avatar(other));
    }
    Ok(())
}

/// What it is about may have gone: its owner sees nothing of it then, and it expires.
fn inbox(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let user: UserId = subject.part("user", context)?;
    let entry: Entry = subject.read(context)?;
    context.demand(&keys::user(user), "such account")?;
    subject.is_named(context, &entry_key(user, entry.org, &entry.subject));
    let newest = entry.news.len() as u64;
    if newest == 0 || entry.told < newest || entry.read > entry.told || entry.done > entry.told {
        context.broken("it was told, read and done more or less often than there is news");
    }
    Ok(())
}

fn org_pointer(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (user, org): (UserId, OrgId) = (subject.part("user", context)?, subject.part("org", context)?);
    let slug: OrgSlug = subject.read(context)?;
    context.need::<Member>(&keys::member(org, user), "such member of the organization")?;
    if slug_of(context, org, "such organization")?.is_some_and(|own| own != slug) {
        context.broken("the organization has another slug");
    }
    Ok(())
}

fn credential(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let hash: String = subject.part("sha256", context)?;
    let credential: Credential = subject.read(context)?;
    if credential.expires_at.is_some_and(|end| context.is_past(end)) {
        return Ok(());
    }
    match &credential.subject {
        Speaker::Session { user, session, replaced_at: None } => {
            let known: Option<Sessions> = context.read(&keys::sessions(*user))?;
            let known = known.unwrap_or_default().list;
            let listed = known.iter().any(|known| Some(known.id) == *session && known.secret_hash == hash);
            // Without an id it was written before sessions were listed, and works no more.
            if !listed && session.is_some() {
                context.broken("the person has no such session");
            }
        }
        // What a renewal replaced is no longer listed, and ends by itself.
        Speaker::Session { user, replaced_at: Some(_), .. } => {
            context.demand(&keys::user(*user), "such account")?;
        }
        Speaker::PersonalToken { user, token } => personal(&credential, *user, *token, &hash, context)?,
        Speaker::Runner { runner } => {
            let Some(org) = credential.org else {
                context.broken("a runner's secret is bound to no organization");
                return Ok(());
            };
            let runner: Option<Runner> = context.need(&keys::runner(org, *runner), "such runner")?;
            if runner.is_some_and(|runner| runner.secret_hash != hash) {
                context.broken("the runner has another secret");
            }
        }
        Speaker::Directory { token, .. } => {
            let Some(org) = credential.org else {
                context.broken("a token of a directory is bound to no organization");
                return Ok(());
            };
            let record: Option<DirectoryToken> =
                context.need(&keys::directory_token(org, *token), "such token of the directory")?;
            if record.is_some_and(|record| record.secret_hash != hash) {
                context.broken("the token of the directory has another secret");
            }
        }
        Speaker::AgentRun { run, .. } => {
            let Some(org) = credential.org else {
                context.broken("an agent's token is bound to no organization");
                return Ok(());
            };
            let run: Option<Run> = context.need(&keys::run(org, *run), "such run")?;
            let held = |run: &Run| {
                let over = matches!(run.state, State::Ended(_));
                !over && run.hold().is_some_and(|hold| hold.token_hash == hash)
            };
            if run.is_some_and(|run| !held(&run)) {
                context.broken("the run is over, or has another token");
            }
        }
    }
    Ok(())
}

fn personal(
    credential: &Credential,
    user: UserId,
    token: TokenId,
    hash: &str,
    context: &CheckContext<'_>,
) -> Verdict {
    let record: Option<TokenRecord> = context.need(&keys::token(user, token), "such token")?;
    let same = |record: &TokenRecord| {
        record.secret_hash == hash
            && record.scopes == credential.scopes
            && record.org.as_ref().map(|(org, _)| *org) == credential.org
            && record.expires_at == credential.expires_at
    };
    if record.is_some_and(|record| !same(&record)) {
        context.broken("the list of tokens has another secret, scope, organization or expiry for it");
    }
    Ok(())
}

fn invitation_link(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let link: InvitationLink = subject.read(context)?;
    // It stays until it expires when the organization is taken away.
    if !is_there(context, link.org)? {
        return Ok(());
    }
    context.need::<Invitation>(&keys::invitation(link.org, link.invitation), "such invitation").map(drop)
}

fn password_link(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let link: PasswordReset = subject.read(context)?;
    context.demand(&keys::user(link.user), "such account").map(drop)
}

fn address_link(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let link: AddressLink = subject.read(context)?;
    context.demand(&keys::user(link.user), "such account").map(drop)
}

fn token(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let user: UserId = subject.part("user", context)?;
    let token: TokenRecord = subject.read(context)?;
    subject.is_named(context, &keys::token(user, token.id));
    context.demand(&keys::user(user), "such account")?;
    if token.expires_at.is_none_or(|end| !context.is_past(end)) {
        context.demand(&keys::credential(&token.secret_hash), "credential of it")?;
    }
    Ok(())
}

fn last_use(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (user, token): (UserId, TokenId) = (subject.part("user", context)?, subject.part("token", context)?);
    subject.read::<jiff::Timestamp>(context)?;
    context.demand(&keys::token(user, token), "such token").map(drop)
}

fn sessions(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let user: UserId = subject.part("user", context)?;
    let sessions: Sessions = subject.read(context)?;
    context.demand(&keys::user(user), "such account")?;
    for session in sessions.list.iter().filter(|session| !context.is_past(session.expires_at)) {
        let name = keys::credential(&session.secret_hash);
        let credential: Option<Credential> = context.need(&name, "credential of a session")?;
        let own = |credential: &Credential| {
            matches!(credential.subject, Speaker::Session { user: whose, session: Some(id), .. }
                if whose == user && id == session.id)
        };
        if credential.is_some_and(|credential| !own(&credential)) {
            context.broken("the session's credential belongs to something else");
        }
    }
    Ok(())
}
