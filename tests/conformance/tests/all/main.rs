//! The suite on every adapter.

mod sqlite;
