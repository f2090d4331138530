//! First run, sign-in and sign-out, passwords, and joining with an invitation.

pub(crate) mod accept;
pub(crate) mod email_confirm;
pub(crate) mod login;
pub(crate) mod logout;
pub(crate) mod look;
pub(crate) mod oidc_callback;
pub(crate) mod oidc_disconnect;
pub(crate) mod oidc_start;
pub(crate) mod password_change;
pub(crate) mod password_forgot;
pub(crate) mod password_reset;
pub(crate) mod refresh;
pub(crate) mod register;
pub(crate) mod setup;
