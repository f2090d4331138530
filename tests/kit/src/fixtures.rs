//! People, organizations, projects and credentials, written as the use cases write them.

use std::collections::BTreeSet;

use jiff::SignedDuration;
use svc_app::secrets::{self, SecretKind};
use svc_app::tracker::ItemChange;
use svc_app::{App, Transaction};
use svc_domain::identity::{
    Credential, Member, Org, OrgRole, ProjectMember, ProjectRole, Scope, Subject, User,
};
use svc_domain::ids::{AgentId, ItemKey, OrgId, OrgSlug, ProjectKey, RunId, RunnerId, TokenId, UserId};
use svc_domain::project::Project;
use svc_domain::session::{Session, Sessions};
use svc_domain::workflow::Workflow;
use svc_storage::{Condition, Op, keys};

use crate::TestApp;

/// The password of every account that a fixture makes.
pub const PASSWORD: &str = "correct horse battery";

/// [`PASSWORD`] under Argon2id of the least cost, so that accounts are quickly made.
const PASSWORD_HASH: &str =
    "$argon2id$v=19$m=8,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$gLHIkr1qgP4r3sH1P/NIg3+PMckaLQ3RkuIiytJhVlY";

/// A picture of one red pixel, as PNG.
pub const RED_DOT: &[u8] = b"\x89PNG\x0d\x0a\x1a\x0a\x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00\x90wS\xde\x00\x00\x00\x0cIDATx\xdac8!'\x07\x00\x02\xb6\x01\x05\x0a[\xa6\x06\x00\x00\x00\x00IEND\xaeB`\x82";

/// Writes rows as they are, without telling of any event.
///
/// # Errors
/// As [`App::commit`].
pub async fn write(app: &App, ops: Vec<Op>) -> svc_app::Result<()> {
    app.commit(Transaction::bookkeeping(app).with(ops)).await
}

/// Writes an item, as somebody would who changes it.
///
/// # Errors
/// As [`App::commit`].
pub async fn save(app: &App, change: ItemChange) -> svc_app::Result<()> {
    let mut transaction = Transaction::by_itself(app, change.org());
    transaction.save(change);
    app.commit(transaction).await
}

/// All scopes.
pub fn scopes() -> &'static [Scope] {
    Scope::ALL
}

impl TestApp {
    async fn write(&self, ops: Vec<Op>) {
        write(&self.app, ops).await.expect("a fixture's rows are as it expects");
    }

    /// An organization without members. Its name is its slug.
    ///
    /// # Panics
    /// When the slug is none, or taken.
    pub async fn org(&self, slug: &str) -> Org {
        let slug: OrgSlug = slug.parse().expect("a slug");
        let org = Org {
            id: OrgId(self.app.uuid()),
            slug: slug.clone(),
            name: slug.to_string(),
            read_only: false,
            created_at: self.now(),
            plan: None,
            has_webhooks: false,
        };
        self.write(vec![
            Op::create(keys::slug(&slug), &org.id),
            Op::create(keys::org(org.id), &org),
            Op::create(keys::org_entry(org.id), &slug),
        ])
        .await;
        org
    }

    /// Lets an organization accept no changes.
    ///
    /// # Panics
    /// When there is no such organization.
    pub async fn make_read_only(&self, org: Org) {
        let org = Org { read_only: true, ..org };
        self.write(vec![Op::put(keys::org(org.id), Condition::Present, &org)]).await;
    }

    /// Lets a credential of any kind end now.
    ///
    /// # Panics
    /// When there is no credential of this secret.
    pub async fn expire(&self, secret: &str) {
        let key = keys::credential(&secrets::hash(secret));
        let row = self.app.table.get(&key).await.expect("the store answers");
        let credential: Credential = row.expect("a credential").read().expect("a credential");
        let ended = Credential { expires_at: Some(self.now()), ..credential };
        self.write(vec![Op::put(key, Condition::Present, &ended)]).await;
    }

    /// An account without organizations, signing in with [`PASSWORD`]. Its name is the part of the address
    /// before the `@`.
    ///
    /// # Panics
    /// When the address is taken.
    pub async fn account(&self, email: &str) -> User {
        let (id, hash) = (UserId(self.app.uuid()), PASSWORD_HASH.to_owned());
        let mut user = User::new(id, email.to_owned(), name_of(email), hash, self.now());
        user.email_verified = true;
        self.write(vec![Op::create(keys::email(email), &user.id), Op::create(keys::user(user.id), &user)])
            .await;
        user
    }

    /// Makes an account a member of an organization.
    ///
    /// # Panics
    /// When it is one already.
    pub async fn join(&self, org: &Org, user: &User, role: OrgRole, can_start_ai_work: bool) {
        let member = Member::of(user, role, can_start_ai_work);
        self.write(vec![
            Op::create(keys::member(org.id, user.id), &member),
            Op::create(keys::user_org(user.id, org.id), &org.slug),
        ])
        .await;
    }

