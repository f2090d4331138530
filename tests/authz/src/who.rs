//! Kinds of callers, and the response for each where only some are permitted.

use http::StatusCode;

/// A kind of caller, in the order of the tables' columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// Owner of the organization, in no project.
    Owner,
    /// Admin of the organization, in no project.
    Admin,
    /// Member of the organization, Admin of the project, no operator.
    Chief,
    /// Member of organization and project who may start AI work.
    Operator,
    /// Member of organization and project who may not.
    Member,
    /// Invited as a Stakeholder of the project (specification section 2.9).
    Stakeholder,
    /// Guest of the organization, in the project.
    Guest,
    /// Member of the organization, not of the project.
    Outsider,
    /// Owner of another organization.
    Foreigner,
    /// The Owner, with a token bound to another organization of theirs.
    Bound,
    /// The agent of a run in the project.
    Agent,
    /// The agent of a run in another project of the organization.
    Stray,
    /// A runner.
    Runner,
}

/// Every kind of caller.
pub const CALLERS: [Caller; 13] = [
    Caller::Owner,
    Caller::Admin,
    Caller::Chief,
    Caller::Operator,
    Caller::Member,
    Caller::Stakeholder,
    Caller::Guest,
    Caller::Outsider,
    Caller::Foreigner,
    Caller::Bound,
    Caller::Agent,
    Caller::Stray,
    Caller::Runner,
];

/// What a caller is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// What they asked for.
    Yes,
    /// 404: they must not know of it.
    Hidden,
    /// 403: their role does not permit it.
    Role,
    /// 403: they may not operate the factory.
    Factory,
    /// 403: their credential never has the scope.
    Scope,
}

impl Cell {
    /// Status and problem type of a refusal; `None` for [`Cell::Yes`].
    pub const fn refusal(self) -> Option<(StatusCode, &'static str)> {
        match self {
            Self::Yes => None,
            Self::Hidden => Some((StatusCode::NOT_FOUND, "not-found")),
            Self::Role => Some((StatusCode::FORBIDDEN, "forbidden")),
            Self::Factory => Some((StatusCode::FORBIDDEN, "factory-not-permitted")),
            Self::Scope => Some((StatusCode::FORBIDDEN, "missing-scope")),
        }
    }
}

/// The callers that may do something, and whether it is a change that frozen places refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Who {
    /// For each of [`CALLERS`].
    pub cells: [Cell; 13],
    /// Whether a read-only organization refuses it.
    pub in_org: bool,
    /// Whether an archived project refuses it.
    pub in_project: bool,
}

const Y: Cell = Cell::Yes;
const H: Cell = Cell::Hidden;
const R: Cell = Cell::Role;
const F: Cell = Cell::Factory;
const S: Cell = Cell::Scope;

const fn reads(cells: [Cell; 13]) -> Who {
    Who { cells, in_org: false, in_project: false }
}

const fn changes_org(cells: [Cell; 13]) -> Who {
    Who { cells, in_org: true, in_project: false }
}

const fn changes_project(cells: [Cell; 13]) -> Who {
    Who { cells, in_org: true, in_project: true }
}

// What each may be. Columns:                       own adm chf opr mem sta gue out for bnd agt str run

