//! First run, sign-in and sign-out.

pub(crate) mod login;
pub(crate) mod logout;
pub(crate) mod register;
pub(crate) mod setup;
