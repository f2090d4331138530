//! A random workload over every route that changes something, by several callers at once on two processes that
//! share a store, with requests that are cut off and engines that fail; and the workers that mend what that
//! leaves; and a simulation of the factory ([`simulation`]). What must hold afterwards is asked by the tests.

mod acts;
mod caller;
mod faults;
mod pool;
pub mod simulation;
mod world;

pub use world::World;