/// Everybody with an account; nothing of an organization is in question.
pub const PEOPLE: Who = reads([Y, Y, Y, Y, Y, Y, Y, Y, Y, Y, R, R, R]);
/// The same, but for tokens that are bound to an organization.
pub const UNBOUND_PEOPLE: Who = reads([Y, Y, Y, Y, Y, Y, Y, Y, Y, R, R, R, R]);
/// Admins of the instance: in the world, the Owner, who is named by the setting. A bound token is none.
pub const INSTANCE_ADMINS: Who = reads([Y, R, R, R, R, R, R, R, R, R, R, R, R]);
/// Everybody with an account, and agents.
pub const PEOPLE_AND_AGENTS: Who = reads([Y, Y, Y, Y, Y, Y, Y, Y, Y, Y, Y, Y, R]);
/// Members of the organization.
pub const SEE_ORG: Who = reads([Y, Y, Y, Y, Y, Y, Y, Y, H, H, Y, Y, R]);
/// Owners and Admins. An agent's token never has the scope.
pub const ADMINISTER: Who = changes_org([Y, Y, R, R, R, R, R, R, H, H, S, S, R]);
/// Owners, in a read-only organization too.
pub const GOVERN: Who = reads([Y, R, R, R, R, R, R, R, H, H, S, S, R]);
/// Owners, to change what is frozen with the organization.
pub const GOVERN_UNFROZEN: Who = changes_org([Y, R, R, R, R, R, R, R, H, H, S, S, R]);
/// Owners and Admins, to look. An agent's token has this scope.
pub const SEE_ADMINISTRATION: Who = reads([Y, Y, R, R, R, R, R, R, H, H, R, R, R]);
/// Every person of the organization.
pub const LEAVE: Who = changes_org([Y, Y, Y, Y, Y, Y, Y, Y, H, H, R, R, R]);
/// Owners and Admins, where there is no project yet.
pub const CREATE_PROJECTS: Who = changes_org([Y, Y, R, R, R, R, R, R, H, H, R, R, R]);
/// Factory operators of the organization.
pub const SEE_FACTORY_OF_ORG: Who = reads([Y, Y, F, Y, F, F, F, F, H, H, F, F, R]);
/// Callers that see the project.
pub const SEE_PROJECT: Who = reads([Y, Y, Y, Y, Y, Y, Y, H, H, H, Y, H, R]);
/// The same, to comment and react: Guests too. The agent's run works on another item.
pub const COMMENT: Who = changes_project([Y, Y, Y, Y, Y, Y, Y, H, H, H, R, H, R]);
/// People who see the project, to watch its items.
pub const WATCH: Who = changes_project([Y, Y, Y, Y, Y, Y, Y, H, H, H, R, H, R]);
/// The author of a comment, who is the Owner.
pub const AUTHOR: Who = changes_project([Y, R, R, R, R, R, R, H, H, H, R, H, R]);
/// The author of a comment, or an Admin of the project.
pub const AUTHOR_OR_ADMIN: Who = changes_project([Y, Y, Y, R, R, R, R, H, H, H, R, H, R]);
/// Everybody in the project but Guests, and but for agents, whose run works on another item.
pub const WORK: Who = changes_project([Y, Y, Y, Y, Y, Y, R, H, H, H, R, H, R]);
/// The same with agents: each of many items is answered by itself.
pub const WORK_ON_MANY: Who = changes_project([Y, Y, Y, Y, Y, Y, R, H, H, H, Y, H, R]);
/// Everybody in the project but Guests and agents, which move no item and plan nothing.
pub const MOVE: Who = changes_project([Y, Y, Y, Y, Y, Y, R, H, H, H, R, H, R]);
/// Callers that see the project, but of agents only the one of the item, which works on another.
pub const SEE_FILES: Who = reads([Y, Y, Y, Y, Y, Y, Y, H, H, H, H, H, R]);
/// The Owner, whose it is; others see it and may not.
pub const OWN: Who = changes_project([Y, R, R, R, R, R, R, H, H, H, R, H, R]);
/// Admins of the project or the organization.
pub const CONFIGURE: Who = changes_project([Y, Y, Y, R, R, R, R, H, H, H, R, H, R]);
/// The same, to look, in an archived project and a read-only organization too.
pub const SEE_INTAKES: Who = reads([Y, Y, Y, R, R, R, R, H, H, H, R, H, R]);
/// Admins of the project or the organization, if they operate the factory too.
pub const CONFIGURE_AND_OPERATE: Who = changes_project([Y, Y, F, R, R, R, R, H, H, H, R, H, R]);
/// Everybody in the organization but Guests and agents.
pub const SHARE_IN_ORG: Who = changes_org([Y, Y, Y, Y, Y, Y, R, Y, H, H, R, R, R]);
/// Owners and Admins, of what Guests do not see and agents never change.
pub const EDIT_SHARED_IN_ORG: Who = changes_org([Y, Y, R, R, R, R, H, R, H, H, R, R, R]);
/// Factory operators in the project, to look.
pub const SEE_FACTORY: Who = reads([Y, Y, F, Y, F, F, F, H, H, H, F, H, R]);
/// The same, and Admins of the project, who configure what they look at.
pub const SEE_PLAYBOOKS: Who = reads([Y, Y, Y, Y, F, F, F, H, H, H, F, H, R]);
/// The agent of the item's refine run, which nobody here is.
pub const HAND_IN: Who = changes_project([R, R, R, R, R, R, R, H, H, H, R, H, R]);
/// Factory operators in the project, to start runs. Owners and Admins are in every project.
pub const OPERATE: Who = changes_project([Y, Y, F, Y, F, F, F, H, H, H, F, H, R]);
/// The same, to cancel runs: also in an archived project and in a read-only organization.
pub const STOP_RUNS: Who = reads([Y, Y, F, Y, F, F, F, H, H, H, F, H, R]);
/// Runners.
pub const RUNNERS: Who = reads([R, R, R, R, R, R, R, R, R, R, R, R, Y]);
/// Any caller, with a credential or without.
pub const ANYONE: Who = reads([Y, Y, Y, Y, Y, Y, Y, Y, Y, Y, Y, Y, Y]);
