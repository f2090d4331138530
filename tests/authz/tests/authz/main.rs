//! Every route times every kind of caller (specification sections 1.6, 2.9, 5 and 7).

mod addresses;
mod bad_input;
mod dead_credentials;
mod matrix;
mod names;
mod run_tokens;
mod stakeholder;
mod tools;
