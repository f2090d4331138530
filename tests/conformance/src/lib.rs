//! The cases that every adapter of the storage ports passes: plain functions over a port, run by
//! `tests/` on each adapter. Knows no adapter.
//!
//! Cases panic where a port breaks its promise. Those of one port may share a store: each keeps to
//! partitions, names or bodies of its own.

pub mod blobs;
pub mod queue;
pub mod table;
