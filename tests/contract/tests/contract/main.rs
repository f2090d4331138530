//! The contract as it is released, linted and served (specification sections 7 and 9).

#![expect(clippy::unwrap_used, reason = "what is not there fails its test")]

mod client;
mod fuzz;
mod lint;
mod released;
mod tools;
