//! The pure rules of the service: no async, no I/O, no clock, no randomness.

pub mod ids;
