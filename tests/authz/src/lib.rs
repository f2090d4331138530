//! The authorization matrix: one row for each operation of the OpenAPI document, and a world to ask them in.
//!
//! [`rows`] says of each operation who may, with which scope and with what body; [`who`] says for each kind
//! of caller what that means. The tests ask every operation as every caller. A route without a row fails, and
//! a row without a route: CONTRIBUTING.md has the recipe.

pub mod document;
pub mod rows;
pub mod who;
pub mod world;
