//! Sign-in, accounts, access tokens, organizations, invitations and members.

mod address;
pub(crate) mod admins;
pub(crate) mod audit_log;
mod avatar;
mod colleagues;
pub mod directory;
pub(crate) mod ending;
mod first_account;
mod group_roles;
mod invitation_link;
mod invitation_mail;
mod invitations;
mod joining;
mod mapped_groups;
mod me;
pub(crate) mod members;
mod names;
pub(crate) mod org_deletion;
mod org_purge;
mod org_settings;
pub(crate) mod orgs;
pub(crate) mod password;
pub mod passwords;
mod picture;
mod profile;
mod project_members;
mod provider;
mod roles;
pub(crate) mod sessions;
mod setup;
mod spread;
pub(crate) mod tokens;
mod visitor;

pub(crate) use address::Link as AddressLink;
pub use address::{confirm_address, mail_new_address};
pub use audit_log::{AuditFilter, AuditLines, audit_log};
pub use avatar::{avatar, remove_avatar, set_avatar};
pub(crate) use colleagues::Known;
pub use first_account::{SetUp, setup_needed};
pub(crate) use invitation_link::Link as InvitationLink;
pub use invitation_mail::mail_invitation;
pub use invitations::{Invited, NewInvitation, invitations, invite, resend_invitation, revoke_invitation};
pub use joining::{Joined, Joining, JoiningAccount, Seen, join, look_at_invitation};
pub use mapped_groups::{MappedGroups, group_roles, set_group_roles};
pub use me::{Me, Who, me};
pub use members::{
    MemberChange, NewMember, VersionedMember, add_member, leave_org, members, remove_member, update_member,
};
pub(crate) use names::{Called, Names, bring_up_to_date};
pub use org_deletion::{delete_org, deleted_orgs, restore_org};
pub use org_purge::purge_org;
pub use org_settings::{OrgChange, update_org};
pub(crate) use orgs::visible_to;
pub use orgs::{NewOrg, VisibleOrg, create_org, org, orgs};
pub(crate) use password::Link as PasswordReset;
pub use password::{PasswordLink, change_password, forgot_password, mail_reset, reset_password};
pub use profile::{ProfileChange, update_me};
pub use project_members::{
    SeenProjectMember, SetRole, project_members, remove_project_member, set_project_member,
};
pub use provider::{
    Arrival, Beginning, Departure, Return, begin_sign_in, disconnect_provider, finish_sign_in, provider,
};
pub use roles::roles;
pub use sessions::{ListedSession, Session, end_session, end_sessions, login, logout, refresh, sessions};
pub use setup::{FirstAccount, register};
pub use spread::{spread, spread_agent};
pub use tokens::{CreatedToken, ListedToken, NewToken, create_token, revoke_token, tokens};
pub use visitor::Visitor;
