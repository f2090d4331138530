//! People, organizations, memberships and credentials as stored (specification sections 1.6 and 5).
//!
//! Holds no secret in clear: passwords are Argon2id hashes, and a credential's row is named by the SHA-256
//! of its secret.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::{
    Actor, ActorId, AgentId, AvatarId, ItemKey, OrgId, OrgSlug, ProjectKey, RunId, RunnerId, TokenId, UserId,
};
use crate::session::GRACE;
use crate::word::word_enum;

/// The account of a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// Id.
    pub id: UserId,
    /// Address to sign in with, as typed.
    pub email: String,
    /// Name shown to others.
    pub display_name: String,
    /// Argon2id hash in PHC form; empty for who signs in elsewhere and has no password.
    #[serde(default)]
    pub password_hash: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// Whether mail to the address is known to reach the person. Rows written before this was asked say no.
    #[serde(default)]
    pub email_verified: bool,
    /// The address that it gets as soon as that is confirmed. A server that does not know of it loses it,
    /// and the link that was mailed no longer works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_email: Option<String>,
    /// Whom of the identity provider the account is connected with: hex SHA-256 of issuer and subject, the
    /// name of the row that leads here. A server that does not know of it loses it and not that row: the
    /// person still signs in, and the connection is not shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connection: Option<String>,
    /// Their picture. A server that does not know of it loses it and leaves its row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avatar: Option<AvatarId>,
}

impl User {
    /// A new account that signs in with a password, of an address that is not yet known to reach anybody.
    pub const fn new(
        id: UserId,
        email: String,
        display_name: String,
        password_hash: String,
        now: Timestamp,
    ) -> Self {
        Self {
            id,
            email,
            display_name,
            password_hash,
            created_at: now,
            email_verified: false,
            new_email: None,
            connection: None,
            avatar: None,
        }
    }

    /// Who the owner of the account is in what they do.
    pub fn actor(&self) -> Actor {
        Actor { id: ActorId::User(self.id), name: self.display_name.clone() }
    }

    /// The hash of the password, where there is one.
    pub fn password(&self) -> Option<&str> {
        Some(self.password_hash.as_str()).filter(|hash| !hash.is_empty())
    }
}

/// An organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Org {
    /// Id.
    pub id: OrgId,
    /// Part of every address; never changes.
    pub slug: OrgSlug,
    /// Name shown to people.
    pub name: String,
    /// Whether it accepts no changes.
    pub read_only: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// The plan that it is on; none where the service is not sold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// Whether it has outbound webhooks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_webhooks: bool,
}

word_enum! {
    /// What an organization of the hosted service is on (specification section 8).
    Plan {
        /// The hosted offer.
        Hosted = "hosted",
        /// The hosted offer, being tried.
        Evaluation = "evaluation",
        /// The free tier.
        Free = "free",
    }
}

word_enum! {
    /// Role of a member of an organization, in falling power.
    OrgRole {
        /// Everything, including the organization itself.
        Owner = "owner",
        /// Everything but owners.
        Admin = "admin",
        /// Works in the projects it belongs to.
        Member = "member",
        /// Reads, comments and reacts in the projects it was added to.
        Guest = "guest",
    }
}

word_enum! {
    /// Role of a member of a project.
    ProjectRole {
        /// Configures the project.
        Admin = "admin",
        /// Works in the project.
        Member = "member",
    }
}

word_enum! {
    /// What a credential may do (specification section 5).
    Scope {
        /// Reading.
        Read = "read",
        /// Creating and updating.
        Write = "write",
        /// Organization channels and other administration.
        Admin = "admin",
        /// The MCP endpoint.
        Mcp = "mcp",
    }
}

impl OrgRole {
    /// Whether it administers the organization, and so sees every project.
    pub const fn administers(self) -> bool {
        match self {
            Self::Owner | Self::Admin => true,
            Self::Member | Self::Guest => false,
        }
    }
}

/// A person's membership of an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// The person.
    pub user: UserId,
    /// Address, repeated for lists.
    pub email: String,
    /// Name, repeated for lists.
    pub display_name: String,
    /// Role.
    pub role: OrgRole,
    /// The flag `Can start AI work`; means something for the role Member only.
    pub can_start_ai_work: bool,
    /// Picture, repeated for lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avatar: Option<AvatarId>,
    /// Where the role comes from, where groups gave it; `None`: by hand. A server from before there were such roles loses
    /// it, which makes the role one by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<GivenRoles>,
}

