//! Sign-in, access tokens, organizations and their members.

mod me;
mod members;
mod orgs;
pub mod passwords;
mod project_members;
mod sessions;
mod setup;
mod tokens;

pub use me::{Me, Who, me};
pub use members::{
    MemberChange, NewMember, VersionedMember, add_member, members, remove_member, update_member,
};
pub use orgs::{NewOrg, VisibleOrg, create_org, org, orgs};
pub use project_members::{project_members, remove_project_member, set_project_member};
pub use sessions::{Session, login, logout};
pub use setup::{FirstAccount, register, setup_needed};
pub use tokens::{CreatedToken, NewToken, create_token, revoke_token, tokens};
