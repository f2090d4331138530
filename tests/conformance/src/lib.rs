//! The cases that every adapter of the storage ports passes: plain functions over a port, run by
//! `tests/` on each adapter. Knows no adapter.
//!
//! Cases panic where a port breaks its promise. Those of one port may share a store: each keeps to
//! partitions, names or bodies of its own.

#![expect(clippy::unwrap_used, reason = "a case is a test: it panics where a promise is broken")]

pub mod blobs;
pub mod engine;
pub mod queue;
pub mod table;