/// The roles that a member's role is the highest of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GivenRoles {
    /// What people gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_hand: Option<OrgRole>,
    /// What groups gave that the identity provider named at the last sign-in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sign_in: Option<OrgRole>,
    /// What groups of the organization's directory give.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<OrgRole>,
}

impl Member {
    /// A membership of this account, with what it repeats of it.
    pub fn of(user: &User, role: OrgRole, can_start_ai_work: bool) -> Self {
        Self {
            user: user.id,
            email: user.email.clone(),
            display_name: user.display_name.clone(),
            role,
            can_start_ai_work,
            avatar: user.avatar,
            given: None,
        }
    }

    /// The same membership, with what it repeats of the account as it is now.
    #[must_use]
    pub fn brought_up_to_date(&self, user: &User) -> Self {
        Self { given: self.given, ..Self::of(user, self.role, self.can_start_ai_work) }
    }
}

/// A picture of a person, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Avatar {
    /// Whose it is.
    pub user: UserId,
    /// `image/png` or `image/jpeg`.
    pub content_type: String,
    /// The bytes, in base64.
    pub bytes: String,
}

/// A person's membership of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectMember {
    /// The person.
    pub user: UserId,
    /// Name, repeated for lists.
    pub display_name: String,
    /// Role.
    pub role: ProjectRole,
}

/// Whom a credential speaks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum Subject {
    /// A person in a browser: cookie `svc.at`.
    #[serde(rename_all = "camelCase")]
    Session {
        /// The person.
        user: UserId,
        /// Which of the person's sessions. Rows without it were written before sessions were listed; nobody
        /// could end them, so they no longer work.
        #[serde(default)]
        session: Option<TokenId>,
        /// When a renewal replaced this secret.
        #[serde(default)]
        replaced_at: Option<Timestamp>,
    },
    /// A person's access token.
    PersonalToken {
        /// The person.
        user: UserId,
        /// Which of the person's tokens.
        token: TokenId,
    },
    /// A runner's secret.
    Runner {
        /// The runner.
        runner: RunnerId,
    },
    /// What provisions an organization's people (SCIM), as long as who made it is an Owner there.
    Directory {
        /// Which token of the organization.
        token: TokenId,
        /// Who made it.
        by: UserId,
    },
    /// An agent for the duration of one run.
    AgentRun {
        /// The agent.
        agent: AgentId,
        /// Its name.
        name: String,
        /// The run.
        run: RunId,
        /// The only project that it reaches.
        project: ProjectKey,
        /// The item that the run works on. Rows from before this was kept lack it; the run's has it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        item: Option<ItemKey>,
        /// Whether the run refines the item: its agent hands in a refinement, and changes nothing itself.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        refines: bool,
    },
}

/// A credential as stored under the SHA-256 of its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Credential {
    /// Whom it speaks for.
    pub subject: Subject,
    /// What it may do.
    pub scopes: BTreeSet<Scope>,
    /// The only organization that it sees, where it is bound to one. Always set for runners and agents.
    pub org: Option<OrgId>,
    /// When it stops working.
    pub expires_at: Option<Timestamp>,
}

impl Credential {
    /// What it is worth at this moment.
    pub fn status(&self, now: Timestamp) -> CredentialStatus {
        if self.expires_at.is_some_and(|end| end <= now) {
            return CredentialStatus::Ended;
        }
        match self.subject {
            Subject::Session { session: None, .. } => CredentialStatus::Ended,
            Subject::Session { user, session: Some(session), replaced_at: Some(at) }
                if GRACE <= now.duration_since(at) =>
            {
                CredentialStatus::Copied { user, session }
            }
            Subject::Session { .. }
            | Subject::PersonalToken { .. }
            | Subject::Runner { .. }
            | Subject::Directory { .. }
            | Subject::AgentRun { .. } => CredentialStatus::Works,
        }
    }
}

/// What a credential is worth when it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CredentialStatus {
    /// It works.
    Works,
    /// It works no more.
    Ended,
    /// It was replaced long ago: somebody has a copy, and its session ends.
    Copied {
        /// The person.
        user: UserId,
        /// The session.
        session: TokenId,
    },
}

/// A personal access token as its owner lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenRecord {
    /// Id.
    pub id: TokenId,
    /// What it is for.
    pub name: String,
    /// What it may do.
    pub scopes: BTreeSet<Scope>,
    /// The only organization that it sees.
    pub org: Option<(OrgId, OrgSlug)>,
    /// SHA-256 of the secret, hex: the name of the credential's row.
    pub secret_hash: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it stops working.
    pub expires_at: Option<Timestamp>,
}