    /// An account that is a member of an organization.
    pub async fn user(&self, org: &Org, email: &str, role: OrgRole, can_start_ai_work: bool) -> UserId {
        let user = self.account(email).await;
        self.join(org, &user, role, can_start_ai_work).await;
        user.id
    }

    /// A project with the default workflow and no members. Its name is its key.
    ///
    /// # Panics
    /// When the key is none, or taken.
    pub async fn project(&self, org: &Org, key: &str) -> Project {
        let key: ProjectKey = key.parse().expect("a project key");
        let project = Project {
            key: key.clone(),
            name: key.to_string(),
            description: String::new(),
            archived: false,
            created_at: self.now(),
        };
        self.write(vec![
            Op::create(keys::project(org.id, &key), &project),
            Op::create(keys::workflow(org.id, &key), &Workflow::default()),
        ])
        .await;
        project
    }

    /// Makes a member of the organization a member of a project.
    ///
    /// # Panics
    /// When the person is no member of the organization, or one of the project already.
    pub async fn project_member(&self, org: &Org, project: &Project, user: UserId, role: ProjectRole) {
        let row = self.app.table.get(&keys::member(org.id, user)).await.expect("the store answers");
        let member: Member = row.expect("a member of the organization").read().expect("a member");
        let member = ProjectMember { user, display_name: member.display_name, role };
        self.write(vec![Op::create(keys::project_member(org.id, &project.key, user), &member)]).await;
    }

    async fn credential(&self, kind: SecretKind, credential: Credential) -> String {
        let secret = secrets::mint(&self.app, kind);
        self.write(vec![Op::create(keys::credential(&secrets::hash(&secret)), &credential)]).await;
        secret
    }

    /// A person's access token that never expires, bound to an organization or not. It is in no list.
    pub async fn token(&self, user: UserId, scopes: &[Scope], bound: Option<&Org>) -> String {
        let token = TokenId(self.app.uuid());
        let credential = Credential {
            subject: Subject::PersonalToken { user, token },
            scopes: scopes.iter().copied().collect(),
            org: bound.map(|org| org.id),
            expires_at: None,
        };
        self.credential(SecretKind::PersonalToken, credential).await
    }

    /// A browser session of a person, for the cookie `svc.at`; it lasts a day.
    ///
    /// # Panics
    /// When two are made of one person at the same time.
    pub async fn session(&self, user: UserId) -> String {
        let secret = secrets::mint(&self.app, SecretKind::Session);
        let (id, now) = (TokenId(self.app.uuid()), self.now());
        let session = Session {
            id,
            secret_hash: secrets::hash(&secret),
            replaced_hash: None,
            client: String::new(),
            created_at: now,
            renewed_at: now,
            expires_at: now + SignedDuration::from_hours(24),
        };
        let credential = Credential {
            subject: Subject::Session { user, session: Some(id), replaced_at: None },
            scopes: all(),
            org: None,
            expires_at: Some(session.expires_at),
        };
        let row = self.app.table.get(&keys::sessions(user)).await.expect("the store answers");
        let mut sessions: Sessions =
            row.as_ref().map(|row| row.read().expect("sessions")).unwrap_or_default();
        let before = row.map_or(Condition::Absent, |row| Condition::Version(row.version));
        let key = keys::credential(&session.secret_hash);
        sessions.list.push(session);
        let list = Op::put(keys::sessions(user), before, &sessions);
        self.write(vec![list, Op::create(key, &credential)]).await;
        secret
    }

    /// A runner's secret. The runner has no record.
    pub async fn runner_secret(&self, org: &Org) -> (RunnerId, String) {
        let runner = RunnerId(self.app.uuid());
        let credential = Credential {
            subject: Subject::Runner { runner },
            scopes: [Scope::Read, Scope::Write].into(),
            org: Some(org.id),
            expires_at: None,
        };
        (runner, self.credential(SecretKind::Runner, credential).await)
    }

    /// The token of an agent in a run of the project's first item. Neither has a record.
    pub async fn agent_token(&self, org: &Org, project: &Project) -> (AgentId, RunId, String) {
        let (agent, run) = (AgentId(self.app.uuid()), RunId(self.app.uuid()));
        let credential = Credential {
            subject: Subject::AgentRun {
                agent,
                name: "agent".to_owned(),
                run,
                project: project.key.clone(),
                item: Some(ItemKey { project: project.key.clone(), number: 1 }),
                refines: false,
            },
            scopes: [Scope::Read, Scope::Write, Scope::Mcp].into(),
            org: Some(org.id),
            expires_at: Some(self.now() + SignedDuration::from_hours(1)),
        };
        (agent, run, self.credential(SecretKind::AgentRun, credential).await)
    }
}

fn all() -> BTreeSet<Scope> {
    svc_app::entry::all_scopes()
}

fn name_of(email: &str) -> String {
    email.split('@').next().unwrap_or(email).to_owned()
}
