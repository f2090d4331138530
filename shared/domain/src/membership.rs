//! Who may change whose membership of an organization.
//!
//! Two rules beyond [`Capability::AdministerOrg`](crate::access::Capability::AdministerOrg), which every
//! change needs: only an Owner can make, change or remove an Owner; and an organization needs an Owner. The
//! second is a condition on rows, so that this module only says when it applies.

use crate::identity::{OrgRole, ProjectRole};
use crate::refusal::Refusal;

/// What happens to a membership: the role now and the role after; `None` for no membership.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoleChange {
    /// Role now.
    pub from: Option<OrgRole>,
    /// Role after.
    pub to: Option<OrgRole>,
}

impl RoleChange {
    /// A new member.
    pub const fn added(to: OrgRole) -> Self {
        Self { from: None, to: Some(to) }
    }

    /// A member whose role becomes another, or stays.
    pub const fn changed(from: OrgRole, to: OrgRole) -> Self {
        Self { from: Some(from), to: Some(to) }
    }

    /// A member who leaves.
    pub const fn removed(from: OrgRole) -> Self {
        Self { from: Some(from), to: None }
    }

    /// Whether somebody of this role may do it.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`].
    pub fn permitted_to(self, role: OrgRole) -> Result<(), Refusal> {
        let concerns_an_owner = self.from == Some(OrgRole::Owner) || self.to == Some(OrgRole::Owner);
        match role {
            OrgRole::Owner => Ok(()),
            OrgRole::Admin if !concerns_an_owner => Ok(()),
            OrgRole::Admin => Err(Refusal::Forbidden("only an Owner can make, change or remove an Owner")),
            OrgRole::Member | OrgRole::Guest => {
                Err(Refusal::Forbidden("this needs an Owner or Admin of the organization"))
            }
        }
    }

    /// Whether the organization has an Owner less afterwards, so that another must stay.
    pub fn takes_an_owner(self) -> bool {
        self.from == Some(OrgRole::Owner) && self.to != Some(OrgRole::Owner)
    }
}

/// Whether a role in a project is less than the one before. Adding somebody never lowers their role: only who
/// has read the membership does.
pub const fn lowers(from: ProjectRole, to: ProjectRole) -> bool {
    matches!((from, to), (ProjectRole::Admin, ProjectRole::Member))
}

/// The refusal to take an organization's last Owner.
pub const LAST_OWNER: Refusal =
    Refusal::Conflict("an organization needs an Owner; make somebody else an Owner first");

#[cfg(test)]
mod tests {
    use super::RoleChange;
    use crate::identity::OrgRole;

    #[test]
    fn every_role_times_every_change() {
        let roles: Vec<Option<OrgRole>> =
            std::iter::once(None).chain(OrgRole::ALL.iter().copied().map(Some)).collect();
        let name = |role: Option<OrgRole>| role.map_or("–", OrgRole::as_str);
        let mut table = String::new();
        for from in &roles {
            for to in &roles {
                let change = RoleChange { from: *from, to: *to };
                let who: Vec<&str> = OrgRole::ALL
                    .iter()
                    .filter(|role| change.permitted_to(**role).is_ok())
                    .map(|role| role.as_str())
                    .collect();
                let owner = if change.takes_an_owner() { ", another Owner must stay" } else { "" };
                table += &format!("{:6} → {:6} by {}{owner}\n", name(*from), name(*to), who.join(" or "));
            }
        }
        insta::assert_snapshot!(table);
    }
}
